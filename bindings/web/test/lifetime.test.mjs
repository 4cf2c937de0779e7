// What is made and dropped is given back; what is lost says so, and no promise waits for ever.
import assert from 'node:assert/strict';
import {after, before, describe, test} from 'node:test';

import {browsers, launch} from './support/browsers.mjs';
import {listen, runnerPage, runScript} from './support/run.mjs';
import {serve} from './support/server.mjs';

const script = '/test/pages/lifetime.js';
const startsThreads = (name) => name === 'chromium';  // see lib/configure.js; WebKitGTK has no SharedArrayBuffer
const modes = [true, false].map((worker) => ({worker, title: worker ? 'with the worker' : 'without the worker'}));

for (const {name, skip} of browsers) {
  describe(name, {skip}, () => {
    let browser, server;
    before(async () => [browser, server] = await Promise.all([launch(name), serve({pages: runnerPage, isolated: true})]));
    after(async () => {
      await browser?.close();
      server?.close();
    });
    const run = (parameters) => runScript(browser, server.origin, script, parameters);

    for (const {worker, title} of modes) {
      for (const destroys of [true, false]) {
        test(`1,000 contexts, graphs and tensors that are ${destroys ? 'destroyed' : 'dropped'} leave nothing, ${title}`, async () => {
          const {value: [first, second], console} = await run({part: 'cycles', worker, destroys, count: 500});
          for (const of of ['page', 'host']) {
            for (const what of ['contexts', 'builders', 'tensors', 'graphs', 'operands']) {
              // What the collector has not seen yet is a part of the last cycle.
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

    test('more threads than a page has room for are fewer', async () => {
      const {value, console} = await run({part: 'manyThreads'});
      assert.equal(value, 1);
      assert.deepEqual(console, []);
    });

    test('a context does without threads that cannot be started', async () => {
      const refused = [];
      const isMissing = (file, {'sec-fetch-dest': destination}) => file === '/dist/webnn-threads.js' && destination === 'worker' && refused.push(file) > 0;
      const lacking = await serve({pages: runnerPage, isolated: true, isMissing});
      const {value, console} = await runScript(browser, lacking.origin, script, {part: 'threads'}).finally(() => lacking.close());
      assert.equal(value, 'computed');
      assert.equal(refused.length, startsThreads(name) ? 2 : 0);
      assert.deepEqual(console.filter((line) => !/404/.test(line)), []);
    });

    for (const scope of ['window', 'worker']) {
      test(`a ${scope} that goes away with work queued leaves nothing in the console`, async () => {
        const page = await browser.newPage(), lines = listen(page);
        await page.goto(`${server.origin}/page?${new URLSearchParams({script, part: 'leaves', scope})}`);
        assert.deepEqual(await page.evaluate(() => globalThis.finished), {value: 'leaves'});
        if (scope === 'worker') await page.evaluate(() => globalThis.pageWorker.terminate());
        await page.goto('about:blank');
        await page.close();
        assert.deepEqual(lines, []);
      });
    }
  });
}
