// Feeds a scalar, gets outputs whose sizes depend on values, and prints whether an event is handled before a run ends.
import {InferenceSession, Tensor} from 'onnxruntime-node';

const scalar = await InferenceSession.create(`${process.argv[2]}/scalar.onnx`), data = Float32Array.from([1, 2]);
console.log((await scalar.run({x: new Tensor('float32', data, [2]), s: new Tensor('float32', [3], [])})).y.data);
const nonzero = await InferenceSession.create(`${process.argv[2]}/nonzero.onnx`);
for (const values of [[0, 1, 2], [0, 0], [5]]) {
  const {places} = await nonzero.run({x: new Tensor('float32', values, [values.length])});
  console.log(places.dims, places.data);
}
const order = [];
setImmediate(() => order.push('event'));
await scalar.run({x: new Tensor('float32', data, [2]), s: new Tensor('float32', [1], [])}).then(() => order.push('run'));
console.log(order, scalar.startProfiling(), scalar.endProfiling());
