// Computes with booleans and 64-bit integers.
import {InferenceSession, Tensor} from 'onnxruntime-node';

const session = await InferenceSession.create(`${process.argv[2]}/logic.onnx`);
const {both, sum} = await session.run({
  p: new Tensor('bool', [true, true, false], [3]), q: new Tensor('bool', Uint8Array.from([1, 0, 1]), [3]),
  i: new Tensor('int64', BigInt64Array.from([1n, 2n, 3n]), [3]), j: new Tensor('int64', [10n, -20n, 4294967296n], [3]),
});
console.log(both.type, both.data, sum.type, sum.data, Number(sum.data[2]));
