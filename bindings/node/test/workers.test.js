'use strict';
// Tests worker threads and the exit of the process.
const assert = require('node:assert/strict');
const {spawnSync} = require('node:child_process');
const {once} = require('node:events');
const {mkdtempSync, rmSync} = require('node:fs');
const {tmpdir} = require('node:os');
const path = require('node:path');
const {after, test} = require('node:test');
const {Worker} = require('node:worker_threads');
const {fixture} = require('./support.js');

const folder = mkdtempSync(path.join(tmpdir(), 'webnn-')), env = {...process.env, WEBNN_TEST_FOLDER: folder};
after(() => rmSync(folder, {recursive: true}));

async function runWorker(how) {
  const worker = new Worker(fixture('worker.js'), {workerData: how});
  const exit = once(worker, 'exit');
  const [value] = await once(worker, 'message');
  if (how === 'terminate') await worker.terminate();
  await exit;
  return value;
}

test('100 workers start, compute and end, whatever is left to do', async () => {
  const values = new Set();
  for (let i = 0; i < 100; ++i) values.add(await runWorker(['wait', 'exit', 'terminate'][i % 3]));
  assert.equal(values.size, 1);
  assert.ok(Number.isFinite([...values][0]));
});

test('several workers compute at the same time', async () => {
  const values = await Promise.all(Array.from({length: 6}, () => runWorker('wait')));
  assert.equal(new Set(values).size, 1);
});

for (const [how, status] of [['exit', 7], ['throw', 1], ['read', 0]]) {
  test(`a process ends cleanly with work left: ${how}`, () => {
    const {status: actual, signal, stderr} = spawnSync(process.execPath, [fixture('exit.js'), how], {encoding: 'utf8'});
    assert.equal(signal, null, stderr);
    assert.equal(actual, status, stderr);
  });
}

for (const [how, status] of [['exit', 7], ['throw', 1], ['wait', 3]]) {
  test(`a process ends cleanly with files and sessions in work: ${how}`, () => {
    const {status: actual, signal, stderr} = spawnSync(process.execPath, [fixture('files.js'), how], {encoding: 'utf8', env});
    assert.equal(signal, null, stderr);
    assert.equal(actual, status, stderr);
  });
}

test('so do workers, whatever is left to do', async () => {
  for (let i = 0; i < 15; ++i) {
    const worker = new Worker(fixture('files.js'), {env, workerData: ['wait', 'exit', 'terminate'][i % 3]}), exit = once(worker, 'exit');
    assert.deepEqual(await once(worker, 'message'), ['begun']);
    if (i % 3 === 2) await worker.terminate();
    await exit;
  }
});

test('a context that nobody uses keeps no process alive', () => {
  const script = `const {ml} = require(${JSON.stringify(require.resolve('..'))}); ml.createContext().then(() => {});`;
  const {status, signal} = spawnSync(process.execPath, ['-e', script], {timeout: 60000});
  assert.equal(signal, null);
  assert.equal(status, 0);
});
