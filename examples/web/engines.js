// The engines that can run a model in this browser: our package and its alternatives.
import {load, ml} from './webnn/webnn.js';
import {byId, element, files, median, milliseconds} from './page.js';

const sizeOf = (shape) => shape.reduce((product, dimension) => product * dimension, 1);

/**
 * Loads a model with our package. `run` takes the values of the first input and returns the values of the first output. All other
 * inputs are states: zeros at first, then the output at the same position of the previous run. `run.reset()` sets the states to
 * zeros again.
 */
async function createPackaged({url, weights}) {
  const context = await ml.createContext();
  const {graph, inputs, outputs} = await load(context, url, weights ? {weights} : {});
  const [[inputName, inputDescriptor], ...states] = Object.entries(inputs), [[outputName, outputDescriptor], ...nextStates] = Object.entries(outputs);
  const input = await context.createTensor({...inputDescriptor, writable: true});
  const output = await context.createTensor({...outputDescriptor, readable: true});
  // States stay in the context: each has two tensors, one read and one written, which swap roles after each run.
  const makeStates = () => Promise.all(states.map(([, descriptor]) => context.createTensor({...descriptor, writable: true})));
  const named = (entries, tensors) => Object.fromEntries(entries.map(([name], i) => [name, tensors[i]]));
  let before = await makeStates(), after = await makeStates();
  const run = async (values) => {
    context.writeTensor(input, values);
    context.dispatch(graph, {[inputName]: input, ...named(states, before)}, {[outputName]: output, ...named(nextStates, after)});
    [before, after] = [after, before];
    return new Float32Array(await context.readTensor(output));
  };
  const reset = () => states.forEach(([, {shape}], i) => context.writeTensor(before[i], new Float32Array(sizeOf(shape))));
  return Object.assign(run, {reset});
}

// Loads the library of an execution provider. The library that has only the provider for WebAssembly is half as large.
const loadOrt = {wasm: once(() => ortLibrary('wasm')), webnn: once(() => ortLibrary('all'))};

function once(load) {
  let loading;
  return () => (loading ??= load());
}

async function ortLibrary(name) {
  const ort = await import(`./onnxruntime-web/ort.${name}.bundle.min.mjs`);
  ort.env.logLevel = 'error';
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = new URL('./onnxruntime-web/', location.href).href;
  // onnxruntime-web evaluates `instanceof GPUDevice`, which fails in browsers without WebGPU if the class is not defined.
  globalThis.GPUDevice ??= class GPUDevice {};
  return ort;
}

// Returns a function that creates a session with an execution provider of onnxruntime-web.
const createByOrt = (load, provider) => async ({onnx}) => {
  const ort = await load();
  const session = await ort.InferenceSession.create(onnx, {executionProviders: [provider], logSeverityLevel: 3});
  const [{name, shape}, ...states] = session.inputMetadata;
  const zeros = (each) => new ort.Tensor('float32', new Float32Array(sizeOf(each.shape)), each.shape);
  let before = Object.fromEntries(states.map((state) => [state.name, zeros(state)]));
  return async (values) => {
    const results = await session.run({[name]: new ort.Tensor('float32', values, shape), ...before});
    before = Object.fromEntries(states.map((state, i) => [state.name, results[session.outputNames[i + 1]]]));
    return results[session.outputNames[0]].data;
  };
};

const hasOwn = 'ml' in navigator;  // the browser's own WebNN: these pages do not install the package's navigator.ml
const needsOrt = files.onnxruntimeWeb ? '' : 'onnxruntime-web is not here: npm ci in bindings/node/examples/onnxruntime-web';

/** {name, create, missing: why the engine cannot be used, or ''} */
export const engines = [
  {name: 'this package', create: createPackaged, missing: ''},
  {name: 'onnxruntime-web, WebAssembly, 1 thread', create: createByOrt(loadOrt.wasm, 'wasm'), missing: needsOrt},
  {name: 'the browser’s own WebNN', create: createByOrt(loadOrt.webnn, {name: 'webnn', deviceType: 'cpu'}), missing: hasOwn ? needsOrt : 'this browser has none'},
];

export const createPackage = createPackaged;

// Measures the time from loading the model to the first result, and the median time of further runs.
async function measure({create}, model, values, runs) {
  const start = performance.now();
  const run = await create(model);
  const result = await run(values);
  const first = performance.now() - start;
  const times = [];
  for (let i = 0; i < runs; ++i) {
    const begin = performance.now();
    await run(values);
    times.push(performance.now() - begin);
  }
  return {result, first, each: median(times)};
}

const distance = (a, b) => a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);

/** Adds a button and a table that compare the engines on a model, with the input values that `valuesOf()` returns. */
export function offerComparison(model, valuesOf, runs) {
  const button = element('button', {type: 'button'}, 'Measure');
  const said = element('span', {}, '');
  said.ariaLive = 'polite';
  const head = element('tr', {}, ...['engine', 'first result', 'each run', 'difference'].map((name, i) =>
    element('th', {scope: 'col', className: i ? 'number' : ''}, name)));
  const body = element('tbody');
  const table = element('div', {className: 'scroll', hidden: true}, element('table', {}, element('thead', {}, head), body));
  byId('comparison').replaceChildren(
    element('p', {className: 'soft'}, `From the start of loading to the first result, then the median of ${runs} runs with their input and output. ` +
      'This package computes in a worker, whose messages take some hundredths of a millisecond; onnxruntime-web on the page, which waits for it.'),
    element('div', {className: 'row'}, button, said), table);
  const show = (engine, cells) => body.append(
    element('tr', {}, element('th', {scope: 'row'}, engine.name), ...cells.map((cell) => element('td', {className: 'number'}, cell))));
  const showText = (engine, text) => body.append(
    element('tr', {}, element('th', {scope: 'row'}, engine.name), element('td', {colSpan: 3, className: 'soft'}, text)));
  button.addEventListener('click', async () => {
    button.disabled = true;
    body.replaceChildren();
    table.hidden = false;
    let reference;
    for (const engine of engines) {
      said.textContent = engine.missing ? '' : `${engine.name} …`;
      const missing = engine.missing || (engine.create !== createPackaged && !model.onnx ? 'there is no ONNX file of this network' : '');
      if (missing) {
        showText(engine, missing);
        continue;
      }
      try {
        const {result, first, each} = await measure(engine, model, valuesOf(), runs);
        show(engine, [milliseconds(first), milliseconds(each), reference ? distance(reference, result).toExponential(1) : '']);
        reference ??= result;
      } catch (error) {
        showText(engine, error.message);
      }
    }
    said.textContent = '';
    button.disabled = false;
  });
}
