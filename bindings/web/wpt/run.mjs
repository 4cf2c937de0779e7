// Runs the WebNN tests of a web-platform-tests checkout against this package in a browser; see docs/guides/web_tests.md.
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';

import {readExpectations} from '../../node/wpt/expectations.mjs';
import {compare, count, formatSurprises, formatTable, toJson} from '../../node/wpt/report.mjs';
import {listRuns} from '../../node/wpt/suite.mjs';
import {browsers, launch} from '../test/support/browsers.mjs';
import {serve} from '../test/support/server.mjs';
import {suiteFile, suitePages} from './page.mjs';

const HELP = `usage: npm run wpt -- --wpt DIR [options]
  --wpt DIR            a checkout of web-platform-tests; of it, webnn/, resources/ and interfaces/ are read
  --browser NAME       chromium (the default), firefox or webkit
  --no-worker          without the package's worker
  --filter TEXT        only pages whose URL or file contains TEXT
  --scope LIST         the globals to run in, of window,worker; default both
  --jobs N             pages at a time; default 2
  --timeout SECONDS    for a page; 6 times that for those with timeout=long; default 60
  --json FILE          writes the results in the form of wptreport
Exit status: 0 if exactly the listed tests fail, 1 if not, 2 for bad arguments.`;
const LONG = 6;
const table = fileURLToPath(new URL('../../node/wpt/expectations.tsv', import.meta.url));

// Returns the expectations of the Node.js package, without the expectations for tensors beyond 32-bit memory. maxTensorByteLength
// is smaller here, so the test suite regards their dimensions as invalid.
const expectations = () => readExpectations(table).filter(({subtest}) => !subtest.endsWith('throw if the output tensor byte length exceeds limit'));

function readOptions(args) {
  const {values} = parseArgs({args, options: {
    wpt: {type: 'string'}, browser: {type: 'string', default: 'chromium'}, 'no-worker': {type: 'boolean'}, filter: {type: 'string', default: ''},
    scope: {type: 'string', default: 'window,worker'}, jobs: {type: 'string', default: '2'}, timeout: {type: 'string', default: '60'},
    json: {type: 'string'}, help: {type: 'boolean'},
  }});
  if (values.help) return values;
  if (!values.wpt) throw new Error('--wpt DIR is missing.');
  const harness = path.join(values.wpt, 'resources/testharness.js');
  if (!fs.existsSync(harness)) throw new Error(`--wpt ${values.wpt} is no checkout of the suite: ${harness} does not exist.`);
  const browser = browsers.find(({name}) => name === values.browser);
  if (!browser) throw new Error(`--browser ${values.browser} is unknown.`);
  if (browser.skip) throw new Error(`--browser ${values.browser}: ${browser.skip}.`);
  return values;
}

const late = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds, 'late').unref());

/** Runs a page. Resolves with its results, even if the page crashes. */
async function runPage(page, origin, run, seconds) {
  const start = performance.now();
  const limit = late(1000 * seconds * (run.isLong ? LONG : 1));
  try {
    await page.goto(origin + run.url);
    const ended = await Promise.race([page.evaluate(() => globalThis.finished.then(() => globalThis.outcome)), limit]);
    const {tests, harness} = ended === 'late' ? await page.evaluate(() => globalThis.outcome) : ended;
    const timeout = {status: 'TIMEOUT', message: `nothing more after "${tests.at(-1)?.name}"`};
    return {run, harness: harness ?? timeout, tests, milliseconds: Math.round(performance.now() - start)};
  } catch (error) {
    return {run, harness: {status: 'CRASH', message: error.message}, tests: [], milliseconds: Math.round(performance.now() - start)};
  }
}

async function runAll(browser, origin, runs, options) {
  const results = Array(runs.length);
  let next = 0, finished = 0;
  const work = async (page) => {
    while (next < runs.length) {
      const index = next++;
      results[index] = await runPage(page, origin, runs[index], Number(options.timeout));
      finished += 1;
      if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${finished}/${runs.length} ${runs[index].url}`);
    }
  };
  const pages = [];
  while (pages.length < Number(options.jobs)) pages.push(await browser.newPage());  // sequential, as Firefox requires
  await Promise.all(pages.map(work));
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  return results;
}

async function main(args) {
  const options = readOptions(args);
  if (options.help) return console.log(HELP) ?? 0;
  const root = path.resolve(options.wpt);
  const hasShared = options.browser !== 'webkit';  // WebKitGTK has no SharedArrayBuffer
  const runs = listRuns(root, {filter: options.filter, scopes: options.scope.split(',')}).filter(({url}) => hasShared || !url.includes('shared_arraybuffer'));
  if (runs.length === 0) throw new Error(`No test of ${root}/webnn matches "${options.filter}".`);
  const generated = suitePages(root, runs, {worker: !options['no-worker']});
  const pages = (url) => generated(url) ?? (/^\/(webnn|resources|interfaces)\//.test(url.pathname) ? suiteFile(root, url) : undefined);
  const [browser, server] = await Promise.all([launch(options.browser), serve({pages, isolated: true})]);
  try {
    const results = await runAll(browser, server.origin, runs, options);
    const comparison = compare(results, expectations());
    const surprises = formatSurprises(comparison);
    if (surprises.length) console.log(`Not as expectations.tsv says:\n\n${surprises.join('\n')}\n`);
    console.log(formatTable(count(results, comparison)));
    if (options.json) {
      const runInfo = {product: 'libwebnn', browser_version: await browser.version(), os: process.platform, processor: process.arch};
      fs.writeFileSync(options.json, `${JSON.stringify(toJson(results, comparison, runInfo), null, 1)}\n`);
    }
    return surprises.length ? 1 : 0;
  } finally {
    await browser.close();
    server.close();
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`wpt: ${error.message}`);
  process.exitCode = 2;
}
