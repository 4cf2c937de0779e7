// Runs an ONNX model with onnxruntime-web's WASM execution provider, and with its WebNN execution provider on this package.
// Compares the results.
// usage: node --liftoff-only compare.mjs MODEL.onnx [INPUT.npy]   (first, npm ci in this directory)
// Without --liftoff-only, V8 optimizes 28 MB of WebAssembly in the background, and Node.js waits for that at exit.
import fs from 'node:fs';
import {install} from '../../lib/index.mjs';

if (process.argv.length < 3) {
  console.error('usage: node --liftoff-only compare.mjs MODEL.onnx [INPUT.npy]');
  process.exit(2);
}
install();
// The WebNN execution provider tests `instanceof GPUDevice`, but runtimes without WebGPU do not define this class.
globalThis.GPUDevice ??= class GPUDevice {};
// The default entry of onnxruntime-web in Node.js has no WebNN.
const ort = await import('onnxruntime-web/all');
ort.env.logLevel = 'error';

/** Returns the numbers of a float32 .npy file. */
function readNpy(file) {
  const bytes = fs.readFileSync(file);
  const start = 10 + bytes.readUInt16LE(8);
  if (!bytes.toString('latin1', 10, start).includes("'<f4'")) throw new Error(`${file} does not hold float32.`);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + bytes.byteLength));
}

/** Runs the model once on float32 inputs. Returns the outputs by name and the duration in milliseconds. */
async function runBy(provider, model, data) {
  const session = await ort.InferenceSession.create(model, {executionProviders: [provider], logSeverityLevel: 3});
  const feeds = {};
  for (const {name, shape} of session.inputMetadata) {
    const size = shape.reduce((count, dimension) => count * dimension, 1);
    feeds[name] = new ort.Tensor('float32', data ?? Float32Array.from({length: size}, (_, i) => Math.sin(i)), shape);
  }
  const start = performance.now();
  const results = await session.run(feeds);
  const milliseconds = performance.now() - start;
  const outputs = Object.fromEntries(session.outputNames.map((name) => [name, results[name].data]));
  await session.release();
  return {outputs, milliseconds};
}

/** Counts the graphs that the execution provider builds, because it silently falls back to WASM. */
function countBuilds() {
  const {build} = MLGraphBuilder.prototype;
  const counter = {builds: 0};
  MLGraphBuilder.prototype.build = function (...args) {
    counter.builds += 1;
    return Reflect.apply(build, this, args);
  };
  return counter;
}

const [modelFile, inputFile] = process.argv.slice(2);
const model = new Uint8Array(fs.readFileSync(modelFile));
const data = inputFile && readNpy(inputFile);
const counter = countBuilds();
const wasm = await runBy('wasm', model, data);
const webnn = await runBy({name: 'webnn', deviceType: 'cpu'}, model, data);
const difference = Object.fromEntries(Object.entries(wasm.outputs).map(([name, values]) =>
  [name, values.reduce((most, value, i) => Math.max(most, Math.abs(value - webnn.outputs[name][i])), 0)]));
const milliseconds = {wasm: wasm.milliseconds, webnn: webnn.milliseconds};
console.log(JSON.stringify({graphs: counter.builds, difference, milliseconds}));
process.exit(0);  // onnxruntime-web's threads would keep the process alive
