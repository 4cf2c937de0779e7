// Prints the results of calls for which webnn-onnxruntime-node and onnxruntime-node differ.
import {readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {InferenceSession, Tensor, env} from 'onnxruntime-node';

const folder = process.argv[2], affine = `${folder}/affine.onnx`;
const x = (batch) => new Tensor('float32', new Float32Array(3 * batch).fill(1), [batch, 3]);
const show = (error) => console.log(`${error.constructor.name}: ${error.message.replaceAll(folder, '').replace(/webnn-onnxruntime-\w+/g, 'TEMP')}${error.cause ? ` (${error.cause.name})` : ''}`);
const attempt = (promise) => promise.then((result) => console.log(result), show);
const firstOf = async (session, feeds, ...rest) => Object.values(await session.run(feeds, ...rest))[0].dims.join();

console.log(/^1\.30\.0\+webnn\d/.test(env.versions.node));
await attempt(InferenceSession.create(affine, {enableProfiling: true}).then((session) => firstOf(session, {x: x(1)})));
await attempt(InferenceSession.create(affine, {executionProviders: ['cuda', 'cpu']}).then((session) => firstOf(session, {x: x(2)})));
await attempt(InferenceSession.create(affine, {executionProviders: ['cuda']}));
const session = await InferenceSession.create(affine);
await attempt(firstOf(session, {x: x(1)}, {y: new Tensor('float32', new Float32Array(4), [2, 2])}));
await attempt(firstOf(session, {x: x(1)}, {y: new Tensor('int32', new Int32Array(2), [1, 2])}));
const gone = x(1);
gone.dispose();
await attempt(firstOf(session, {x: gone}));
await attempt(firstOf(session, {x: {type: 'float32', dims: [1, 3], data: new Float32Array(3)}}));
const scalar = await InferenceSession.create(`${folder}/scalar.onnx`);
await attempt(firstOf(scalar, {x: new Tensor('float32', [1, 2], [2]), s: new Tensor('float32', [3], [1])}));
const matmul = await InferenceSession.create(`${folder}/matmul.onnx`);
await attempt(firstOf(matmul, {a: new Tensor('float32', [1, 2], [1, 2]), b: new Tensor('float32', [1, 2, 3], [3, 1])}));
const classifier = await InferenceSession.create(`${folder}/classifier.onnx`);
await attempt(firstOf(classifier, {x: x(1)}, ['probabilities']));
await attempt(InferenceSession.create('/nowhere.onnx'));
await attempt(InferenceSession.create(new Uint8Array(0)));
await attempt(InferenceSession.create(Buffer.from('no model')));
writeFileSync('data.bin', new Uint8Array(4));
await attempt(InferenceSession.create(affine, {externalData: [{path: '../data.bin', data: new Uint8Array(4)}]}));
const lacking = await InferenceSession.create(readFileSync(`${folder}/external.onnx`), {externalData: [{path: 'other.bin', data: new Uint8Array(4)}]});
await attempt(firstOf(lacking, {x: x(1)}));

// A session that is dropped without release() leaves no directory.
process.env.TMPDIR = process.cwd();
const directories = () => readdirSync('.').filter((name) => name.startsWith('webnn-onnxruntime-')).length;
await (async () => {
  const data = readFileSync(`${folder}/external.bin`);
  const dropped = await InferenceSession.create(readFileSync(`${folder}/external.onnx`), {externalData: [{path: 'external.bin', data}]});
  await firstOf(dropped, {x: x(1)});
})();
console.log(directories());
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
for (let i = 0; i < 100 && directories() > 0; ++i) {
  collect();
  await new Promise((resolve) => setImmediate(resolve));
}
console.log(directories());
