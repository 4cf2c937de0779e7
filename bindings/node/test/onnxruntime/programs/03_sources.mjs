// Loads a model from a path, a Buffer, a Uint8Array, and ArrayBuffers with and without an offset.
import {readFileSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import * as ort from 'onnxruntime-node';

const file = `${process.argv[2]}/affine.onnx`, bytes = readFileSync(file), padded = new Uint8Array(bytes.length + 20);
padded.set(bytes, 7);
const sources = [[file], [file, {graphOptimizationLevel: 'all'}], [bytes], [new Uint8Array(bytes)], [new Uint8Array(bytes).buffer], [await readFile(file), {}],
                 [padded.subarray(7, 7 + bytes.length)], [padded.buffer, 7, bytes.length], [padded.buffer, 7, bytes.length, {intraOpNumThreads: 1}]];
for (const source of sources) {
  const session = await ort.InferenceSession.create(...source);
  const {h} = await session.run({x: new ort.Tensor('float32', [1, 0, -1], [1, 3])});
  console.log(session.inputNames, session.outputNames, Array.from(h.data, (v) => v.toFixed(5)));
  await session.release();
}
