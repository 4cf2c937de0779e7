import assert from 'node:assert/strict';
import {test} from 'node:test';

import {escapeName, readExpectations, speaksOf} from '../expectations.mjs';
import {findTests, listRuns, readMeta, resolveScript} from '../suite.mjs';
import {makeCheckout} from './checkout.mjs';

test('META lines are read up to the first statement', () => {
  const meta = readMeta(`// META: title=a title = with signs
// META: global=window, worker
// another comment
// META: script=../a.js
// META:script=/b.js
// META: variant=?cpu
// META: timeout=long

'use strict';
// META: script=too-late.js
`);
  assert.deepEqual(meta, {
    title: 'a title = with signs', global: ['window', 'worker'], script: ['../a.js', '/b.js'], variant: ['?cpu'], timeout: 'long',
  });
  assert.deepEqual(readMeta('let a;').global, ['window', 'dedicatedworker']);
});

test('tests are found in folders and by prefix, and nothing else is', (t) => {
  const {root} = makeCheckout(t, {
    'webnn/conformance_tests/b.https.any.js': '', 'webnn/conformance_tests/deep/a.window.js': '',
    'webnn/conformance_tests/b.https.any.js.headers': '', 'webnn/validation_tests/c.worker.js': '',
    'webnn/resources/utils.js': '', 'webnn/idlharness.https.any.js': '', 'webnn/other.any.js': '', 'dom/d.any.js': '',
  });
  assert.deepEqual(findTests(root), [
    'webnn/conformance_tests/b.https.any.js', 'webnn/conformance_tests/deep/a.window.js', 'webnn/idlharness.https.any.js',
    'webnn/validation_tests/c.worker.js',
  ]);
});

test('a page for each scope and each variant of a wanted device', (t) => {
  const {root} = makeCheckout(t, {
    'webnn/conformance_tests/a.any.js': '// META: global=window\n// META: variant=?cpu\n// META: variant=?gpu\n',
    'webnn/conformance_tests/b.any.js': '// META: global=window,worker\n' +
      '// META: variant=?op=x&device=npu\n// META: variant=?fast\n',
    'webnn/validation_tests/c.worker.js': '// META: timeout=long\n',
  });
  const urls = (options) => listRuns(root, options).map((run) => run.url);
  assert.deepEqual(urls(), [
    '/webnn/conformance_tests/a.any.html?cpu', '/webnn/conformance_tests/b.any.html?fast',
    '/webnn/conformance_tests/b.any.worker.html?fast', '/webnn/validation_tests/c.worker.html',
  ]);
  assert.deepEqual(urls({devices: ['gpu', 'npu'], scopes: ['window']}), [
    '/webnn/conformance_tests/a.any.html?gpu', '/webnn/conformance_tests/b.any.html?op=x&device=npu',
    '/webnn/conformance_tests/b.any.html?fast',
  ]);
  assert.deepEqual(urls({filter: 'worker.html?fast'}), ['/webnn/conformance_tests/b.any.worker.html?fast']);
  assert.deepEqual(listRuns(root).map((run) => run.isLong), [false, false, false, true]);
});

test('scripts are found from the root or beside the test, and never outside the checkout', () => {
  const resolve = (name) => resolveScript('/wpt', 'webnn/conformance_tests/a.any.js', name);
  assert.equal(resolve('/common/x.js?pipe=sub'), '/wpt/common/x.js');
  assert.equal(resolve('../resources/utils.js'), '/wpt/webnn/resources/utils.js');
  assert.equal(resolve('/resources/WebIDLParser.js'), '/wpt/resources/webidl2/lib/webidl2.js');
  assert.throws(() => resolve('../../../etc/passwd'), /"..\/..\/..\/etc\/passwd" is outside the checkout/);
});

test('the table names subtests, escaped, or all that begin alike', (t) => {
  const name = 'a\tb\\c\nd\u{10ffff}';
  const escaped = 'a\\u0009b\\\\c\\u000ad\\udbff\\udfff';
  assert.equal(escapeName(name), escaped);
  const head = 'file\tsubtest\treason\tspecification\n';
  const {path} = makeCheckout(t, {
    'good.tsv': `${head}# a comment\nx.js\t${escaped}\twhy\t#anchor\nx.js\tall of*\twhy\t#anchor\n`,
    'short.tsv': `${head}x.js\ta\twhy\n`,
    'empty.tsv': `${head}x.js\ta\t\t#anchor\n`, 'head.tsv': 'file\tsubtest\n',
  });
  const rows = readExpectations(path('good.tsv'));
  assert.deepEqual(rows.map((row) => row.line), [3, 4]);
  assert.ok(speaksOf(rows[0], 'x.js', name));
  assert.ok(!speaksOf(rows[0], 'y.js', name));
  assert.ok(speaksOf(rows[1], 'x.js', 'all of them'));
  assert.ok(!speaksOf(rows[1], 'x.js', 'some of them'));
  for (const bad of ['short', 'empty']) assert.throws(() => readExpectations(path(`${bad}.tsv`)), /:2: there must be 4 cells/);
  assert.throws(() => readExpectations(path('head.tsv')), /:1: the columns are not file, subtest, reason, specification/);
});

test('the table of the repository can be read', () => {
  const rows = readExpectations(new URL('../expectations.tsv', import.meta.url));
  for (const row of rows) assert.match(row.file, /^webnn\/.*\.js$/);
});
