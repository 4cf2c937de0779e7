// Loads a model whose weights are in another file, given by path or in memory.
import {readFileSync} from 'node:fs';
import {InferenceSession, Tensor} from 'onnxruntime-node';

const file = `${process.argv[2]}/external.onnx`, data = readFileSync(`${process.argv[2]}/external.bin`);
for (const [model, options] of [[file], [readFileSync(file), {externalData: [{path: 'external.bin', data}]}]]) {
  const session = await InferenceSession.create(model, options);
  for (const batch of [1, 2]) console.log(Array.from((await session.run({x: new Tensor('float32', new Float32Array(3 * batch).fill(1), [batch, 3])})).y.data, (v) => v.toFixed(4)));
  await session.release();
}
