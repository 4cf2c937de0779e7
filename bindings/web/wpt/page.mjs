// Generates pages as the server of web-platform-tests does, but with this package in place of the browser's WebNN.
import fs from 'node:fs';
import path from 'node:path';

import {resolveScript} from '../../node/wpt/suite.mjs';

const globalOf = (scope) =>
  `{isWindow: () => ${scope === 'window'}, isWorker: () => ${scope === 'worker'}, isShadowRealm: () => false}`;

// Returns scripts to run before and after the package is loaded; see replaceFloat16Array() in ../../node/wpt/realm.mjs.
function float16(root) {
  const utils = path.join(root, 'webnn/resources/utils.js');
  const isBits = fs.existsSync(utils) && /\bfloat16: Uint16Array\b/.test(fs.readFileSync(utils, 'utf8'));
  if (!isBits) return ['', ''];
  return ['self.Float16Array = undefined;', 'self.Float16Array = class Float16Array extends Uint16Array {};'];
}

// Returns a script that loads the package and then runs the script `load`.
function script(root, mode, load) {
  const [before, after] = float16(root);
  return `
setup({explicit_done: true, explicit_timeout: true});
(async () => {
  ${before}
  const {configure, install} = await import('/dist/webnn.js');
  configure({worker: ${mode.worker}});
  install();
  ${after}
  ${load}
  done();
})();`;
}

const scriptsOf = (run) => [...run.scripts, `/${run.file}`].map((name) => (name.startsWith('/') ? name : path.posix.join('/', path.posix.dirname(run.file), name)));

const windowLoad = (run) => `
  for (const source of ${JSON.stringify(scriptsOf(run))}) {
    await new Promise((resolve) => {
      const element = Object.assign(document.createElement('script'), {src: source, onload: resolve, onerror: resolve});
      document.head.append(element);
    });
  }`;
// In a browser, earlier tests of a worker's page still run after a script has thrown. This script imitates that.
const workerLoad = (run) => `
  try {
    importScripts(...${JSON.stringify(scriptsOf(run))});
  } catch (error) {
    queueMicrotask(() => { throw error; });
  }`;

// Stores the harness's results where the runner reads them.
const keep = `
globalThis.outcome = {tests: []};
globalThis.finished = new Promise((resolve) => {
  const tests = ['PASS', 'FAIL', 'TIMEOUT', 'NOTRUN', 'PRECONDITION_FAILED'], pages = ['OK', 'ERROR', 'TIMEOUT', 'PRECONDITION_FAILED'];
  add_result_callback(({name, status, message}) => outcome.tests.push({name, status: tests[status], message}));
  add_completion_callback((_, {status, message}) => resolve(outcome.harness = {status: pages[status], message}));
});`;

const type = 'text/javascript';
const html = (body) => ({
  type: 'text/html; charset=utf-8',
  body: `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script src="/resources/testharness.js"></script>${body}`,
});
const element = (text) => `<script>${text.replaceAll('</', '<\\/')}</script>`;

/** Makes a handler for serve(), which returns the test pages. `runs` come from listRuns(); `mode` is {worker}. */
export function suitePages(root, runs, mode) {
  const byUrl = new Map(runs.map((run) => [run.url, run]));
  return (url) => {
    const isScript = url.pathname.endsWith('.worker.js') && url.searchParams.has('of');
    const run = byUrl.get(isScript ? url.searchParams.get('of') : `${url.pathname}${url.search}`);
    if (!run) return undefined;
    const global = `self.GLOBAL = ${globalOf(run.scope)};`;
    if (isScript) return {type, body: `${global}\nimportScripts('/resources/testharness.js');${script(root, mode, workerLoad(run))}`};
    if (run.scope === 'window') return html(element(`${global}${keep}`) + element(script(root, mode, windowLoad(run))));
    return html(element(`${keep}
setup({explicit_timeout: true});  // run.mjs has its own timeout, which can be set for busy machines
fetch_tests_from_worker(new Worker(${JSON.stringify(workerUrl(run))}));`));
  };
}

// Returns the worker's URL with the variant in its query, where tests read it.
function workerUrl(run) {
  const [file] = run.url.replace(/\.html/, '.js').split('?');
  return `${file}${run.variant || '?'}${run.variant ? '&' : ''}of=${encodeURIComponent(run.url)}`;
}

/** Handler for serve(): returns a file of the checkout by its path on the server of web-platform-tests. */
export function suiteFile(root, {pathname}) {
  const file = resolveScript(root, 'webnn/x', pathname);
  if (!fs.statSync(file, {throwIfNoEntry: false})?.isFile()) return undefined;
  return {type: file.endsWith('.js') ? type : 'text/plain; charset=utf-8', body: fs.readFileSync(file)};
}
