// Tests of builders; the parameter `part` selects one. Random programs interleave calls of several builders and contexts, and
// compare results with ../support/exact.js. Parameters: `count` of programs, and the `seed` of the first.
import {gc} from '/test/support/collect.js';
import {countOf, isExact, operations} from '/test/support/exact.js';
import {randomOf} from '/test/support/random.js';

// While constants have at most mostFollowed bytes, calls are sent to the worker immediately.
const mega = 1 << 20, mostFollowed = 16 * mega;
const descriptorOf = (shape) => ({dataType: 'float32', shape});
const settledAs = (promise) => promise.then(() => 'resolved', (error) => error?.name ?? `${error}`);

class Program {
  constructor(webnn, seed) {
    this.webnn = webnn;
    this.random = randomOf(seed);
    this.contexts = [];
    this.builders = [];
    this.results = [];  // promises; each resolves to a text about a difference, or to undefined
    this.bits = [];  // bits of all results, in the order of the builds
  }

  async addContext() { this.contexts.push({context: await this.webnn.ml.createContext({threads: 1}), isLost: false}); }

  addBuilder() {
    const of = this.random.pick(this.contexts);
    if (of.isLost) return;
    this.builders.push({of, builder: new this.webnn.MLGraphBuilder(of.context), operands: [], bytes: 0});
  }

  numbers(shape) { return Array.from({length: countOf(shape)}, () => (this.random.below(33) - 16) / this.random.pick([1, 1, 4])); }
  shape() { return this.random.pick([[3], [2, 3], [2, 3], [1, 4], [2, 2, 2]]); }

  addInput(to) {
    const shape = this.shape(), name = `${this.random.pick(['x', '', '\uFEFF', '__proto__'])}${to.operands.length}`, value = {shape, data: this.numbers(shape)};
    to.operands.push({operand: to.builder.input(name, descriptorOf(shape)), value, inputs: new Map([[name, value]])});
  }

  // Adds a constant from a random kind of buffer. Later changes of the buffer must not affect the graph.
  addConstant(to) {
    const shape = this.shape(), data = this.numbers(shape), how = this.random.pick(['view', 'buffer', 'shared', 'detached', 'equal']);
    if (how === 'equal' && to.data) data.splice(0, Infinity, ...to.data.slice(0, data.length), ...data.slice(to.data.length));
    const Buffer = how === 'shared' && globalThis.SharedArrayBuffer ? SharedArrayBuffer : ArrayBuffer;
    const buffer = new Buffer(4 * data.length + 16), view = new Float32Array(buffer, how === 'buffer' ? 0 : 8, data.length);
    view.set(data);
    const operand = to.builder.constant(descriptorOf(shape), how === 'buffer' ? buffer.slice(0, 4 * data.length) : view);
    if (how === 'detached') structuredClone(buffer, {transfer: [buffer]});
    else view.fill(99);
    to.data = data;
    to.bytes += 4 * data.length;
    to.operands.push({operand, value: {shape, data}});
  }

  // Adds a constant that may bring the builder's total near `mostFollowed`. The new operand is a slice of the constant.
  addLargeConstant(to) {
    const rest = mostFollowed - to.bytes, size = this.random.pick([rest, rest + 4, rest - 4, 4 * mega, 4 * mega + 4, 6 * mega, 16 * mega, 17 * mega]);
    if (size < mega || to.bytes + size > 40 * mega) return;
    const data = this.numbers([3]), bytes = new Float32Array(size / 4), at = this.random.pick([0, size / 8, size / 4 - 3].map(Math.floor));
    bytes.set(data, at);
    const large = to.builder.constant(descriptorOf([size / 4]), bytes);
    bytes.fill(99, at, at + 3);
    to.bytes += size;
    to.operands.push({operand: to.builder.slice(large, [at], [3]), value: {shape: [3], data}});
  }

  async addTensor(to) {
    const shape = this.shape(), data = this.numbers(shape), ends = this.random.pick(['destroyed', 'dropped', 'kept']);
    const tensor = await to.of.context.createConstantTensor(descriptorOf(shape), Float32Array.from(data));
    to.operands.push({operand: to.builder.constant(tensor), value: {shape, data}});
    if (ends === 'destroyed') tensor.destroy();
    if (ends === 'kept') (this.kept ??= []).push(tensor);
  }

  addScalar(to) {
    const number = this.random.pick([1, -1, 0.5]);
    to.operands.push({operand: to.builder.reshape(to.builder.constant('float32', number), [1]), value: {shape: [1], data: [number]}});
  }

  addOperation(to) {
    const {random} = this, recent = to.operands.slice(-8), first = random.pick(recent);
    const name = random.isOneOf(3) && to.name ? to.name : random.pick(Object.keys(operations)), operation = operations[name];
    to.name = name;  // the next call often repeats this operation, with other or equal options
    const options = operation.parameters(random, first.value);
    const others = recent.filter(({value}) => `${value.shape}` === `${first.value.shape}`);
    const operands = operation.operands === 2 ? [first, random.pick(others)] : [first];
    if (!options || operation.accepts?.(first.value, options) === false) return;
    const value = operation.compute(operands.map((each) => each.value), options);
    if (!isExact(value)) return;
    const inputs = new Map(operands.flatMap((each) => [...each.inputs ?? []]));
    to.operands.push({operand: operation.make(to.builder, operands.map(({operand}) => operand), options), value, inputs, isComputed: true});
    if (`${to.operands.at(-1).operand.shape}` !== `${value.shape}`) throw new Error(`${name}: shape ${to.operands.at(-1).operand.shape}, not ${value.shape}`);
  }

  // Makes a call that must throw and have no effect.
  addError(to) {
    const {builder} = to, {operand} = this.random.pick(to.operands), other = this.builders.find((each) => each !== to && each.operands.length > 0);
    const calls = [
      () => builder.reshape(operand, [7, 11]), () => builder.constant(descriptorOf([2]), new Float32Array(3)), () => builder.input('', descriptorOf([1])),
      () => builder.add(operand, other ? other.operands[0].operand : {}), () => builder.gather(operand, operand), () => builder.neg(),
      () => builder.constant(descriptorOf([5 * mega]), new Float32Array(1)),
      () => builder.pad(operand, [], [], {get value() { throw new TypeError('mine'); }}),
    ];
    try {
      this.random.pick(calls)();
      throw new Error('no error');
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }

  // Makes a call of build() that must reject and have no effect.
  failToBuild(to) {
    const outputs = this.random.pick([{}, {'': to.operands[0].operand}, {y: {}}]);
    this.results.push(settledAs(to.builder.build(outputs)).then((how) => (how === 'TypeError' ? undefined : `a wrong build: ${how}`)));
  }

  build(to) {
    const {random} = this, outputs = {}, computed = to.operands.filter(({isComputed}) => isComputed).slice(-10);
    if (computed.length === 0) return;
    for (let i = 1 + random.below(4); i > 0; --i) outputs[`${random.pick(['y', '__proto_', '\uFEFF'])}${i}`] = random.pick(computed);
    this.builders.splice(this.builders.indexOf(to), 1);
    const ends = random.below(12), operands = Object.fromEntries(Object.entries(outputs).map(([name, {operand}]) => [name, operand]));
    if (ends < 2) return this.abort(to, operands, ends === 0);
    const place = this.bits.push(undefined) - 1, building = to.builder.build(operands);
    this.results.push(this.compute(to, building, outputs, place).catch((error) =>
      (to.of.isLost && /^InvalidStateError|tensor is destroyed/.test(`${error.name}: ${error.message}`) ? undefined : `${error.name}: ${error.message}`)));
  }

  abort(to, operands, isLater) {
    const controller = new AbortController(), built = to.builder.build(operands, {signal: controller.signal});
    const abort = () => controller.abort(new Error('enough'));
    isLater ? setTimeout(abort) : abort();
    this.results.push(settledAs(built).then((how) => (['Error', ...(isLater ? ['resolved'] : []), ...(to.of.isLost ? ['InvalidStateError'] : [])].includes(how)
      ? undefined : `an aborted build: ${how}`)));
  }

  async compute(to, building, outputs, place) {
    const {context} = to.of, graph = await building;
    const make = async (named, access) => Object.fromEntries(await Promise.all(Object.entries(named).map(async ([name, {shape}]) =>
      [name, await context.createTensor({...descriptorOf(shape), ...access})])));
    const values = Object.fromEntries(Object.entries(outputs).map(([name, {value}]) => [name, value]));
    const used = Object.fromEntries(Object.values(outputs).flatMap((each) => [...each.inputs]));
    const inputs = await make(used, {writable: true}), found = await make(values, {readable: true});
    for (const [name, tensor] of Object.entries(inputs)) context.writeTensor(tensor, Float32Array.from(used[name].data));
    context.dispatch(graph, inputs, found);
    const bits = [];
    for (const [name, tensor] of Object.entries(found)) {
      const numbers = new Float32Array(await context.readTensor(tensor)), {data} = values[name];
      bits.push(`${new Uint32Array(numbers.buffer)}`);
      const at = data.findIndex((value, i) => value !== numbers[i] && !(value === 0 && numbers[i] === 0));
      if (at >= 0 || data.length !== numbers.length) return `${name}[${at}] is ${numbers[at]}, not ${data[at]}`;
    }
    this.bits[place] = bits.join(';');
    return undefined;
  }

  destroyContext() {
    const alive = this.contexts.filter(({isLost}) => !isLost);
    if (alive.length < 2) return;
    const one = this.random.pick(alive);
    one.isLost = true;
    one.context.destroy();
    this.builders = this.builders.filter(({of}) => of !== one);
  }

  async step() {
    const {random} = this, to = this.builders.length > 0 && random.pick(this.builders), at = random.below(100);
    if (!to || at < 4) return this.addBuilder();
    if (to.operands.length === 0 || at < 10) return random.isOneOf(2) ? this.addInput(to) : this.addConstant(to);
    if (at < 12) return this.addLargeConstant(to);
    if (at < 15) return this.addTensor(to);
    if (at < 17) return this.addScalar(to);
    if (at < 20) return this.addError(to);
    if (at < 21) return this.failToBuild(to);
    if (at < 26) return this.build(to);
    if (at < 27) return void this.builders.splice(this.builders.indexOf(to), 1);
    if (at < 28) return random.isOneOf(4) ? this.destroyContext() : undefined;
    if (at < 31) return random.pick([Promise.resolve(), new Promise((resolve) => setTimeout(resolve))]);
    return this.addOperation(to);
  }

  async run() {
    for (let i = 1 + this.random.below(3); i > 0; --i) await this.addContext();
    for (let i = 40 + this.random.below(200); i > 0; --i) await this.step();
    for (const to of [...this.builders]) if (to.operands.length > 0) this.build(to);
    const differences = (await Promise.all(this.results)).filter(Boolean);
    for (const {context} of this.contexts) context.destroy();
    return differences;
  }
}

// Returns the numbers of objects after garbage collection.
async function leftOf(webnn) {
  const context = await webnn.ml.createContext();
  let left;
  for (let i = 0; i < 100; ++i) {
    await gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
    left = await webnn.configure[Symbol.for('webnn.statistics')]();
    if (['page', 'host'].every((of) => left[of].contexts <= 1 && left[of].builders + left[of].operands + left[of].tensors + left[of].graphs === 0)) break;
  }
  context.destroy();
  return left;
}

// Returns {differences, bits, left}: `bits` of all results (undefined for a lost context), and `left`, the objects that remain.
async function programs(webnn, {count, seed}) {
  const differences = [], bits = [];
  const runOne = async (number) => {
    const program = new Program(webnn, number);
    const found = await program.run().catch((error) => [`${error.name}: ${error.message}\n${error.stack}`]);
    differences.push(...found.map((text) => `seed ${number}: ${text}`));
    bits.push(...program.bits);
  };
  for (let i = 0; i < Number(count); ++i) await runOne(Number(seed) + i);
  return {differences, bits, left: await leftOf(webnn)};
}

// Computes 1 / p for the padding values p = 0 and p = -0, and linear(-1) for alpha 0 and -0, with beta -0. Returns texts that show
// the signs of zeros: a sum is -0 only if both terms are -0.
async function zeros({ml, MLGraphBuilder}) {
  const context = await ml.createContext(), builder = new MLGraphBuilder(context), one = descriptorOf([1]);
  const x = builder.input('x', one), padded = (value) => builder.slice(builder.reciprocal(builder.pad(x, [1], [0], {value})), [0], [1]);
  const y = builder.concat([padded(0), padded(-0), builder.linear(x, {alpha: 0, beta: -0}), builder.linear(x, {alpha: -0, beta: -0})], 0);
  const graph = await builder.build({y}), input = await context.createTensor({...one, writable: true});
  const output = await context.createTensor({...descriptorOf([4]), readable: true});
  context.writeTensor(input, new Float32Array([-1]));
  context.dispatch(graph, {x: input}, {y: output});
  return Array.from(new Float32Array(await context.readTensor(output)), (value) => (Object.is(value, -0) ? '-0' : `${value}`));
}

// Aborts builds before the worker receives them, with small and with large constants. Returns the number of graphs that remain.
async function aborted(webnn) {
  const context = await webnn.ml.createContext(), built = [];
  for (const size of [1, 5 * mega]) {
    const builder = new webnn.MLGraphBuilder(context), controller = new AbortController();
    const y = builder.neg(builder.constant(descriptorOf([size]), new Float32Array(size)));
    built.push(builder.build({y}, {signal: controller.signal}));
    controller.abort(new Error('enough'));
  }
  const reasons = (await Promise.allSettled(built)).map(({reason}) => `${reason}`);
  const {graphs} = (await webnn.configure[Symbol.for('webnn.statistics')]()).host;
  return {built: reasons, graphs};
}

const parts = {aborted, programs, zeros};

export default (webnn, parameters) => parts[parameters.part](webnn, parameters);
