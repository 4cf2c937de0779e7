// Compiled by a test, but never run: the types that programs for onnxruntime-node use.
import * as ort from 'onnxruntime-node';
import ortDefault, {InferenceSession, Tensor, env, listSupportedBackends, registerBackend} from 'onnxruntime-node';
import type {Backend, InferenceSessionHandler, OnnxValue, TypedTensor} from 'onnxruntime-node';

const options: InferenceSession.SessionOptions = {executionProviders: ['cpu', {name: 'cuda', deviceId: 0}], graphOptimizationLevel: 'all', logSeverityLevel: 3};
const session: ort.InferenceSession = await ort.InferenceSession.create('model.onnx', options);
const fromBytes: InferenceSession = await InferenceSession.create(new ArrayBuffer(8), 0, 8, options);
const x: TypedTensor<'float32'> = new ort.Tensor('float32', [1, 2], [2]);
const feeds: Record<string, ort.Tensor> = {x, y: new Tensor('int64', [1n]), s: new Tensor(['a'])};
const results: InferenceSession.OnnxValueMapType = await session.run(feeds, ['z'], {tag: 'a'});
const data: Float32Array = results['z']!.data as Float32Array;
const value: OnnxValue = results['z']!;
const sizes: (number | string)[] = session.inputMetadata.flatMap((each) => (each.isTensor ? [...each.shape] : []));
const type: Tensor.Type = 'uint8';
env.logLevel = 'error';
const names: string[] = listSupportedBackends().map(({name, bundled}) => `${name} ${bundled}`);
declare const backend: Backend, handler: InferenceSessionHandler;
registerBackend('mine', backend, 10);
await handler.dispose();
await fromBytes.release();
export {data, names, ortDefault, sizes, type, value};

// @ts-expect-error: no such type
new ort.Tensor('float33', [1]);
// @ts-expect-error: no such level
await InferenceSession.create('model.onnx', {graphOptimizationLevel: 'some'});
