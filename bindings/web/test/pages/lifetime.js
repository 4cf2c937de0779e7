// The page of lifetime.test.mjs. The parameter `part` names a function in `parts`.
import {gc} from '/test/support/collect.js';

const collect = async () => {
  for (let i = 0; i < 4; ++i) {
    await gc();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const float16x = {dataType: 'float32', shape: [16]};

// Builds a chain of `count` products of [size, size] matrices, and creates tensors for it.
async function productsOf({ml, MLGraphBuilder}, size, count, options) {
  const context = await ml.createContext(options);
  const builder = new MLGraphBuilder(context), descriptor = {dataType: 'float32', shape: [size, size]};
  const x = builder.input('x', descriptor);
  let y = x;
  for (let i = 0; i < count; ++i) y = builder.tanh(builder.matmul(y, x));
  const graph = await builder.build({y});
  const inputs = {x: await context.createTensor({...descriptor, writable: true})};
  const outputs = {y: await context.createTensor({...descriptor, readable: true})};
  return {context, graph, inputs, outputs};
}

async function cycle({ml, MLGraphBuilder}, destroys) {
  const context = await ml.createContext();
  const builder = new MLGraphBuilder(context);
  const x = builder.input('x', float16x), weights = builder.constant(float16x, new Float32Array(16).fill(2));
  const graph = await builder.build({y: builder.mul(x, weights)});
  const inputs = {x: await context.createTensor({...float16x, writable: true})};
  const outputs = {y: await context.createTensor({...float16x, readable: true})};
  const constant = await context.createConstantTensor(float16x, new Float32Array(16));
  new MLGraphBuilder(context).constant(constant);  // this builder never builds
  context.writeTensor(inputs.x, new Float32Array(16).fill(3));
  context.dispatch(graph, inputs, outputs);
  const [first] = new Float32Array(await context.readTensor(outputs.y));
  if (first !== 6) throw new Error(`${first}, not 6`);
  if (!destroys) return;
  graph.destroy();
  for (const tensor of [inputs.x, outputs.y, constant]) tensor.destroy();
  context.destroy();
}

const settledAs = async (promise) => {
  const late = new Promise((resolve) => setTimeout(resolve, 60000, 'never'));
  return Promise.race([promise.then(() => 'resolved', ({name, message}) => `${name}: ${message}`), late]);
};

// Returns the statistics after `count` and after 2 * `count` cycles, each time after garbage collection.
async function cycles(webnn, {count, destroys}) {
  const statistics = webnn.configure[Symbol.for('webnn.statistics')];
  const results = [];
  const keeper = await webnn.ml.createContext();
  for (let round = 0; round < 2; ++round) {
    for (let i = 0; i < Number(count); ++i) {
      await cycle(webnn, destroys === 'true');
      if (i % 100 === 99) await collect();
    }
    await collect();
    results.push(await statistics());
  }
  keeper.destroy();
  return results;
}

// Destroys a context with queued work. Returns how each promise was settled; also checks that a new context computes.
async function destroyed(webnn) {
  const {context, graph, inputs, outputs} = await productsOf(webnn, 256, 50);
  const builder = new webnn.MLGraphBuilder(context);
  const y = builder.relu(builder.add(builder.input('x', float16x), builder.constant(float16x, new Float32Array(16))));
  for (let i = 0; i < 2000; ++i) context.dispatch(graph, inputs, outputs);
  const reading = context.readTensor(outputs.y);
  await new Promise((resolve) => setTimeout(resolve, 30));  // wait until the worker has begun
  const waiting = [reading, builder.build({y}), context.createTensor(float16x), context.createConstantTensor(float16x, new Float32Array(16))];
  const {lost} = context;
  const start = performance.now();
  context.destroy();
  const settled = await Promise.all(waiting.map(settledAs));
  await cycle(webnn, true);
  return {settled, lost: await settledAs(lost), milliseconds: performance.now() - start};
}

// Tests that a signal removes a queued run, but does not stop a running one.
async function stopped(webnn) {
  const {context, graph, inputs, outputs} = await productsOf(webnn, 256, 10);
  const other = await context.createTensor({dataType: 'float32', shape: [256, 256], readable: true});
  const controller = new AbortController();
  for (let i = 0; i < 10; ++i) context.dispatch(graph, inputs, outputs);
  context.dispatch(graph, inputs, {y: other}, {signal: controller.signal});
  const reads = [context.readTensor(outputs.y), context.readTensor(other)];
  await new Promise((resolve) => setTimeout(resolve, 30));
  controller.abort();
  const settled = await Promise.all(reads.map(settledAs));
  context.dispatch(graph, inputs, {y: other});
  return [...settled, await settledAs(context.readTensor(other))];
}

// Makes the package's worker fail while work is queued. `how` selects the kind of failure.
async function workerFails(webnn, {how}) {
  const {context, graph, inputs, outputs} = await productsOf(webnn, 64, 5);
  const before = globalThis.workers.length;
  context.dispatch(graph, inputs, outputs);
  const waiting = [context.readTensor(outputs.y), context.createTensor(float16x)];
  const worker = globalThis.workers.at(-1);
  if (how === 'trap') worker.postMessage([{command: 'dispatch', request: null}]);
  const settled = await Promise.all(waiting.map(settledAs));
  const lost = await context.lost;
  const errors = [];
  for (const call of [() => context.dispatch(graph, inputs, outputs), () => new webnn.MLGraphBuilder(context)]) {
    try {
      call();
      errors.push('none');
    } catch ({name}) {
      errors.push(name);
    }
  }
  await cycle(webnn, true);  // starts a new worker
  for (const call of [() => context.dispatch(graph, inputs, outputs), () => context.writeTensor(inputs.x, new Float32Array(64 * 64))]) {
    try {
      call();
      errors.push('none');
    } catch ({name}) {
      errors.push(name);
    }
  }
  outputs.y.destroy();
  graph.destroy();
  context.destroy();
  await cycle(webnn, true);
  return {settled, lost: lost.message, errors, workers: globalThis.workers.length - before};
}

// Starts a worker whose script is missing, then one whose script exists. Returns how the first attempt failed.
async function workerIsMissing(webnn) {
  globalThis.workerScript = '/nowhere.js';
  const settled = await settledAs(webnn.ml.createContext());
  globalThis.workerScript = undefined;
  await cycle(webnn, true);
  return settled;
}

// Leaves work queued; the test then closes the page.
async function leaves(webnn) {
  const {context, graph, inputs, outputs} = await productsOf(webnn, 256, 50);
  for (let i = 0; i < 50; ++i) context.dispatch(graph, inputs, outputs);
  context.readTensor(outputs.y);
  new webnn.MLGraphBuilder(context);
  return 'leaves';
}

// Records the package's workers, and lets tests replace the URL of their script.
function watchWorkers() {
  const Original = globalThis.Worker;
  globalThis.workers = [];
  globalThis.Worker = class Worker extends Original {
    constructor(url, options) {
      super(globalThis.workerScript ?? url, options);
      globalThis.workers.push(this);
    }
  };
}

// Requests more threads than a page can start. Returns the number of workers.
async function manyThreads(webnn) {
  const context = await webnn.ml.createContext({threads: 1024});
  const {length} = globalThis.workers;
  await cycle(webnn, true);
  context.destroy();
  return length;
}

// Runs work that several threads share. Returns whether the result is right.
async function threads(webnn) {
  const {context, graph, inputs, outputs} = await productsOf(webnn, 256, 2, {threads: 3});
  context.writeTensor(inputs.x, new Float32Array(256 * 256));
  context.dispatch(graph, inputs, outputs);
  const values = new Float32Array(await context.readTensor(outputs.y));
  return values.every((value) => value === 0) ? 'computed' : 'wrong';
}

// Runs in a worker that cannot copy large buffers. Returns the outcomes of a read that lacks memory, of another read, and of a
// further call, which shows whether the context is lost.
async function readsTooMuch({ml}) {
  const context = await ml.createContext();
  const [large, small] = await Promise.all([1 << 20, 16].map((size) => context.createTensor({dataType: 'uint8', shape: [size], readable: true})));
  const reads = await Promise.all([large, small].map((tensor) => settledAs(context.readTensor(tensor))));
  return [...reads, await settledAs(context.createTensor(float16x))];
}

// Computes with contexts of several numbers of threads. Returns whether they shared their threads.
async function teams(webnn) {
  const count = navigator.hardwareConcurrency;
  await webnn.ml.createContext({threads: count + 1});  // this context does not compute
  for (const threads of [0, count, 0]) {
    const {context, graph, inputs, outputs} = await productsOf(webnn, 256, 1, {threads});
    context.dispatch(graph, inputs, outputs);
    await context.readTensor(outputs.y);
  }
  const {host} = await webnn.configure[Symbol.for('webnn.statistics')]();
  return host.threads === count - 1 ? 'shared' : `${host.threads} threads, but ${count} processors`;
}

// Computes with a context while workers for other contexts fail to load. The context must keep its own threads.
async function computesWhileLoading(webnn) {
  const {context, graph, inputs, outputs} = await productsOf(webnn, 256, 1, {threads: 2});
  await webnn.ml.createContext({threads: 3});
  context.dispatch(graph, inputs, outputs);
  await context.readTensor(outputs.y);
  const more = await productsOf(webnn, 256, 1, {threads: 3});  // builds after the workers of the second context have failed
  more.context.dispatch(more.graph, more.inputs, more.outputs);
  await more.context.readTensor(more.outputs.y);
  return (await webnn.configure[Symbol.for('webnn.statistics')]()).host.threads;
}

const parts = {computesWhileLoading, cycles, destroyed, leaves, manyThreads, readsTooMuch, stopped, teams, threads, workerFails, workerIsMissing};

export default function run(webnn, parameters) {
  watchWorkers();
  return parts[parameters.part](webnn, parameters);
}
