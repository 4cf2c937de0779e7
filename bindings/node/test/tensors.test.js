'use strict';
// Tests buffers, reads, writes, dispatches, and the destruction of contexts, graphs and tensors.
const assert = require('node:assert/strict');
const test = require('node:test');
const {MessageChannel} = require('node:worker_threads');
const {graphOf, products, webnn} = require('./support.js');

const {MLGraphBuilder, ml} = webnn;
const float2 = {dataType: 'float32', shape: [2]};
const invalidState = {name: 'InvalidStateError'};
const floats = (buffer) => Array.from(new Float32Array(buffer));

async function tensorOf(values) {
  const context = await ml.createContext();
  const tensor = await context.createTensor({...float2, readable: true, writable: true});
  if (values) context.writeTensor(tensor, new Float32Array(values));
  return {context, tensor};
}

function detach(buffer) {
  const {port1} = new MessageChannel();
  port1.postMessage(null, [buffer]);
  port1.close();
}

test('a new tensor holds zeros', async () => {
  const {context, tensor} = await tensorOf();
  const buffer = await context.readTensor(tensor);
  assert.ok(buffer instanceof ArrayBuffer);
  assert.deepEqual(floats(buffer), [0, 0]);
});

test('bytes are written from buffers and views of the type, or of bytes', async () => {
  const {context, tensor} = await tensorOf();
  const values = new Float32Array([1, 2]);
  const shared = new SharedArrayBuffer(8);
  new Float32Array(shared).set(values);
  const large = new Float32Array([0, 1, 2, 0]);
  for (const source of [values, values.buffer, new Uint8Array(values.buffer), shared, new Float32Array(shared), large.subarray(1, 3)]) {
    context.writeTensor(tensor, new Float32Array(2));
    context.writeTensor(tensor, source);
    assert.deepEqual(floats(await context.readTensor(tensor)), [1, 2]);
  }
  for (const wrong of [new Float32Array(3), new Int32Array(2), new DataView(values.buffer), new Uint8ClampedArray(8), [1, 2], null])
    assert.throws(() => context.writeTensor(tensor, wrong), TypeError);
  assert.throws(() => context.writeTensor(tensor, new ArrayBuffer(8, {maxByteLength: 16})), TypeError);
});

test('halves are bits of Uint16Array where there is no Float16Array', async () => {
  const context = await ml.createContext();
  const tensor = await context.createTensor({dataType: 'float16', shape: [2], readable: true, writable: true});
  const View = globalThis.Float16Array ?? Uint16Array;
  const values = globalThis.Float16Array ? [1, -2] : [0x3c00, 0xc000];
  context.writeTensor(tensor, new View(values));
  assert.deepEqual(Array.from(new Uint16Array(await context.readTensor(tensor))), [0x3c00, 0xc000]);
  assert.throws(() => context.writeTensor(tensor, new Int16Array(2)), TypeError);
  if (globalThis.Float16Array) assert.throws(() => context.writeTensor(tensor, new Uint16Array(2)), TypeError);
});

test('changing an array after writeTensor() does not change the tensor', async () => {
  const {context, tensor} = await tensorOf();
  const values = new Float32Array([1, 2]);
  context.writeTensor(tensor, values);
  values.fill(9);
  assert.deepEqual(floats(await context.readTensor(tensor)), [1, 2]);
  const builder = new MLGraphBuilder(context);
  const weights = new Float32Array([3, 4]);
  const constant = builder.constant(float2, weights);
  weights.fill(9);
  const graph = await builder.build({y: builder.identity(constant)});
  context.dispatch(graph, {}, {y: tensor});
  assert.deepEqual(floats(await context.readTensor(tensor)), [3, 4]);
});

test('a read fills the buffer that is given, when it is done and not before', async () => {
  const {context, tensor} = await tensorOf([1, 2]);
  const target = new Float32Array(2);
  const reading = context.readTensor(tensor, target);
  const until = Date.now() + 20;
  while (Date.now() < until) assert.deepEqual(Array.from(target), [0, 0]);
  assert.equal(await reading, undefined);
  assert.deepEqual(Array.from(target), [1, 2]);
  const shared = new SharedArrayBuffer(8);
  await context.readTensor(tensor, shared);
  assert.deepEqual(floats(shared), [1, 2]);
  await assert.rejects(context.readTensor(tensor, new Float32Array(3)), TypeError);
  await assert.rejects(context.readTensor(tensor, undefined), TypeError);
});

test('detached buffers are refused, also those that are detached during a read', async () => {
  const {context, tensor} = await tensorOf([1, 2]);
  const gone = new Float32Array(2);
  detach(gone.buffer);
  assert.throws(() => context.writeTensor(tensor, gone), TypeError);
  await assert.rejects(context.readTensor(tensor, gone), TypeError);
  const target = new Float32Array(2);
  const reading = context.readTensor(tensor, target);
  detach(target.buffer);
  await assert.rejects(reading, TypeError);
});

test('dispatches and reads keep their order', async () => {
  const {context, run, graph, inputs, outputs} = await graphOf((builder, x) => builder.add(x, x), [2]);
  assert.deepEqual(floats(await run([1, 2])), [2, 4]);
  const results = [];
  for (let i = 0; i < 50; ++i) {
    context.writeTensor(inputs.x0, new Float32Array([i, -i]));
    context.dispatch(graph, inputs, outputs);
    results.push(context.readTensor(outputs.y));
  }
  const settled = [];
  results.forEach((promise, i) => promise.then(() => settled.push(i)));
  for (const [i, buffer] of (await Promise.all(results)).entries()) assert.deepEqual(floats(buffer), [2 * i, -2 * i]);
  assert.deepEqual(settled, [...settled].sort((a, b) => a - b));
});

test('contexts run side by side', async () => {
  const all = await Promise.all([1, 2, 3].map(() => graphOf((builder, x) => products(builder, x, 5), [32, 32])));
  const values = new Float32Array(32 * 32).fill(0.02);
  const results = await Promise.all(all.map(({run}) => run(values)));
  for (const result of results) assert.deepEqual(result, results[0]);
});

test('a dispatch checks its arguments', async () => {
  const {context, graph, inputs, outputs} = await graphOf((builder, x) => builder.relu(x), [2]);
  const other = await tensorOf();
  const wrongShape = await context.createTensor({dataType: 'float32', shape: [3], writable: true});
  for (const [wrongInputs, wrongOutputs] of [
    [{}, outputs], [inputs, {}], [{...inputs, z: wrongShape}, outputs], [{x0: wrongShape}, outputs],
    [{x0: other.tensor}, outputs], [{x0: outputs.y}, outputs], [{x0: {}}, outputs], [null, outputs],
  ]) assert.throws(() => context.dispatch(graph, wrongInputs, wrongOutputs), TypeError);
  assert.throws(() => other.context.dispatch(graph, inputs, outputs), TypeError);
  graph.destroy();
  assert.throws(() => context.dispatch(graph, inputs, outputs), invalidState);
});

test('tensors are readable and writable only if they were made so', async () => {
  const context = await ml.createContext();
  const tensor = await context.createTensor(float2);
  assert.throws(() => context.writeTensor(tensor, new Float32Array(2)), TypeError);
  await assert.rejects(context.readTensor(tensor), TypeError);
  await assert.rejects(context.createTensor({dataType: 'float32', shape: [0]}), TypeError);
  await assert.rejects(context.createTensor({dataType: 'float32', shape: [2 ** 31]}), TypeError);
});

test('a destroyed tensor rejects the reads that wait, at once', async () => {
  const {context, graph, inputs, outputs} = await graphOf((builder, x) => products(builder, x, 20), [128, 128]);
  context.dispatch(graph, inputs, outputs);
  const reading = context.readTensor(outputs.y);
  outputs.y.destroy();
  outputs.y.destroy();
  await assert.rejects(reading, invalidState);
  await assert.rejects(context.readTensor(outputs.y), TypeError);
  assert.throws(() => context.dispatch(graph, inputs, outputs), TypeError);
});

test('a destroyed context is lost, with all that is in it', async () => {
  const {context, graph, inputs, outputs} = await graphOf((builder, x) => products(builder, x, 20), [128, 128]);
  const builder = new MLGraphBuilder(context);
  const x = builder.input('x', float2);
  const lost = context.lost;
  assert.equal(context.lost, lost);
  context.dispatch(graph, inputs, outputs);
  const pending = [context.readTensor(outputs.y), context.createTensor(float2), builder.build({y: builder.relu(x)})];
  const constant = context.createConstantTensor(float2, new Float32Array(2));
  context.destroy();
  context.destroy();
  const rejected = pending.map((promise) => assert.rejects(promise, invalidState));
  rejected.push(assert.rejects(constant, {...invalidState, message: 'createConstantTensor: the context is lost.'}));
  await Promise.all(rejected);
  const {message} = await lost;
  assert.match(message, /destroy/);
  assert.throws(() => new MLGraphBuilder(context), invalidState);
  await assert.rejects(context.createTensor(float2), invalidState);
  await assert.rejects(context.createConstantTensor(float2, new Float32Array(2)), invalidState);
  assert.throws(() => context.dispatch(graph, inputs, outputs), invalidState);
});

test('a builder builds once, unless its arguments are wrong', async () => {
  const context = await ml.createContext();
  const builder = new MLGraphBuilder(context);
  const x = builder.input('x', float2);
  assert.throws(() => builder.input('x', float2), TypeError);
  assert.throws(() => builder.input('', float2), TypeError);
  for (const wrong of [{}, {y: x}, {'': builder.relu(x)}, {y: {}}, null]) await assert.rejects(builder.build(wrong), TypeError);
  const built = builder.build({y: builder.relu(x)});
  assert.throws(() => builder.relu(x), invalidState);
  assert.throws(() => builder.constant(float2, new Float32Array(7)), invalidState);
  await assert.rejects(builder.build({y: x}), invalidState);
  await built;
});

test('errors of operations name the label', async () => {
  const builder = new MLGraphBuilder(await ml.createContext());
  const x = builder.input('x', float2);
  assert.throws(() => builder.matmul(x, x, {label: 'third layer'}), {name: 'TypeError', message: /\[third layer\].*matmul/});
});

test('messages escape control characters, and omit the middle of long text', async () => {
  const builder = new MLGraphBuilder(await ml.createContext());
  const x = builder.input('x', float2);
  const text = 'a\n\u202eb\x1b[31m', escaped = String.raw`a\u{000A}\u{202E}b\u{001B}[31m`, long = 'x'.repeat(1e6);
  const messageOf = async (call) => {
    try {
      await call();
    } catch (error) {
      assert.equal(error.name, 'TypeError');
      return error.message;
    }
    return assert.fail('no error');
  };
  const begins = [
    [(value) => builder.matmul(x, x, {label: value}), '['],
    [(value) => builder.pad(x, [0], [0], {mode: value}), "pad: options: mode '"],
    [(value) => builder.input('y', {dataType: value, shape: [1]}), "input: descriptor: dataType '"],
    [(value) => ml.createContext({powerPreference: value}), "createContext: options: powerPreference '"],
    [(value) => builder.build({[value]: 1}), "build: outputs: '"],
  ];
  for (const [call, begin] of begins) {
    const message = await messageOf(() => call(text));
    assert.ok(message.startsWith(begin + escaped), message);
    const shortened = await messageOf(() => call(long));
    assert.ok(shortened.length <= 4000 && shortened.startsWith(`${begin}xxx`) && shortened.includes('x ... '), shortened);
  }
  const shape = new Array(1e5).fill(1);
  assert.ok((await messageOf(() => builder.constant({dataType: 'float32', shape}, new Float32Array(2)))).length <= 4000);
  assert.match(await messageOf(() => builder.matmul(x, x, {label: '\u{1F600}'.repeat(3000)})), /^\[\p{Emoji}+\ufffd? \.\.\. /u);
});

test('a backend that is not there is a NotSupportedError', async () => {
  await assert.rejects(ml.createContext({backend: 'abacus'}), {name: 'NotSupportedError', message: /abacus/});
  assert.equal((await ml.createContext({backend: 'reference'})).accelerated, false);
});

test('the event loop turns while a graph runs and while one is built', async () => {
  const {context, graph, inputs, outputs} = await graphOf((builder, x) => products(builder, x, 100), [256, 256]);
  context.dispatch(graph, inputs, outputs);
  let isDone = false, turns = 0;
  const reading = context.readTensor(outputs.y).then(() => (isDone = true));
  while (!isDone) {
    await new Promise(setImmediate);
    ++turns;
  }
  await reading;
  assert.ok(turns > 1, `${turns} turns`);
});

test('readTensor fills a Uint8Array or an Int8Array with the bytes of any type, and no other view of another type', async () => {
  const context = await ml.createContext();
  const tensor = await context.createTensor({dataType: 'float32', shape: [1], readable: true, writable: true});
  context.writeTensor(tensor, new Float32Array([1]));
  for (const View of [Uint8Array, Int8Array]) {
    const bytes = new View(4);
    await context.readTensor(tensor, bytes);
    assert.deepEqual([...bytes], [...new View(new Float32Array([1]).buffer)]);
  }
  await assert.rejects(context.readTensor(tensor, new Int32Array(1)), {name: 'TypeError', message: 'readTensor: an Int32Array does not hold float32, but a Float32Array does.'});
});
