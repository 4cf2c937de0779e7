// Runs the WebNN tests of a web-platform-tests checkout against this package; see docs/guides/node_wpt.md.
import {fork} from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';

import {readExpectations} from './expectations.mjs';
import {compare, count, formatSurprises, formatTable, toJson} from './report.mjs';
import {listRuns} from './suite.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const REALM = path.join(HERE, 'realm.mjs');
const LONG = 6;  // factor of the timeout for pages with timeout=long, as in wpt
const HELP = `usage: npm run wpt -- --wpt DIR [options]
  --wpt DIR              a checkout of web-platform-tests; of it, webnn/, resources/ and interfaces/ are read
  --filter TEXT          only pages whose URL or file contains TEXT
  --device LIST          the variants to run, of cpu,gpu,npu; default cpu
  --scope LIST           the globals to run in, of window,worker; default both
  --jobs N               processes at a time; default: the number of processors
  --timeout SECONDS      for a page; ${LONG} times that for those with timeout=long; default 60
  --json FILE            writes the results in the form of wptreport
  --expectations FILE    the table of known failures; default wpt/expectations.tsv
  --package FILE         the module whose install() is called; default this package
  --list                 lists the pages and runs nothing
Exit status: 0 if exactly the listed tests fail, 1 if not, 2 for bad arguments.`;

function readOptions(args) {
  const {values} = parseArgs({args, options: {
    wpt: {type: 'string'}, filter: {type: 'string', default: ''}, device: {type: 'string', default: 'cpu'},
    scope: {type: 'string', default: 'window,worker'}, jobs: {type: 'string', default: String(os.availableParallelism())},
    timeout: {type: 'string', default: '60'}, json: {type: 'string'}, list: {type: 'boolean'}, help: {type: 'boolean'},
    expectations: {type: 'string', default: path.join(HERE, 'expectations.tsv')},
    package: {type: 'string', default: path.join(HERE, '../lib/index.mjs')},
  }});
  if (values.help) return values;
  if (!values.wpt) throw new Error('--wpt DIR is missing.');
  const harness = path.join(values.wpt, 'resources/testharness.js');
  if (!fs.existsSync(harness)) throw new Error(`--wpt ${values.wpt} is no checkout of the suite: ${harness} does not exist.`);
  for (const name of ['jobs', 'timeout']) {
    if (!(Number(values[name]) > 0)) throw new Error(`--${name} ${values[name]} is not a number above 0.`);
  }
  for (const [name, known] of [['device', ['cpu', 'gpu', 'npu']], ['scope', ['window', 'worker']]]) {
    values[name] = values[name].split(',');
    for (const value of values[name]) {
      if (!known.includes(value)) throw new Error(`--${name} ${value} is none of ${known.join(', ')}.`);
    }
  }
  return values;
}

/** Runs one page in its own process. Resolves with the results, even if the process crashes. */
function runPage(run, {root, packageFile, seconds}) {
  return new Promise((resolve) => {
    const tests = [];
    let harness, problem, isLate = false, stderr = '';
    const start = performance.now();
    const description = JSON.stringify({...run, root, packageFile});
    const child = fork(REALM, [description], {stdio: ['ignore', 'ignore', 'pipe', 'ipc'], serialization: 'advanced'});
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, 1000 * seconds * (run.isLong ? LONG : 1));
    child.stderr.on('data', (text) => stderr = (stderr + text).slice(-2000));
    child.on('message', (message) => {
      if (message.test) tests.push(message.test);
      problem ??= message.problem;
      harness ??= message.harness;
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (isLate) {
        const cause = harness ? 'the tests ended, the process did not' : `nothing more after "${tests.at(-1)?.name}"`;
        harness = {status: 'TIMEOUT', message: cause};
      } else if (signal || code || !(harness || problem)) {
        const cause = signal ?? (code ? `exit status ${code}` : 'the process ended before its tests');
        harness = {status: 'CRASH', message: `${cause} after "${tests.at(-1)?.name}" ${problem ?? ''} ${stderr}`.trim()};
      } else if (problem && (harness?.status ?? 'OK') === 'OK') {
        harness = {status: 'ERROR', message: problem};
      }
      resolve({run, harness, tests, milliseconds: Math.round(performance.now() - start)});
    });
  });
}

/** Runs all pages, `jobs` at a time. Calls `onResult` for each. */
async function runAll(runs, jobs, options, onResult) {
  const results = Array(runs.length);
  let next = 0;
  const work = async () => {
    while (next < runs.length) {
      const index = next++;
      results[index] = await runPage(runs[index], options);
      onResult(results[index]);
    }
  };
  await Promise.all(Array.from({length: Math.min(jobs, runs.length)}, work));
  return results;
}

async function main(args) {
  const options = readOptions(args);
  if (options.help) return console.log(HELP) ?? 0;
  const rows = readExpectations(options.expectations);
  const root = path.resolve(options.wpt);
  const runs = listRuns(root, {filter: options.filter, devices: options.device, scopes: options.scope});
  if (runs.length === 0) throw new Error(`No test of ${root}/webnn matches "${options.filter}".`);
  if (options.list) return runs.forEach((run) => console.log(run.url)) ?? 0;

  let finished = 0;
  const packageFile = pathToFileURL(path.resolve(options.package)).href;
  const results = await runAll(runs, Number(options.jobs), {root, packageFile, seconds: Number(options.timeout)}, ({run}) => {
    finished += 1;
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${finished}/${runs.length} ${run.url}`);
  });
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');

  const comparison = compare(results, rows);
  const surprises = formatSurprises(comparison);
  if (surprises.length) console.log(`Not as expectations.tsv says:\n\n${surprises.join('\n')}\n`);
  console.log(formatTable(count(results, comparison)));
  if (options.json) {
    const runInfo = {product: 'libwebnn', browser_version: process.version, os: process.platform, processor: process.arch};
    fs.writeFileSync(options.json, `${JSON.stringify(toJson(results, comparison, runInfo), null, 1)}\n`);
  }
  return surprises.length ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`wpt: ${error.message}`);
  process.exitCode = 2;
}
