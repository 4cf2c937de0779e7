// Tests of load(): loads files and runs the graphs.
import {addModel, powModel, unaryModel} from '/test/support/onnx.js';

const reasonOf = (promise) => promise.then(() => 'nothing', ({name, message}) => `${name}: ${message}`);

async function compute(context, {graph, inputs, outputs}, data) {
  const make = (named, access) => Promise.all(Object.entries(named).map(async ([name, {dataType, shape}]) =>
    [name, await context.createTensor({dataType, shape, ...access})]));
  const given = Object.fromEntries(await make(inputs, {writable: true})), results = Object.fromEntries(await make(outputs, {readable: true}));
  for (const tensor of Object.values(given)) context.writeTensor(tensor, data);
  context.dispatch(graph, given, results);
  const [first] = Object.values(results);
  return [...new Float32Array(await context.readTensor(first))];
}

async function small(context, load) {
  const w = new Float32Array([1, 2, 3]), data = new Uint8Array(w.buffer), x = new Float32Array([10, 20, 30, 40, 50, 60]);
  const inside = addModel(data), outside = addModel(), dimensions = {n: 2};
  const found = {};
  const {inputs, outputs} = await load(context, inside, {dimensions});
  found.described = {inputs, outputs};
  const changed = inside.slice();
  const loading = load(context, changed, {dimensions});
  changed.fill(0);  // load() must have copied the bytes
  found.bytes = await compute(context, await loading, x);
  found.blob = await compute(context, await load(context, new Blob([inside]), {dimensions}), x);
  found.response = await compute(context, await load(context, new Response(inside), {dimensions}), x);
  found.external = await compute(context, await load(context, outside, {dimensions, weights: {'w.bin': data}}), x);
  found.errors = {
    open: await reasonOf(load(context, inside)),
    other: await reasonOf(load(context, inside, {dimensions: {...dimensions, m: 1}})),
    absent: await reasonOf(load(context, outside, {dimensions})),
    weights: await reasonOf(load(context, inside, {dimensions, weights: data})),
    short: await reasonOf(load(context, outside, {dimensions, weights: {'w.bin': data.slice(1)}})),
    address: await reasonOf(load(context, '/there/is/none.onnx')),
    source: await reasonOf(load(context, 7)),
    context: await reasonOf(load({}, inside)),
    aborted: await reasonOf(load(context, inside, {dimensions, signal: AbortSignal.abort()})),
  };
  found.cut = new Set();
  for (let size = 0; size < inside.length; size += 5)
    found.cut.add((await reasonOf(load(context, inside.slice(0, size), {dimensions}))).split(':')[0]);
  found.cut = [...found.cut];
  return found;
}

// Returns the readers' modules that the page has fetched.
const readers = () => ['webnn-onnx.wasm', 'webnn-reader.wasm'].filter((file) =>
  performance.getEntriesByType('resource').some(({name}) => name.endsWith(`/${file}`)));

// Tests that models of common operators fetch only webnn-onnx.wasm, and that other files also fetch webnn-reader.wasm.
async function readersOf(context, load) {
  const dimensions = {n: 1}, found = {};
  found.add = {values: await compute(context, await load(context, addModel(new Uint8Array(12)), {dimensions}), new Float32Array([1, 2, 3]))};
  found.add.readers = readers();
  found.pow = await compute(context, await load(context, powModel([1, -1, 2], [NaN, Infinity, 0.5]), {dimensions}), new Float32Array([1, 2, 3]));
  found.sinh = {values: await compute(context, await load(context, unaryModel('Sinh'), {dimensions}), new Float32Array([-1, 0, 1]))};
  found.sinh.readers = readers();
  found.unknown = await reasonOf(load(context, unaryModel('StringSplit'), {dimensions}));
  found.undecided = await reasonOf(load(context, unaryModel('Sinh')));
  const controller = new AbortController();
  const ended = load(context, unaryModel('Sinh'), {dimensions, signal: controller.signal});
  controller.abort(new DOMException('enough', 'NotSupportedError'));
  found.ended = await reasonOf(ended);
  return found;
}

// Tests a graph whose outputs have names that objects reorder or treat specially. Each output is x plus the index of its name.
async function named(context, load) {
  const names = ['10', '9', '__proto__', 'b', 'a', '2', '\uFEFFa', 'a\0', '\u202E😀'], float32 = {dataType: 'float32', shape: [1]};
  const members = names.map((name) => `${JSON.stringify(name)}: ${JSON.stringify(name)}`);
  const nodes = names.map((name, i) => ({id: name, op: 'linear', inputs: ['x'], options: {alpha: 1, beta: i}, outputs: [name]}));
  const text = `{"format": "webnn-graph-json", "version": 2, "inputs": {"x": ${JSON.stringify(float32)}}, "consts": {},
                 "nodes": ${JSON.stringify(nodes)}, "outputs": {${members}}}`;
  const {graph, outputs} = await load(context, new Blob([text]));
  const x = await context.createTensor({...float32, writable: true});
  context.writeTensor(x, new Float32Array([100]));
  const results = await Promise.all(names.map(async (name) => [name, await context.createTensor({...float32, readable: true})]));
  context.dispatch(graph, {x}, Object.fromEntries(results));
  const values = await Promise.all(results.map(async ([, tensor]) => new Float32Array(await context.readTensor(tensor))[0]));
  return {values, described: names.map((name) => Object.hasOwn(outputs, name))};
}

// Aborts load() while a part of a constant is sent to the worker, when no call of the reader is pending.
async function endedBetweenParts(context, load) {
  const count = 3 << 20, controller = new AbortController(), {postMessage} = Worker.prototype;
  const header = JSON.stringify({w: {dtype: 'F32', shape: [count], data_offsets: [0, 4 * count]}}).padEnd(96);
  const weights = new Uint8Array(8 + header.length + 4 * count);
  new DataView(weights.buffer).setUint32(0, header.length, true);
  weights.set(new TextEncoder().encode(header), 8);
  const text = `webnn_graph "" v2 { inputs { x: f32[${count}]; } consts { w: f32[${count}] @weights("w"); } nodes { y = add(x, w); } outputs { y; } }`;
  Worker.prototype.postMessage = function (message, ...others) {
    Reflect.apply(postMessage, this, [message, ...others]);
    if (Array.isArray(message) && message.some(({command}) => command === 'fill')) controller.abort(new Error('enough'));
  };
  try {
    const never = new Promise((resolve) => setTimeout(resolve, 60000, 'never'));
    return await Promise.race([reasonOf(load(context, new Blob([text]), {weights, signal: controller.signal})), never]);
  } finally {
    Worker.prototype.postMessage = postMessage;
  }
}

export default async function read({ml, load}, {models, worker, isMissing}) {
  const context = await ml.createContext();
  if (isMissing) return reasonOf(load(context, addModel(new Uint8Array(12)), {dimensions: {n: 1}}));
  const found = {readers: await readersOf(context, load), small: await small(context, load), named: await named(context, load)};
  if (worker === 'true') found.endedBetweenParts = await endedBetweenParts(context, load);
  const image = new Float32Array(await (await fetch('/digits/pixels')).arrayBuffer());
  found.digits = await compute(context, await load(context, '/digits/digits.webnn', {weights: new URL('/digits/digits.safetensors', location)}), image);
  if (models) {
    const input = new Float32Array((await (await fetch('/models/squeezenet1.1/test_data_set/0/input_0.npy')).arrayBuffer()).slice(128));
    const loading = load(context, '/models/squeezenet1.1/squeezenet1.1.onnx');
    found.squeezenet = await compute(context, await loading, input);
  }
  const controller = new AbortController();
  const ended = load(context, '/digits/digits.webnn', {weights: '/digits/digits.safetensors', signal: controller.signal});
  controller.abort(new Error('enough'));
  found.ended = await reasonOf(ended);
  context.destroy();
  found.destroyed = await reasonOf(load(context, addModel(new Uint8Array(12)), {dimensions: {n: 1}}));
  return found;
}
