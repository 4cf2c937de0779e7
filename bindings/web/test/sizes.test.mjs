// What a page fetches from a server that compresses by Brotli.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import test from 'node:test';
import {brotliCompressSync} from 'node:zlib';

const compressed = new Map();
function sizeOf(...files) {
  for (const file of files.filter((each) => !compressed.has(each))) {
    compressed.set(file, brotliCompressSync(readFileSync(new URL(`../dist/${file}`, import.meta.url))).length);
  }
  return files.reduce((sum, file) => sum + compressed.get(file), 0);
}

for (const [variant, files] of Object.entries({
  'one thread': ['webnn.js', 'worker.js', 'webnn.wasm'],
  'relaxed SIMD': ['webnn.js', 'worker.js', 'webnn-relaxed.wasm'],
  'threads': ['webnn.js', 'worker.js', 'webnn-threads.js', 'webnn-threads.wasm'],
  'threads and relaxed SIMD': ['webnn.js', 'worker.js', 'webnn-threads.js', 'webnn-threads-relaxed.wasm'],
})) {
  test(`${variant}: at most 420 KB, and 600 KB with what reads files`, (t) => {
    const core = sizeOf(...files), all = core + sizeOf('reader.js', 'webnn-reader.wasm');
    t.diagnostic(`${core} and ${all} bytes`);
    assert.ok(core <= 420_000, `${core} bytes`);
    assert.ok(all <= 600_000, `${all} bytes`);
  });
}
