// Compiled by the tests, never run: what the declarations must allow, and what they must not.
import webnn, {install, ml, MLContext, MLGraphBuilder, MLOperand} from 'webnn';

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
export {buffer, global, nothing, same, types};

// @ts-expect-error: no such data type
builder.input('z', {dataType: 'float64', shape: []});
// @ts-expect-error: no such option
builder.relu(x, {alpha: 1});
// @ts-expect-error: read-only
x.dataType = 'int8';
// @ts-expect-error: an argument is missing
builder.matmul(x);
