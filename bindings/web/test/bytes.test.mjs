// 8- and 4-bit numbers at the edges of their ranges, in every variant of the module.
import assert from 'node:assert/strict';
import {after, before, describe, test} from 'node:test';

import {browsers, launch} from './support/browsers.mjs';
import {runnerPage, runScript} from './support/run.mjs';
import {serve} from './support/server.mjs';

const count = process.env.WEBNN_RANDOM_GRAPHS ?? 60, seed = process.env.WEBNN_RANDOM_SEED ?? 1;

for (const {name, skip} of browsers) {
  describe(name, {skip}, () => {
    let browser, server;
    before(async () => [browser, server] = await Promise.all([launch(name), serve({pages: runnerPage, isolated: true})]));
    after(async () => {
      await browser?.close();
      server?.close();
    });
    for (const threads of [false, true]) {
      for (const relaxedSimd of [false, true]) {
        const hangs = name === 'firefox' && threads && 'threads sometimes hang there: see docs/web_tests.md';
        test(`products of bytes are exact, ${threads ? 'with' : 'without'} threads, ${relaxedSimd ? 'with' : 'without'} relaxed SIMD`, {skip: hangs}, async () => {
          const {value, console} = await runScript(browser, server.origin, '/test/pages/bytes.js', {threads, relaxedSimd, count, seed});
          assert.deepEqual(value, []);
          assert.deepEqual(console, []);
        });
      }
    }
  });
}
