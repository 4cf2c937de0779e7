// Prints the errors of wrong feeds, of wrong models and after release().
import {InferenceSession, Tensor} from 'onnxruntime-node';

const session = await InferenceSession.create(`${process.argv[2]}/affine.onnx`), good = new Tensor('float32', [1, 2, 3], [1, 3]);
const cases = {
  missing: {}, extra: {x: good, z: good}, type: {x: new Tensor('int32', [1, 2, 3], [1, 3])}, rank: {x: new Tensor('float32', [1, 2, 3], [3])},
  size: {x: new Tensor('float32', [1, 2], [1, 2])}, null: {x: null}, array: {x: [1, 2, 3]}, typed: {x: new Float32Array(3)}, number: {x: 1}, feeds: null, tensor: good,
};
for (const [name, feeds] of Object.entries(cases))
  await session.run(feeds).then((results) => console.log(name, Object.keys(results)), (error) => console.log(name, error.constructor.name, error instanceof Error, error.message));
for (const source of ['/nowhere/model.onnx', Buffer.from('this is not a model'), new Uint8Array(0), 7, undefined])
  await InferenceSession.create(source).catch((error) => console.log(error.name, error.message.split(/failed\.|load model/)[0]));
await session.release();
await session.run({x: good}).catch((error) => console.log(error.message));
await session.release().catch((error) => console.log(error.message));
