'use strict';
// Tests sessions of models that no single graph can hold. Expected values are computed by hand.
const assert = require('node:assert/strict');
const {spawnSync} = require('node:child_process');
const path = require('node:path');
const test = require('node:test');
const {encodeModel} = require('./onnx_model.js');
const {fixture, webnn} = require('./support.js');

const {InferenceSession, Tensor, load, ml} = webnn;
const float = 1, int64 = 7, bool = 9;  // TensorProto.DataType
const yes = new Tensor('bool', [true], []), no = new Tensor('bool', [false], []);
const vector = (...values) => new Tensor('float32', Float32Array.from(values), [values.length]);

// A model with two outputs: y = `go` ? mean(x) : x, and same = `go`.
const choosing = encodeModel({
  nodes: [['If', ['go'], ['y'], {then_branch: {nodes: [['ReduceMean', ['x'], ['m'], {keepdims: 0}]], outputs: [['m']]},
                                 else_branch: {nodes: [['Identity', ['x'], ['a']]], outputs: [['a']]}}],
          ['Identity', ['go'], ['same']]],
  inputs: [['x', float, ['n']], ['go', bool, []]],
  outputs: [['y'], ['same', bool, []]],
});
// A model with two outputs: indices, the positions of the positive elements of x; and y, these elements doubled.
const selecting = encodeModel({
  nodes: [['Greater', ['x', 'zero'], ['is']], ['NonZero', ['is'], ['places']], ['Squeeze', ['places', 'axis'], ['indices']],
          ['Gather', ['x', 'indices'], ['chosen']], ['Add', ['chosen', 'chosen'], ['y']]],
  initializers: [['zero', float, [], new Float32Array(1)], ['axis', int64, [1], new BigInt64Array(1)]],
  inputs: [['x', float, ['n']]],
  outputs: [['y', float, ['m']], ['indices', int64, ['m']]],
});
// A model that appends x to a cache: present = [past, x], and y = q * present.
const growing = encodeModel({
  nodes: [['Concat', ['past', 'x'], ['present'], {axis: 1}], ['MatMul', ['q', 'present'], ['y']]],
  inputs: [['past', float, [2, 'p']], ['x', float, [2, 's']], ['q', float, [1, 2]]],
  outputs: [['y', float, [1, 't']], ['present', float, [2, 't']]],
});
// A model that repeats sum = sum + 1, `count` times from sum = x. Outputs: last, the last sum; sums, the sums of all iterations.
const looping = encodeModel({
  nodes: [['Loop', ['count', '', 'x'], ['last', 'sums'], {body: {
    nodes: [['Add', ['sum', 'one'], ['next']], ['Identity', ['go'], ['goes']]],
    inputs: [['i', int64, []], ['go', bool, []], ['sum', float, []]],
    outputs: [['goes', bool, []], ['next', float, []], ['next', float, []]],
  }}]],
  initializers: [['one', float, [], new Float32Array([1])]],
  inputs: [['x', float, []], ['count', int64, []]],
  outputs: [['last', float, []], ['sums', float, ['count']]],
});
const noise = encodeModel({nodes: [['RandomNormalLike', ['x'], ['y']]], inputs: [['x', float, [4]]], outputs: [['y', float, [4]]]});
const started = {x: new Tensor('float32', [0], []), count: new Tensor('int64', [2n ** 60n], [])};  // this run would take years

test('each run takes its own branch, and results have the shape of that branch', async () => {
  const session = await InferenceSession.create(choosing);
  for (let round = 0; round < 2; ++round) {
    const mean = await session.run({x: vector(1, 2, 6), go: yes}), all = await session.run({x: vector(1, 2, 6), go: no});
    assert.deepEqual([mean.y.type, mean.y.dims, mean.y.data], ['float32', [], new Float32Array([3])]);
    assert.deepEqual([all.y.dims, all.y.data], [[3], new Float32Array([1, 2, 6])]);
    assert.deepEqual([mean.same.type, mean.same.data, all.same.data], ['bool', new Uint8Array([1]), new Uint8Array([0])]);
  }
  // Other bytes than 0 and 1 in a boolean input reach the model as 1.
  assert.deepEqual((await session.run({x: vector(4, 2), go: [7]})).same.data, new Uint8Array([1]));
  const fixed = await InferenceSession.create(choosing, {dimensions: {n: 2}});  // all dimensions are fixed
  assert.deepEqual((await fixed.run({x: [1, 5], go: true})).y.data, new Float32Array([3]));
  // load() makes a single graph, which cannot hold the model.
  await assert.rejects(load(choosing, {dimensions: {n: 2}}), {name: 'NotSupportedError'});
});

test('shapes depend on values, down to no elements', async () => {
  const session = await InferenceSession.create(selecting);
  const some = await session.run({x: vector(-1, 2, 0, 3)});
  assert.deepEqual([some.y.data, some.indices.data], [new Float32Array([4, 6]), new BigInt64Array([1n, 3n])]);
  const none = await session.run({x: vector(-1, 0)});
  assert.deepEqual([none.y.dims, none.y.data], [[0], new Float32Array(0)]);
  const empty = await session.run({x: vector()});
  assert.deepEqual(empty.indices.dims, [0]);
  assert.deepEqual(Object.keys(await session.run({x: vector(1)}, ['indices'])), ['indices']);
  const y = vector(0, 0);
  assert.equal((await session.run({x: vector(5, 6)}, {y})).y, y);
  assert.deepEqual(y.data, new Float32Array([10, 12]));
  await assert.rejects(session.run({x: vector(5)}, {y}), {name: 'TypeError', message: "run: the tensor for the output 'y' is float32[2], not float32[1]."});
});

test('a cache grows from a size of 0', async () => {
  const session = await InferenceSession.create(growing), q = new Tensor('float32', [1, 10], [1, 2]);
  let past = new Tensor('float32', [], [2, 0]);
  for (let step = 0; step < 3; ++step) {
    const results = await session.run({past, x: new Tensor('float32', [step, step + 1], [2, 1]), q});
    assert.deepEqual([...results.y.data], Array.from({length: step + 1}, (unused, i) => 11 * i + 10));
    past = results.present;
  }
  const empty = new Tensor('float32', [], [3, 0]);
  await assert.rejects(session.run({past, x: empty, q}), {name: 'TypeError', message: /input "x" is \[3, 0\], not \[2, s\]/});
  await assert.rejects(session.run({past, x: {type: 'float32', dims: [2, 0], data: new Float32Array(1)}, q}),
                       {name: 'TypeError', message: "run: 'x': the byte length (4) is not that of float32[2, 0] (0)."});
});

// The decoder gives the same tokens as the documented example of Python's webnn.Decoder.
test('a decoder gives the tokens that it gives in Python', async () => {
  const session = await InferenceSession.create(path.join(__dirname, '../../../examples/generation/decoder.onnx'));
  const row = (values) => new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
  const caches = session.inputNames.filter((name) => name.startsWith('past'));
  let state = Object.fromEntries(caches.map((name) => [name, new Tensor('float32', [], [1, 2, 0, 8])]));
  const text = [1, 2, 3];
  for (let fed = 0; text.length < 7;) {
    const ids = text.slice(fed);
    const results = await session.run({input_ids: row(ids), attention_mask: row(text.map(() => 1)), position_ids: row(ids.map((id, i) => fed + i)), ...state});
    const last = [...results.logits.data.slice(-results.logits.dims[2])];
    fed = text.length;
    text.push(last.indexOf(Math.max(...last)));
    state = Object.fromEntries(caches.map((name) => [name, results[name.replace('past_key_values', 'present')]]));
  }
  assert.deepEqual(text, [1, 2, 3, 16, 10, 16, 3]);
});

test('a loop runs as often as an input says', async () => {
  const session = await InferenceSession.create(looping), x = new Tensor('float32', [5], []);
  for (const count of [0, 3, 2]) {
    const {last, sums} = await session.run({x, count: new Tensor('int64', [BigInt(count)], [])});
    assert.deepEqual([last.data[0], [...sums.data]], [5 + count, Array.from({length: count}, (unused, i) => 6 + i)]);
  }
  const runs = await Promise.all([1n, 4n, 2n].map((count) => session.run({x, count: new Tensor('int64', [count], [])})));
  assert.deepEqual(runs.map(({last}) => last.data[0]), [6, 9, 7]);
});

test('random numbers are those of the seed', async () => {
  const numbers = async (options) => {
    const session = await InferenceSession.create(noise, options), feeds = {x: vector(0, 0, 0, 0)};
    return [await session.run(feeds), await session.run(feeds)].map(({y}) => `${y.data}`);
  };
  const [first, second] = await numbers({seed: 7});
  assert.notEqual(first, second);
  assert.deepEqual(await numbers({seed: 7}), [first, second]);
  assert.notEqual((await numbers({seed: 8}))[0], first);
  assert.notEqual((await numbers({}))[0], (await numbers({}))[0]);
  for (const seed of [-1, 2 ** 60, 'x'])
    await assert.rejects(numbers({seed}), {name: 'TypeError', message: /^create: options: seed /});
});

test('a signal ends a run, and the session works afterwards', async () => {
  const session = await InferenceSession.create(looping), reason = new Error('enough'), controller = new AbortController();
  const run = assert.rejects(session.run(started, {signal: controller.signal}), reason);
  setImmediate(() => controller.abort(reason));
  await run;
  await assert.rejects(session.run(started, {signal: AbortSignal.timeout(20)}), {name: 'TimeoutError'});
  assert.equal((await session.run({...started, count: [2]})).last.data[0], 2);
});

test('release() ends the runs of a session with its own context', async () => {
  const session = await InferenceSession.create(looping), error = {name: 'InvalidStateError', message: 'run: the session was released.'};
  await session.run({...started, count: [1]});
  const run = assert.rejects(session.run(started), error);
  await session.release();
  await run;
  await assert.rejects(session.run(started), error);
});

test('the end of the process ends a run', () => {
  const {status, signal, stderr} = spawnSync(process.execPath, [fixture('exit_in_loop.js')], {encoding: 'utf8', input: looping, timeout: 60e3});
  assert.deepEqual([status, signal], [7, null], stderr);
});

test('a tensor of the context cannot feed such a model', async () => {
  const context = await ml.createContext(), session = await InferenceSession.create(selecting, {context});
  const x = await context.createTensor({dataType: 'float32', shape: [2], writable: true});
  await assert.rejects(session.run({x}), {name: 'NotSupportedError',
                                          message: "run: 'x': an MLTensor cannot feed a model that runs as several graphs; a Tensor can."});
});

test('an operator that nothing can compute is named', async () => {
  const session = InferenceSession.create(encodeModel({nodes: [['NonZero', ['x'], ['y']], ['ImageDecoder', ['y'], ['z']]], inputs: [['x', float, [2]]], outputs: [['z']]}));
  await assert.rejects(session.then((made) => made.run({x: vector(1, 0)})), {name: 'NotSupportedError', message: /ImageDecoder/});
});
