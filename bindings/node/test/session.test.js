'use strict';
// Tests InferenceSession and Tensor as programs for onnxruntime-node use them.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const {inspect} = require('node:util');
const {encodeModel} = require('./onnx_model.js');
const {webnn: ort} = require('./support.js');

const {InferenceSession, Tensor, ml} = ort;
const mnist = path.join(__dirname, '../../../../shared/models/mnist/opt-mnist.onnx');
const skip = !fs.existsSync(mnist) && `${mnist} is not there`;

const float = 1, boolean = 9;  // TensorProto.DataType
// sum = a + b and positive = a > b, for a and b of [batch, 2]. The input `unused` affects no output.
const model = encodeModel({
  nodes: [['Add', ['a', 'b'], ['sum']], ['Greater', ['a', 'b'], ['positive']]],
  inputs: [['a', float, ['batch', 2]], ['b', float, ['batch', 2]], ['unused', float, [1]]],
  outputs: [['sum', float, ['batch', 2]], ['positive', boolean, ['batch', 2]]],
});
const rows = (values) => new Tensor('float32', Float32Array.from(values), [values.length / 2, 2]);
const unused = new Tensor('float32', new Float32Array(1), [1]);

test('the steps of the quick start: create a session, feed tensors by name, read results by name', async () => {
  const session = await InferenceSession.create(model);
  const a = new ort.Tensor('float32', Float32Array.from([1, 2, 3, 4]), [2, 2]);
  const b = new ort.Tensor('float32', Float32Array.from([4, 3, 2, 1]), [2, 2]);
  const results = await session.run({a, b, unused});
  assert.deepEqual([results.sum.type, results.sum.dims, results.sum.size], ['float32', [2, 2], 4]);
  assert.deepEqual(results.sum.data, new Float32Array([5, 5, 5, 5]));
});

test('changes of feeds after the call have no effect', async () => {
  const session = await InferenceSession.create(model), results = [];
  for (const bytes of [0, 2]) {  // `memory` begins at byte 0 or 16 of a larger buffer
    const data = new Float32Array(2), memory = Buffer.alloc(64).subarray(8 * bytes, 8 * bytes + 8);
    for (let i = 1; i <= 3; ++i) {
      data.fill(i);
      memory.writeFloatLE(10 * i, 0);
      memory.writeFloatLE(20 * i, 4);
      const b = new Tensor('float32', new Float32Array(memory.buffer, memory.byteOffset, 2), [1, 2]);
      results.push([[11 * i, 21 * i], session.run({a: new Tensor('float32', data, [1, 2]), b, unused})]);
    }
    data.fill(-1);
    memory.fill(0);
  }
  for (const [expected, run] of results) assert.deepEqual([...(await run).sum.data], expected);
  const moved = new Float32Array([1, 2]), run = session.run({a: new Tensor('float32', moved, [1, 2]), b: rows([3, 4]), unused});
  structuredClone(moved.buffer, {transfer: [moved.buffer]});
  assert.deepEqual([...(await run).sum.data], [4, 6]);
});

test('CommonJS and ES modules have the same names', async () => {
  const module = await import('../lib/index.mjs');
  for (const name of ['InferenceSession', 'Tensor', 'env', 'load', 'run', 'save']) {
    assert.equal(module[name], ort[name]);
    assert.equal(module.default[name], ort[name]);
  }
});

test('a model of a file', {skip}, async () => {
  const session = await InferenceSession.create(mnist, {executionProviders: ['cpu'], graphOptimizationLevel: 'all', intraOpNumThreads: 1});
  assert.deepEqual(session.inputNames, ['Input3']);
  assert.deepEqual(session.outputNames, ['Plus214_Output_0']);
  const input = new Tensor('float32', new Float32Array(784), [1, 1, 28, 28]);
  const {[session.outputNames[0]]: output} = await session.run({[session.inputNames[0]]: input});
  const bytes = fs.readFileSync(mnist), same = await InferenceSession.create(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  assert.deepEqual((await same.run({Input3: input})).Plus214_Output_0.data, output.data);
  const plain = await InferenceSession.create(mnist, {graphOptimizationLevel: 'disabled'});
  const unoptimized = (await plain.run({Input3: input})).Plus214_Output_0.data;
  output.data.forEach((value, i) => assert.ok(Math.abs(value - unoptimized[i]) < 1e-5));
});

// y = x + a product, next = the rows of cache and x, and total = the sum of these rows. Only `next` and `total` depend on the cache.
test('a cache that grows in each run', async () => {
  const weights = Float32Array.from({length: 32 * 32}, (_, i) => (i % 33 === 0 ? 0.5 : 0));  // half of the identity
  const layers = [0, 1, 2, 3].map((i) => ['MatMul', [i ? `h${i - 1}` : 'x', 'w'], [`h${i}`]]);
  const growing = encodeModel({
    nodes: [...layers, ['Add', ['x', 'h3'], ['y']], ['Concat', ['cache', 'x'], ['next'], {axis: 0}],
            ['ReduceSum', ['next', 'axis'], ['total'], {keepdims: 0}]],
    inputs: [['x', float, [1, 32]], ['cache', float, ['p', 32]]],
    outputs: [['y', float, [1, 32]], ['next', float, ['t', 32]], ['total', float, [32]]],
    initializers: [['w', float, [32, 32], weights], ['axis', 7, [1], BigInt64Array.of(0n)]],
  });
  const session = await InferenceSession.create(growing);
  let cache = new Tensor('float32', new Float32Array(32), [1, 32]), sum = 0;
  for (let step = 1; step < 20; ++step) {
    sum += step;
    const x = new Tensor('float32', new Float32Array(32).fill(step), [1, 32]), {y, next, total} = await session.run({x, cache});
    assert.deepEqual(next.dims, [step + 1, 32]);
    assert.deepEqual(y.data, new Float32Array(32).fill(step * (1 + 1 / 16)));
    assert.deepEqual(total.data, new Float32Array(32).fill(sum));
    cache = next;
  }
  const short = new Tensor('float32', new Float32Array(31), [1, 31]), x = new Tensor('float32', new Float32Array(32), [1, 32]);
  await assert.rejects(session.run({x, cache: short}), {name: 'TypeError', message: /cache/});
  assert.equal((await session.run({x, cache})).next.dims[0], 21);
});

test('inputs and outputs may have names of properties of Object.prototype', async () => {
  const names = Object.getOwnPropertyNames(Object.prototype);
  const named = encodeModel({
    nodes: names.map((name) => ['Neg', [`x${name}`], [name]]).concat(names.map((name) => ['Abs', [name], [`y${name}`]])),
    inputs: names.map((name) => [`x${name}`, float, ['n']]),
    outputs: names.flatMap((name) => [[name, float, ['n']], [`y${name}`, float, ['n']]]),
  });
  const session = await InferenceSession.create(named);
  const feeds = Object.fromEntries(names.map((name, i) => [`x${name}`, new Tensor('float32', [i + 1, i + 2], [2])]));
  for (const fetches of [undefined, {}, names]) {
    const results = await session.run(feeds, fetches);
    names.forEach((name, i) => assert.deepEqual([...Object.getOwnPropertyDescriptor(results, name).value.data], [-i - 1, -i - 2]));
  }
});

test('metadata are the declarations of the file, with bool for boolean', async () => {
  const session = await InferenceSession.create(model);
  assert.deepEqual(session.inputNames, ['a', 'b', 'unused']);
  assert.deepEqual(session.inputMetadata[0], {name: 'a', isTensor: true, type: 'float32', shape: ['batch', 2]});
  assert.deepEqual(session.outputMetadata, [{name: 'sum', isTensor: true, type: 'float32', shape: ['batch', 2]},
                                            {name: 'positive', isTensor: true, type: 'bool', shape: ['batch', 2]}]);
  const fixed = await InferenceSession.create(model, {freeDimensionOverrides: {batch: 3}});
  assert.deepEqual([fixed.inputMetadata[1].shape, fixed.outputMetadata[1].shape], [[3, 2], [3, 2]]);
  assert.equal(fixed.outputMetadata[1].type, 'bool');
});

test('an output that is a sequence has no type and shape, and cannot be fetched', async () => {
  const listed = encodeModel({nodes: [['SequenceConstruct', ['x', 'x'], ['list']], ['Neg', ['x'], ['y']]],
                              inputs: [['x', float, [2]]], outputs: [['y', float, [2]], ['list', [float]]]});
  const session = await InferenceSession.create(listed), x = new Tensor('float32', [1, 2], [2]);
  assert.deepEqual(session.outputMetadata, [{name: 'y', isTensor: true, type: 'float32', shape: [2]}, {name: 'list', isTensor: false}]);
  assert.deepEqual([...(await session.run({x}, ['y'])).y.data], [-1, -2]);
  await assert.rejects(session.run({x}, ['list']), {name: 'NotSupportedError', message: /list/});
});

test('boolean results are tensors of type bool', async () => {
  const {positive} = await (await InferenceSession.create(model)).run({a: rows([1, 5]), b: rows([2, 2]), unused});
  assert.deepEqual([positive.type, positive.data], ['bool', new Uint8Array([0, 1])]);
});

test('no byte but 0 and 1 is fed to a boolean input', async () => {
  const equal = encodeModel({nodes: [['Equal', ['a', 'b'], ['same']]], inputs: [['a', boolean, [3]], ['b', boolean, [3]]], outputs: [['same', boolean, [3]]]});
  const session = await InferenceSession.create(equal), b = new Tensor('bool', [true, true, true]), bytes = new Uint8Array([0, 2, 255]);
  for (const a of [new Tensor('uint8', bytes), new Tensor('bool', bytes), bytes, [0, 2, 255], [false, true, 255]])
    assert.deepEqual((await session.run({a, b})).same.data, new Uint8Array([0, 1, 1]));
  assert.deepEqual(bytes, new Uint8Array([0, 2, 255]));
});

test('the sizes of open dimensions come from the feeds, and graphs are kept for those used last', async () => {
  const session = await InferenceSession.create(model, {graphs: 2});
  const runs = await Promise.all([1, 2, 3, 1, 2, 3, 1].map((count) => session.run({a: rows(Array(2 * count).fill(count)), b: rows(Array(2 * count).fill(1)), unused})));
  assert.deepEqual(runs.map(({sum}) => [sum.dims[0], sum.data[0]]), [1, 2, 3, 1, 2, 3, 1].map((count) => [count, count + 1]));
  await assert.rejects(session.run({a: rows([1, 2]), b: rows([1, 2, 3, 4]), unused}), {name: 'TypeError', message: /"batch" is 1 in input "a" and 2/});
  await assert.rejects(session.run({a: new Tensor([1, 2], [2]), b: rows([1, 2]), unused}), {name: 'TypeError', message: /"a" is \[2\], not \[batch, 2\]/});
  const fixed = await InferenceSession.create(model, {dimensions: {batch: 1}});
  await assert.rejects(fixed.run({a: rows([1, 2, 3, 4]), b: rows([1, 2, 3, 4]), unused}), {name: 'TypeError', message: /batch/});
  assert.deepEqual((await fixed.run({a: [1, 2], b: [[3, 4]], unused: [0]})).sum.data, new Float32Array([4, 6]));
});

test('outputs are chosen by name, and written where the caller has memory', async () => {
  const session = await InferenceSession.create(model), feeds = {a: rows([1, 2]), b: rows([3, 4]), unused};
  assert.deepEqual(Object.keys(await session.run(feeds, ['sum'])), ['sum']);
  const sum = rows([0, 0]);
  const results = await session.run(feeds, {sum, positive: null});
  assert.equal(results.sum, sum);
  assert.deepEqual(sum.data, new Float32Array([4, 6]));
  assert.deepEqual(Object.keys(await session.run(feeds, {tag: 'mine'})), ['sum', 'positive']);
  await assert.rejects(session.run(feeds, ['none']), {name: 'RangeError', message: "run: there is no output 'none'; the outputs are 'sum', 'positive'."});
  await assert.rejects(session.run(feeds, []), TypeError);
  const wrong = {sum: rows([7, 7]), positive: rows([0, 0])};  // one tensor is invalid, so neither may be written
  await assert.rejects(session.run(feeds, wrong), {name: 'TypeError', message: "run: the tensor for the output 'positive' is float32[1, 2], not bool[1, 2]."});
  assert.deepEqual(wrong.sum.data, new Float32Array([7, 7]));
  await assert.rejects(session.run(feeds, {sum: rows([0, 0, 0, 0])}),
                       {name: 'TypeError', message: "run: the tensor for the output 'sum' is float32[2, 2], not float32[1, 2]."});
  const shared = new Tensor('float32', new Float32Array(new SharedArrayBuffer(8)), [1, 2]);
  assert.deepEqual([...(await session.run(feeds, {sum: shared})).sum.data], [4, 6]);
  const short = {type: 'float32', dims: [1, 2], data: new Float32Array(1)};
  await assert.rejects(session.run(feeds, {sum: short}), TypeError);
});

test('the bits of float16 are written, whichever class its view is of', async () => {
  const negation = encodeModel({nodes: [['Neg', ['x'], ['y']]], inputs: [['x', 10, [2]]], outputs: [['y', 10, [2]]]});
  const session = await InferenceSession.create(negation), y = {type: 'float16', dims: [2], data: new Uint16Array(2)};
  await session.run({x: new Tensor('float16', [1.5, -2], [2])}, {y});
  assert.deepEqual(y.data, new Uint16Array([0xbe00, 0x4000]));
});

test('errors of run() give the accepted values', async () => {
  const session = await InferenceSession.create(model), b = rows([1, 2]);
  const messages = [
    [undefined, "run: the feeds are no object {name: tensor} for the inputs 'a', 'b', 'unused'."],
    [b, "run: the feeds are no object {name: tensor} for the inputs 'a', 'b', 'unused'."],
    [{b, unused}, "run: the input 'a' is missing; the inputs are 'a', 'b', 'unused'."],
    [{a: new Tensor('int32', [1, 2], [1, 2]), b, unused}, "run: 'a': a tensor of int32 is none of float32[batch, 2]."],
    [{a: [1, 2], b, unused}, "run: 'a': Array has no dims; new Tensor('float32', data, [batch, 2]) has."],
    [{a: {type: 'float32', dims: ['1', 2], data: new Float32Array(2)}, b, unused}, "run: 'a': 1 in dims [1, 2] is no size."],
    [{a: null, b, unused}, "run: 'a': null has no dims; new Tensor('float32', data, [batch, 2]) has."],
  ];
  for (const [feeds, message] of messages) await assert.rejects(session.run(feeds), {name: 'TypeError', message});
});

test('supported options have an effect, and missing features are errors', async () => {
  const shown = async (options) => inspect(await InferenceSession.create(model, options));
  assert.match(await shown({executionProviders: [{name: 'reference'}]}), /backend: 'reference'/);
  assert.match(await shown({executionProviders: ['cuda', 'cpu'], logSeverityLevel: 3, enableMemPattern: false}), /backend: 'cpu'/);
  assert.match(await shown({executionProviders: [{name: 'webnn', deviceType: 'cpu', powerPreference: 'low-power'}]}), /backend: 'cpu'/);
  await assert.rejects(shown({executionProviders: ['cuda']}), {name: 'NotSupportedError', message: /no execution provider 'cuda'; there are webnn, cpu, /});
  for (const providers of [[], [7], [{}]]) await assert.rejects(shown({executionProviders: providers}), TypeError);
  for (const option of ['enableProfiling', 'optimizedModelFilePath', 'externalData'])
    await assert.rejects(shown({[option]: 'x'}), {name: 'NotSupportedError', message: new RegExp(`there is no ${option}: `)});
  await assert.rejects(shown({graphOptimizationLevel: 'much'}), TypeError);
  await assert.rejects(shown({intraOpNumThreads: -1}), TypeError);
  await assert.rejects(InferenceSession.create(model, 'fast'), TypeError);
  await assert.rejects(InferenceSession.create('nowhere.onnx'), {name: 'NotFoundError', message: /nowhere\.onnx/});
  await assert.rejects(InferenceSession.create(), TypeError);
  const placed = new Uint8Array([0, ...model, 0]);  // the model begins at offset 1 of the buffer
  await assert.rejects(InferenceSession.create(placed, 1, model.length), {name: 'TypeError', message: /only an ArrayBuffer has a byteOffset/});
  assert.deepEqual((await InferenceSession.create(placed.buffer, 1, model.length)).inputNames, ['a', 'b', 'unused']);
  assert.throws(() => new InferenceSession(), {name: 'TypeError', message: 'Illegal constructor'});
});

test('release() frees the context that the session created, and keeps the context of its caller', async () => {
  const context = await ml.createContext();
  const session = await InferenceSession.create(model, {context}), feeds = {a: rows([1, 2]), b: rows([3, 4]), unused};
  await session.run(feeds);
  await session.release();
  await session.release();
  await assert.rejects(session.run(feeds), {name: 'InvalidStateError', message: 'run: the session was released.'});
  await context.createTensor({dataType: 'int8', shape: []});
  assert.match(inspect(session), /released: true/);
  const ofProvider = await InferenceSession.create(model, {executionProviders: [{name: 'webnn', context}]});
  await ofProvider.release();
  await context.createTensor({dataType: 'int8', shape: []});
  await assert.rejects(InferenceSession.create(model, {executionProviders: [{name: 'webnn', context: {}}]}),
                       {name: 'TypeError', message: "create: options: executionProviders: context is not of type 'MLContext'."});
  if (Symbol.asyncDispose) await (await InferenceSession.create(model))[Symbol.asyncDispose]();
});

test('a session that cannot be created destroys the context that it made', async () => {
  const made = [], create = ml.createContext;
  ml.createContext = async (options) => {
    made.push(await create.call(ml, options));
    return made.at(-1);
  };
  try {
    await assert.rejects(InferenceSession.create(Buffer.from('no model')), {name: 'DataError'});
    const controller = new AbortController(), creating = InferenceSession.create(model, {signal: controller.signal});
    controller.abort();
    await assert.rejects(creating, {name: 'AbortError'});
  } finally {
    delete ml.createContext;
  }
  assert.equal(made.length, 2);
  for (const context of made) await assert.rejects(context.createTensor({dataType: 'int8', shape: []}), {name: 'InvalidStateError'});
});

test('sessions and tensors cannot be cloned', async () => {
  const session = await InferenceSession.create(model);
  for (const value of [session, new Tensor('float32', [1], [1])]) assert.throws(() => structuredClone(value), {name: 'DataCloneError'});
});

test('tensors hold every type, from views, arrays and data alone', () => {
  assert.deepEqual([new Tensor([1, 2]).type, new Tensor([true]).type, new Tensor(['a']).type, new Tensor([1n]).type], ['float32', 'bool', 'string', 'int64']);
  assert.deepEqual(new Tensor('bool', [true, false], [2]).data, new Uint8Array([1, 0]));
  assert.deepEqual(new Tensor('int64', [1, -2], [2]).data, new BigInt64Array([1n, -2n]));
  assert.deepEqual(new Tensor(new Float64Array(6), [2, 3]).type, 'float64');
  assert.deepEqual(new Uint16Array(new Tensor('float16', [1, -2], [2]).data.buffer), new Uint16Array([0x3c00, 0xc000]));
  assert.deepEqual(new Tensor('float16', new Uint16Array([0x3c00])).dims, [1]);
  const tensor = new Tensor('float32', [1, 2, 3, 4, 5, 6], [2, 3]);
  assert.deepEqual([tensor.location, tensor.size, tensor.reshape([3, 2]).dims], ['cpu', 6, [3, 2]]);
  assert.equal(inspect(tensor), "Tensor {\n  type: 'float32',\n  dims: [ 2, 3 ],\n  data: Float32Array(6) [ 1, 2, 3, 4, 5, 6 ]\n}");
  tensor.dispose();
  assert.equal(tensor.location, 'none');
  assert.throws(() => tensor.data, /disposed/);
  const wrong = [
    [['float32', [1, 2], [3]], 'Tensor: dims [3] are 3 elements, but the data has 2.'], [['float32', [1], [-1]], 'Tensor: -1 in dims [-1] is no size.'],
    [['float33', [1]], /'float33' is no type; the types are float32, /], [['int32', new Float32Array(1)], 'Tensor: the data of a tensor of int32 is Float32Array, not Int32Array: Int32Array.from(data) has its elements.'],
    [[7], 'Tensor: Number is no data: neither a typed array nor an array.'], [['int64', [0.5]], 'Tensor: 0.5 is no int64.'],
    [['uint8', [300]], 'Tensor: 300 is no uint8.'], [['int16', [40000]], 'Tensor: 40000 is no int16.'], [['uint64', [-1]], 'Tensor: -1 is no uint64.'],
    [['float32', ['a']], "Tensor: 'a' is no float32."], [['string', [1]], 'Tensor: the data of a tensor of strings is no array of strings.'],
  ];
  for (const [args, message] of wrong) assert.throws(() => new Tensor(...args), {name: 'TypeError', message});
});

test('env has the properties that programs set', () => {
  ort.env.logLevel = 'error';
  assert.equal(ort.env.logLevel, 'error');
  assert.throws(() => { ort.env.logLevel = 'loud'; }, TypeError);
  ort.env.wasm.numThreads = 1;
  assert.match(ort.env.versions.node, /^\d+\.\d+\.\d+/);
});
