// What the modules take on a server that compresses by Brotli: see docs/web_performance.md.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import test from 'node:test';
import {brotliCompressSync} from 'node:zlib';

for (const [module, most] of Object.entries({
  'webnn.wasm': 420_000,
  'webnn-relaxed.wasm': 420_000,
  'webnn-threads.wasm': 420_000,
  'webnn-threads-relaxed.wasm': 420_000,
  'webnn-reader.wasm': 345_000,
})) {
  test(`${module} has at most ${most / 1000} KB`, () => {
    const {length} = brotliCompressSync(readFileSync(new URL(`../dist/${module}`, import.meta.url)));
    assert.ok(length <= most, `${length} bytes`);
  });
}
