// Runs one session several times at once, and two sessions.
import {InferenceSession, Tensor} from 'onnxruntime-node';

const files = ['affine', 'affine'].map((name) => `${process.argv[2]}/${name}.onnx`);
const sessions = await Promise.all(files.map((file) => InferenceSession.create(file)));
const results = await Promise.all([1, 2, 3, 4, 5, 6].map((batch) =>
  sessions[batch % 2].run({x: new Tensor('float32', new Float32Array(3 * batch).fill(batch), [batch, 3])}, ['h'])));
console.log(results.map(({h}) => [h.dims.join('x'), h.data.at(-1).toFixed(4)].join(' ')));
await Promise.all(sessions.map((session) => session.release()));
