// Chooses outputs by name and with allocated tensors.
import {InferenceSession, Tensor} from 'onnxruntime-node';

const session = await InferenceSession.create(`${process.argv[2]}/affine.onnx`);
const x = new Tensor('float32', [1, 2, 3, 4, 5, 6], [2, 3]), show = (results) => JSON.stringify(Object.entries(results).map(([name, {dims, data}]) =>
  [name, dims, Array.from(data, (v) => v.toFixed(4))]));
console.log(show(await session.run({x}, ['h'])));
console.log(show(await session.run({x}, ['h', 'y'], {tag: 'run'})));
console.log(show(await session.run({x}, {y: null})));
console.log(show(await session.run({x}, {logSeverityLevel: 3})));
const data = new Float32Array(4), y = new Tensor('float32', data, [2, 2]);
const results = await session.run({x}, {y, h: null});
console.log(show(results), Array.from(data, (v) => v.toFixed(4)), `${results.y.data}` === `${data}`);
for (const fetches of [['none'], [], null, 7, [3], {y: x}]) await session.run({x}, fetches).then(show, (error) => console.log(error.name, error.message.slice(0, 80)));
