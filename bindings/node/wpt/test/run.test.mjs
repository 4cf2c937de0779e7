import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {makeCheckout} from './checkout.mjs';

const RUN = fileURLToPath(new URL('../run.mjs', import.meta.url));
const HEAD = 'file\tsubtest\treason\tspecification\n';
const FILE = 'webnn/validation_tests/a.any.js';
const WINDOW = '// META: global=window\n';

/** Runs the runner on a checkout with one test. `rows` are rows of the table, without the header. */
function run(t, source, {rows = '', args = [], files = {}} = {}) {
  const checkout = makeCheckout(t, {[FILE]: source, 'table.tsv': HEAD + rows, ...files});
  const result = spawnSync(process.execPath, [
    RUN, '--wpt', checkout.root, '--package', checkout.packageFile, '--expectations', checkout.path('table.tsv'), '--json',
    checkout.path('out.json'), ...args,
  ], {encoding: 'utf8'});
  const out = checkout.path('out.json');
  const json = fs.existsSync(out) ? JSON.parse(fs.readFileSync(out, 'utf8')) : undefined;
  return {...result, json};
}

test('passing pages: exit status 0, counts, JSON', (t) => {
  const {status, stdout, json} = run(t, `${WINDOW}check('one', () => {});\ncheck('two', () => {});`);
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^webnn\/validation_tests +1 +2 +2 +0 +0 +0 +0\.00$/m);
  assert.match(stdout, /^all +1 +2 +2 +0 /m);
  const [page] = json.results;
  assert.equal(page.test, '/webnn/validation_tests/a.any.html');
  assert.equal(page.status, 'OK');
  assert.deepEqual(page.subtests.map((subtest) => [subtest.name, subtest.status]), [['one', 'PASS'], ['two', 'PASS']]);
});

test('a failure that is not listed is told, and the exit status is 1', (t) => {
  const {status, stdout, json} = run(t, `${WINDOW}check('bad', () => { throw new Error('because'); });`);
  assert.equal(status, 1);
  assert.match(stdout, /FAIL \/webnn\/validation_tests\/a\.any\.html\n {2}bad\n {2}because/);
  assert.equal(json.results[0].subtests[0].expected, 'PASS');
});

test('a failure that is listed is counted, and the exit status is 0', (t) => {
  const source = `${WINDOW}check('bad', () => { throw new Error('because'); });`;
  const {status, stdout, json} = run(t, source, {rows: `${FILE}\tbad\twhy\t#x\n`});
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^all +1 +1 +0 +1 +1 +0 +100\.00$/m);
  assert.ok(!('expected' in json.results[0].subtests[0]));
});

test('a listed subtest that passes makes the exit status 1', (t) => {
  const {status, stdout} = run(t, `${WINDOW}check('good', () => {});`, {rows: `${FILE}\tgood\twhy\t#x\n`});
  assert.equal(status, 1);
  assert.match(stdout, /PASS, but listed in line 2: .*\n {2}good/);
});

test('errors of a whole page are reported', async (t) => {
  const never = 'new Promise(() => {})';
  const cases = {
    'an exception while it loads': [`check('one', () => {});\nthrow new Error('broken');`,
      /ERROR .*\n {2}\(page\)\n {2}Error: broken/],
    'a rejection that nobody handles': [`Promise.reject(new Error('lost'));\ncheck('one', () => ${never});`,
      /ERROR .*\n {2}\(page\)\n {2}Error: lost/],
    'a crash': [`check('one', () => {});\ncheck('two', () => process.kill(process.pid, 'SIGSEGV'));
check('three', () => ${never});`,
      /CRASH .*\n {2}\(page\)\n {2}SIGSEGV after "one"/],
    'a process that ends before its tests': [
      `check('one', () => new Promise(() => process.disconnect()));`, /the process ended before its tests/],
    'a test that does not end': [
      `setInterval(() => {}, 1000);\ncheck('one', () => ${never});`, /TIMEOUT .*\n {2}\(page\)/],
    'a process that does not end': [
      `setInterval(() => {}, 1000);\ncheck('one', () => {});`, /the tests ended, the process did not/],
  };
  for (const [name, [source, expected]] of Object.entries(cases)) {
    await t.test(name, (part) => {
      const {status, stdout} = run(part, WINDOW + source, {args: ['--timeout', '2']});
      assert.equal(status, 1);
      assert.match(stdout, expected);
    });
  }
});

test('scripts, globals and files are there, in a window and in a worker', (t) => {
  const {status, stdout} = run(t, `// META: global=window,worker
// META: script=../resources/helper.js
// META: variant=?cpu
const {isMainThread} = process.getBuiltinModule?.('node:worker_threads') ?? {isMainThread: self.GLOBAL.isWindow()};
const equal = (a, b) => { if (a !== b) throw new Error(a + ' is not ' + b); };
check('helper', () => equal(helper, 7));
check('package', () => equal(typeof navigator.ml, 'object'));
check('variant', () => equal(location.search, '?cpu'));
check('fetch', async () => equal(await (await fetch('/interfaces/x.idl')).text(), 'interface X {};'));
check('a file that is not there', async () => equal((await fetch('/interfaces/y.idl')).ok, false));
check('imported', () => { importScripts('/common/more.js'); equal(more, 8); });
check('scope', () => {
  equal(self.GLOBAL.isWindow(), isMainThread);
  equal('Window' in self, isMainThread);
  equal(self.GLOBAL.isWorker(), !isMainThread);
  equal('DedicatedWorkerGlobalScope' in self && self instanceof DedicatedWorkerGlobalScope, !isMainThread);
});
`, {files: {
    'webnn/resources/helper.js': 'const helper = 7;', 'interfaces/x.idl': 'interface X {};', 'common/more.js': 'var more = 8;',
  }});
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^all +2 +14 +14 /m);
});

test('bad arguments are named, with exit status 2', (t) => {
  const cases = [
    [['--wpt', '/nowhere'], /--wpt \/nowhere is no checkout/],
    [['--device', 'tpu'], /--device tpu is none of cpu, gpu, npu/],
    [['--scope', 'iframe'], /--scope iframe is none of window, worker/],
    [['--jobs', '0'], /--jobs 0 is not a number above 0/],
    [['--timeout', 'soon'], /--timeout soon is not a number above 0/],
    [['--filter', 'nothing'], /No test of .* matches "nothing"/],
    [['--bogus'], /--bogus/],
  ];
  for (const [args, expected] of cases) {
    const {status, stderr} = run(t, WINDOW, {args});
    assert.equal(status, 2, args.join(' '));
    assert.match(stderr, expected);
  }
  const {status, stderr} = spawnSync(process.execPath, [RUN], {encoding: 'utf8'});
  assert.equal(status, 2);
  assert.match(stderr, /--wpt DIR is missing/);
});

test('--list names the pages and runs nothing', (t) => {
  const {status, stdout, json} = run(t, 'throw new Error();', {args: ['--list']});
  assert.equal(status, 0);
  assert.equal(stdout, '/webnn/validation_tests/a.any.html\n/webnn/validation_tests/a.any.worker.html\n');
  assert.equal(json, undefined);
});
