// Feeds the state of a recurrent network, and a cache that grows from no elements.
import {InferenceSession, Tensor} from 'onnxruntime-node';

const lstm = await InferenceSession.create(`${process.argv[2]}/lstm.onnx`), zeros = () => new Tensor('float32', new Float32Array(4), [1, 1, 4]);
let h = zeros(), c = zeros();
for (const length of [2, 3, 2]) {
  const x = new Tensor('float32', Float32Array.from({length: 3 * length}, (_, i) => Math.sin(i)), [length, 1, 3]);
  const {y, hn, cn} = await lstm.run({x, h, c});
  [h, c] = [hn, cn];
  console.log(y.dims, Array.from(hn.data, (v) => v.toFixed(4)));
}
const cache = await InferenceSession.create(`${process.argv[2]}/cache.onnx`);
let past = new Tensor('float32', new Float32Array(0), [0, 2]);
for (let i = 0; i < 5; ++i) {
  const {present, total} = await cache.run({past, x: new Tensor('float32', [i, 1], [1, 2])});
  past = present;
  console.log(present.dims, [...total.data]);
}
