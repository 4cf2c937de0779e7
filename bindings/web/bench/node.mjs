// Measures like run.mjs, but in Node.js, with one thread and without a worker.
// usage: node bench/node.mjs OPERATIONS.json SECONDS MODEL.onnx...    (MODEL.json and MODEL.safetensors must be beside each
// model)
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {inputsOf, measure, ours, theirs} from './compare.mjs';

const [operations, seconds, ...models] = process.argv.slice(2);
const {configure, ml, MLGraphBuilder} = await import('../dist/webnn.js');
configure({worker: false, module: await WebAssembly.compile(readFileSync(new URL('../dist/webnn.wasm', import.meta.url)))});
const ort = createRequire(import.meta.url)('onnxruntime-web/wasm');
const {operations: table} = JSON.parse(readFileSync(operations));
const webnn = {createContext: (options) => ml.createContext(options), MLGraphBuilder};
for (const model of models) {
  const base = model.replace(/\.onnx$/, '');
  const json = readFileSync(`${base}.json`, 'utf8');
  const {buffer, byteOffset, byteLength} = readFileSync(`${base}.safetensors`);
  const safetensors = buffer.slice(byteOffset, byteOffset + byteLength);
  const a = ours(webnn, 1, {json, safetensors}, table), b = theirs(ort, 1, new Uint8Array(readFileSync(model)));
  for (const engine of [a, b]) await engine.start();
  const {ours: x, theirs: y, difference} = await measure(a, b, inputsOf(json), Number(seconds));
  console.log(`${path.basename(base).padEnd(20)} ${x.toFixed(2).padStart(9)} ${y.toFixed(2).padStart(9)} ms  ${(y / x).toFixed(2)}x  difference ${difference.toExponential(1)}`);
}
process.exit(0);
