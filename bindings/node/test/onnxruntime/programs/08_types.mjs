// Passes each type through a model.
import {InferenceSession, Tensor} from 'onnxruntime-node';

const session = await InferenceSession.create(`${process.argv[2]}/types.onnx`);
const results = await session.run({
  string: new Tensor('string', ['a', 'ü', '']), double: new Tensor('float64', [1.1, -2, 1e300], [3]), short: new Tensor(Int16Array.from([1, -2, 3])),
  half: new Tensor('float16', Uint16Array.from([0x3c00, 0xc000, 0]), [3]), long: new Tensor('int64', [1n, -2n, 9007199254740993n], [3]),
  byte: new Tensor(Uint8Array.from([0, 1, 255]), [3]), flag: new Tensor('bool', [true, false, true], [3]),
});
for (const [name, {type, dims, data, size, location}] of Object.entries(results)) console.log(name, type, dims, data, size, location);
const doubles = await InferenceSession.create(`${process.argv[2]}/doubles.onnx`);
console.log((await doubles.run({x: new Tensor('float64', Float64Array.from([0.1, 1 / 3]), [2])})));
