// Compiled by the tests, but never run. The compiler must accept the first part and reject each line after @ts-expect-error.
import webnn, {InferenceSession, install, load, ml, run, save, Tensor, MLContext, MLGraphBuilder, MLOperand} from 'webnn';

install();
const context: MLContext = await ml.createContext({powerPreference: 'low-power', backend: 'cpu'});
const same: boolean = context instanceof webnn.MLContext;
const builder = new MLGraphBuilder(context);
const descriptor = {dataType: 'float32', shape: [2, 2]} as const;
const x: MLOperand = builder.input('x', descriptor);
const weights = builder.constant({dataType: x.dataType, shape: x.shape}, new Float32Array(4));
const y = builder.gemm(x, weights, {alpha: 0.5, c: builder.constant('float32', 1n), label: 'y'});
const [first, second] = builder.split(y, [1, 1], {axis: 1});
const graph: MLGraph = await builder.build({first: first!, second: second!});
const tensor = await context.createTensor({dataType: 'float32', shape: new Set([2, 2]), readable: true});
context.writeTensor(tensor, new SharedArrayBuffer(16));
context.dispatch(graph, {x: tensor}, {});
const buffer: ArrayBuffer = await context.readTensor(tensor);
const nothing: void = await context.readTensor(tensor, new Float32Array(4));
const types: MLOperandDataType[] | undefined = context.opSupportLimits().conv2d?.filter?.dataTypes;
declare const navigator: Navigator;
const global: ML = navigator.ml;
const loaded: MLGraph = await load('model.onnx', {dimensions: {batch: 1}, context, signal: undefined!, onProgress: ({phase, done, total}) => void `${phase} ${done / total}`});
const {graph: likewise} = await load(context, new Uint8Array(4), {values: {n: new BigInt64Array(1)}});
declare const url: {href: string; protocol: string; searchParams: object};
await save(likewise, url, {format: 'webnn', weights: 'inline'});
const shape: readonly number[] | undefined = loaded.inputs['x']?.shape;
const results = await run(loaded, {x: [[1, 2], [3, 4]], y: tensor, z: new Tensor('bool', [true], [1])}, {outputs: ['y']});
const session = await InferenceSession.create('model.onnx', {executionProviders: ['cpu', {name: 'webnn', deviceType: 'gpu'}], graphs: 2, seed: 1});
const outputs = await session.run({x: new Tensor('float32', new Float32Array(4), [2, 2])}, ['y']);
const data: Float32Array = (outputs['y'] as Tensor<'float32'>).data;
await session.run({}, {y: null}, {tag: 'a'});
const open = builder.input('o', {dataType: 'float32', shape: ['batch', {name: 'length', maxSize: 8}, 64]});
const opened: InferenceSession = await builder.buildSession({z: builder.reshape(open, ['batch * length', open.shape[2]])}, {graphs: 2});
await save(opened, 'open.webnn');
webnn.env.logLevel = 'error';
export {buffer, data, global, nothing, results, same, shape, types};

// @ts-expect-error: no such data type
builder.input('z', {dataType: 'float64', shape: []});
// @ts-expect-error: a constant has no open dimensions
builder.constant({dataType: 'float32', shape: ['batch']}, new Float32Array(1));
// @ts-expect-error: no such option
builder.relu(x, {alpha: 1});
// @ts-expect-error: read-only
x.dataType = 'int8';
// @ts-expect-error: not a source
load(7);
// @ts-expect-error: no such format
save(graph, 'a.h5', {format: 'h5'});
// @ts-expect-error: no constructor
new InferenceSession();
// @ts-expect-error: not a type
new Tensor('float33', [1]);
// @ts-expect-error: an argument is missing
builder.matmul(x);
