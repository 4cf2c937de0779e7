// Tests random orders of concurrent calls: contexts with different numbers of threads, builds, runs, reads, signals, destroyed
// contexts, failing workers. Parameters: `count` of orders, and the `seed` of the first.
import {randomOf} from '/test/support/random.js';

const sizes = [1, 4, 48, 160];  // only products of the largest size run on several threads
const later = () => new Promise((resolve) => setTimeout(resolve));
const describe = (error) => `${error?.name}: ${error?.message}`;

// Returns a scaled permutation matrix of [size, size]. Its product with a matrix of integers is exact.
function matrixOf(random, size) {
  const order = Array.from({length: size}, (_, i) => i), data = new Float32Array(size * size);
  for (let i = size - 1; i > 0; --i) {
    const j = random.below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  const scale = random.pick([1, -1, 2]);
  order.forEach((column, row) => { data[row * size + column] = scale; });
  return {order, scale, data};
}

function productOf(x, {order, scale}, size) {
  const y = new Float32Array(size * size);
  for (let row = 0; row < size; ++row) for (let k = 0; k < size; ++k) y[row * size + order[k]] = scale * x[row * size + k];
  return y;
}

class Orders {
  constructor(webnn, seed, fails) {
    this.webnn = webnn;
    this.random = randomOf(seed);
    this.fails = fails;
    this.contexts = [];
    this.kept = [];  // keeps contexts alive, because the loss of a collected context is not reported
    this.pending = [];  // promises; each resolves to the description of a problem, or to undefined
    this.failures = 0;
    this.computed = 0;
  }

  // Records a problem if the promise rejects with an error other than `allowed()`, or never settles.
  expect(promise, what, allowed) {
    const late = new Promise((resolve) => setTimeout(resolve, 60_000, `${what} never settles`));
    const checked = promise.then((wrong) => wrong && `${what}: ${wrong}`, (error) => {
      const text = describe(error);
      return allowed().some((each) => each.test(text)) ? undefined : `${what}: ${text}`;
    });
    this.pending.push(Promise.race([checked, late]));
  }

  lossOf(of) { return () => (of.isLost || of.failures !== this.failures ? [/^InvalidStateError: ./, /^TypeError: .* is destroyed\./] : []); }

  addContext() {
    const of = {threads: this.random.pick([undefined, 0, 1, 2, 2, 3, 5]), failures: this.failures, isLost: false};
    const options = of.threads === undefined ? {} : {threads: of.threads};
    if (this.random.isOneOf(8)) options.backend = 'reference';
    const made = this.webnn.ml.createContext(options).then((context) => {
      of.context = context;
      of.worker = globalThis.workers.at(-1);
      this.kept.push(context);
      of.lost = context.lost.then(() => { if (!of.isLost && of.failures === this.failures) throw new Error('lost by itself'); });
      this.contexts.push(of);
    });
    this.expect(made, 'createContext', this.lossOf(of));
    return made.catch(() => {});
  }

  signalOf(of) {
    if (!this.random.isOneOf(4)) return {};
    const controller = new AbortController(), reason = new Error('enough');
    const abort = () => controller.abort(reason);
    const when = this.random.below(4);
    if (when === 0) queueMicrotask(abort);
    if (when === 1) setTimeout(abort);
    if (when === 2) setTimeout(abort, this.random.below(30));
    if (when === 3) this.pending.push(later().then(later).then(abort));
    return {signal: controller.signal};
  }

  build(of) {
    const {random} = this, size = random.pick(sizes), descriptor = {dataType: 'float32', shape: [size, size]};
    const matrices = Array.from({length: 1 + random.below(3)}, () => matrixOf(random, size)), folds = random.isOneOf(5);
    const options = this.signalOf(of), runs = 1 + random.below(3);
    const inputs = Array.from({length: runs}, () => Float32Array.from({length: size * size}, () => random.below(9) - 4));
    const run = async () => {
      const builder = new this.webnn.MLGraphBuilder(of.context), x = builder.input('x', descriptor);
      let y = x;
      for (const {data} of matrices) y = builder.matmul(y, builder.constant(descriptor, data));
      if (folds) y = builder.add(y, builder.relu(builder.neg(builder.constant(descriptor, new Float32Array(size * size)))));
      const graph = await builder.build({y}, options);
      return this.compute(of, graph, descriptor, inputs, matrices);
    };
    this.expect(run(), `build of ${size} with ${of.threads} threads`, () => [...this.lossOf(of)(), ...(options.signal?.aborted ? [/^Error: enough/] : [])]);
  }

  async compute(of, graph, descriptor, inputs, matrices) {
    const {context} = of, size = descriptor.shape[0];
    const [x, y] = await Promise.all([context.createTensor({...descriptor, writable: true}), context.createTensor({...descriptor, readable: true})]);
    const wrong = await Promise.all(inputs.map(async (data) => {
      context.writeTensor(x, data);
      context.dispatch(graph, {x}, {y});
      const found = new Float32Array(await context.readTensor(y));
      const expected = matrices.reduce((value, matrix) => productOf(value, matrix, size), data);
      const at = expected.findIndex((value, i) => value !== found[i]);
      ++this.computed;
      return at < 0 && found.length === expected.length ? undefined : `[${at}] is ${found[at]}, not ${expected[at]}`;
    }));
    return wrong.find(Boolean);
  }

  destroy(of) {
    of.isLost = true;
    const at = this.contexts.indexOf(of);
    if (at >= 0) this.contexts.splice(at, 1);
    of.context.destroy();
    this.expect(of.lost, 'lost', () => []);
  }

  // Makes the worker fail. Calls that begin before the failure is reported fail too.
  fail() {
    const worker = globalThis.workers.at(-1), [first] = this.contexts;
    if (!worker || first?.worker !== worker || this.failed === worker) return undefined;
    this.failed = worker;
    ++this.failures;
    worker.postMessage([{command: 'dispatch', request: null}]);
    for (const of of this.contexts.splice(0)) this.expect(of.lost, 'lost', () => []);
    const heard = first.lost.then(() => { ++this.failures; });
    this.pending.push(heard);
    return this.random.isOneOf(2) ? heard : undefined;
  }

  step() {
    const {random} = this, at = random.below(100);
    if (at < 12) return this.addContext();
    if (at < 22) return void this.addContext();
    if (at < 35) return later();
    if (at < 40) return Promise.resolve();
    if (at < 42) return this.fails && random.isOneOf(3) ? this.fail() : undefined;
    if (this.contexts.length === 0) return undefined;
    const of = random.pick(this.contexts);
    if (at < 50) return this.destroy(of);
    return this.build(of);
  }

  async run() {
    for (let i = 5 + this.random.below(50); i > 0; --i) await this.step();
    const wrong = (await Promise.all(this.pending)).filter(Boolean);
    const after = new Orders(this.webnn, 1);
    await after.addContext();
    after.build(after.contexts[0]);
    wrong.push(...(await Promise.all(after.pending)).filter(Boolean));
    for (const of of [...this.contexts, ...after.contexts]) this.destroy(of);
    return wrong;
  }
}

function watchWorkers() {
  const Original = globalThis.Worker;
  globalThis.workers = [];
  globalThis.Worker = class Worker extends Original {
    constructor(url, options) {
      super(url, options);
      globalThis.workers.push(this);
    }
  };
}

export default async function run(webnn, {count, seed, fails}) {
  watchWorkers();
  const wrong = [];
  let computed = 0;
  for (let i = 0; i < Number(count); ++i) {
    const orders = new Orders(webnn, Number(seed) + i, fails === 'true');
    const found = await orders.run().catch((error) => [`${describe(error)}\n${error.stack}`]);
    wrong.push(...found.map((text) => `seed ${Number(seed) + i}: ${text}`));
    computed += orders.computed;
  }
  return {wrong, computed};
}
