// Tests that dropped objects are released, lost contexts are reported, and every promise is settled.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {test} from 'node:test';

import {inBrowsers} from './support/in_browsers.mjs';
import {listen, outcomeOf, runScript, runnerPage} from './support/run.mjs';
import {serve} from './support/server.mjs';

const script = '/test/pages/lifetime.js';
const count = process.env.WEBNN_RANDOM_GRAPHS ?? 40, seed = process.env.WEBNN_RANDOM_SEED ?? 1;
const startsThreads = (name) => name === 'chromium';  // in Firefox, a worker may not start inside a worker (lib/configure.js); WebKitGTK has no SharedArrayBuffer
const modes = [true, false].map((worker) => ({worker, title: worker ? 'with the worker' : 'without the worker'}));

inBrowsers(script, (its) => {
  const {name, run} = its;

  for (const {worker, title} of modes) {
    for (const destroys of [true, false]) {
      test(`1,000 contexts, graphs and tensors that are ${destroys ? 'destroyed' : 'dropped'} leave nothing, ${title}`, async () => {
        const {value: [first, second], console} = await run({part: 'cycles', worker, destroys, count: 500});
        for (const of of ['page', 'host']) {
          for (const what of ['contexts', 'builders', 'tensors', 'graphs', 'operands']) {
            // Only garbage of the last cycle may remain.
            assert.ok(second[of][what] <= 6, `${of}: ${second[of][what]} ${what}`);
          }
          assert.ok(second[of].bytes - first[of].bytes < 20_000, `${of}: ${first[of].bytes} and then ${second[of].bytes} bytes`);
          assert.equal(second[of].memory, first[of].memory);
        }
        assert.deepEqual(console, []);
      });
    }

    test(`promises of a context that is destroyed settle, and its work ends early, ${title}`, async () => {
      const {value, console} = await run({part: 'destroyed', worker});
      for (const each of value.settled) assert.match(each, /^InvalidStateError/);
      assert.equal(value.lost, 'resolved');
      assert.deepEqual(console, []);
    });

    test(`a signal takes a run from those that wait, ${title}`, async () => {
      const {value, console} = await run({part: 'stopped', worker});
      assert.deepEqual(value, ['resolved', 'AbortError: dispatch: a stop was requested.', 'resolved']);
      assert.deepEqual(console, []);
    });
  }

  for (const {worker, title} of modes) {
    test(`contexts, builds, runs, signals and failures in any order settle, with the right values, ${title}`, async () => {
      const {value: {wrong, computed}, console} = await runScript(its.browser, its.server.origin, '/test/pages/orders.js', {worker, count, seed, fails: true});
      assert.deepEqual(wrong, []);
      assert.ok(computed >= count, 'too little was computed');
      assert.deepEqual(console, []);
    });
  }

  test('a worker that traps loses its contexts with the reason, and the next one starts another', async () => {
    const {value, console} = await run({part: 'workerFails', how: 'trap'});
    for (const each of value.settled) assert.match(each, /^InvalidStateError: .*the worker ended: |^resolved/);
    assert.match(value.lost, /^the worker ended: ./);
    assert.deepEqual(value.errors, Array(4).fill('InvalidStateError'));
    assert.equal(value.workers, 1);
    assert.deepEqual(console, []);
  });

  test('a worker that cannot be loaded is an error that says so, and the next context tries again', async () => {
    const {value, console} = await run({part: 'workerIsMissing'});
    assert.match(value, /^InvalidStateError: .*the worker ended: its script could not be loaded\./);
    assert.deepEqual(console.filter((line) => !/404|Loading Worker/.test(line)), []);
  });

  test('a read that there is no memory for fails, and nothing else does', async () => {
    const scarce = 'const {slice} = Uint8Array.prototype;' +
      'Uint8Array.prototype.slice = function (...part) { if (part.length === 0 && this.length > 1e6) throw new RangeError("none"); return slice.apply(this, part); };';
    const pages = (url) => (url.pathname === '/dist/worker.js'
      ? {type: 'text/javascript', body: scarce + fs.readFileSync(new URL('../dist/worker.js', import.meta.url))} : runnerPage(url));
    const short = await serve({pages, isolated: true});
    const {value, console} = await runScript(its.browser, short.origin, script, {part: 'readsTooMuch'}).finally(() => short.close());
    assert.deepEqual(value, ['UnknownError: readTensor: there is not enough memory for 1048576 bytes.', 'resolved', 'resolved']);
    assert.deepEqual(console, []);
  });

  test('more threads than a page has room for are fewer', async () => {
    const {value, console} = await run({part: 'manyThreads'});
    assert.equal(value, 1);
    assert.deepEqual(console, []);
  });

  test('a context does without threads that cannot be started', async () => {
    const refused = [];
    const isMissing = (file, {'sec-fetch-dest': destination}) => file === '/dist/webnn-threads.js' && destination === 'worker' && refused.push(file) > 0;
    const lacking = await serve({pages: runnerPage, isolated: true, isMissing});
    const {value, console} = await runScript(its.browser, lacking.origin, script, {part: 'threads'}).finally(() => lacking.close());
    assert.equal(value, 'computed');
    assert.equal(refused.length, startsThreads(name) ? 2 : 0);
    assert.deepEqual(console.filter((line) => !/404/.test(line)), []);
  });

  test('threads are told from other workers of any name', async () => {
    const inNamed = (workerName) => run({part: 'threads', scope: 'worker', workerName});
    for (const workerName of ['em-pthread', 'webnn-threads']) assert.deepEqual(await inNamed(workerName), {value: 'computed', console: []});
  });

  test('contexts of as many threads have the same ones', {skip: !startsThreads(name) && 'it starts no threads'}, async () => {
    assert.deepEqual(await run({part: 'teams'}), {value: 'shared', console: []});
  });

  test('threads that cannot be started take none from other contexts', {skip: !startsThreads(name) && 'it starts no threads'}, async () => {
    let started = 0;  // the first worker belongs to the context that computes
    const isMissing = (file, {'sec-fetch-dest': destination}) => file === '/dist/webnn-threads.js' && destination === 'worker' && ++started > 1;
    const lacking = await serve({pages: runnerPage, isolated: true, isMissing});
    const {value} = await runScript(its.browser, lacking.origin, script, {part: 'computesWhileLoading'}).finally(() => lacking.close());
    assert.equal(started, 3);
    assert.equal(value, 1);
  });

  for (const scope of ['window', 'worker']) {
    test(`a ${scope} that goes away with work queued leaves nothing in the console`, async () => {
      const page = await its.browser.newPage(), lines = listen(page);
      await page.goto(`${its.server.origin}/page?${new URLSearchParams({script, part: 'leaves', scope})}`);
      assert.deepEqual(await outcomeOf(page), {value: 'leaves'});
      if (scope === 'worker') await page.evaluate(() => globalThis.pageWorker.terminate());
      await page.goto('about:blank');
      await page.close();
      assert.deepEqual(lines, []);
    });
  }
});
