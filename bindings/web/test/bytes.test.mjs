// Tests products of 8-bit and 4-bit numbers at the limits of their ranges, in each variant of the module.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {inBrowsers} from './support/in_browsers.mjs';

const count = process.env.WEBNN_RANDOM_GRAPHS ?? 60, seed = process.env.WEBNN_RANDOM_SEED ?? 1;

inBrowsers('/test/pages/bytes.js', ({name, run}) => {
  for (const threads of [false, true]) {
    for (const relaxedSimd of [false, true]) {
      const hangs = name === 'firefox' && threads && 'threads sometimes hang there: see docs/guides/web_tests.md';
      test(`products of bytes are exact, ${threads ? 'with' : 'without'} threads, ${relaxedSimd ? 'with' : 'without'} relaxed SIMD`, {skip: hangs}, async () => {
        const {value, console} = await run({threads, relaxedSimd, count, seed});
        assert.deepEqual(value, []);
        assert.deepEqual(console, []);
      });
    }
  }
});
