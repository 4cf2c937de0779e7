'use strict';
// An AbortSignal rejects builds, loads, runs and sessions with its reason. The reference backend would need minutes for
// the large products, so a test whose signal is ignored times out.
const assert = require('node:assert/strict');
const {once} = require('node:events');
const test = require('node:test');
const {setImmediate: turn} = require('node:timers/promises');
const {encodeModel} = require('./onnx_model.js');
const {webnn} = require('./support.js');

const {InferenceSession, MLGraphBuilder, Tensor, load, ml} = webnn;
const reason = new Error('enough');
const slow = {shape: [4096, 4096], x: new Float32Array(4096 * 4096)};
// A model of y = x * x (matrix product) for x of [n, n].
const square = encodeModel({nodes: [['MatMul', ['x', 'x'], ['y']]], inputs: [['x', 1, ['n', 'n']]], outputs: [['y', 1, ['n', 'n']]]});

// Builds the graph x * x (matrix product) for x of [size, size].
async function makeSquare(context, size, options) {
  const builder = new MLGraphBuilder(context), x = builder.input('x', {dataType: 'float32', shape: [size, size]});
  return builder.build({y: builder.matmul(x, x)}, options);
}

test('a run that has begun, and one that waits behind it', async () => {
  const context = await ml.createContext({backend: 'reference'}), graph = await makeSquare(context, 4096), small = await makeSquare(context, 1);
  const controller = new AbortController(), behind = new AbortController();
  const run = graph.run({x: slow.x}, {signal: controller.signal}), waiting = small.run({x: [3]}, {signal: behind.signal});
  const waited = assert.rejects(waiting, reason), build = makeSquare(context, 2, {signal: behind.signal});
  const built = assert.rejects(build, reason);
  await turn();
  behind.abort(reason);
  await waited;  // settles while the first run still executes
  await built;
  controller.abort(reason);
  await assert.rejects(run, reason);
  assert.deepEqual((await small.run({x: [3]})).y, new Float32Array([9]));
  await assert.rejects(graph.run({x: slow.x}, {signal: AbortSignal.abort(reason)}), reason);
});

test('a run that takes longer than AbortSignal.timeout() says', async () => {
  const graph = await makeSquare(await ml.createContext({backend: 'reference'}), 4096);
  await assert.rejects(graph.run({x: slow.x}, {signal: AbortSignal.timeout(1)}), {name: 'TimeoutError'});
});

test('a load', async () => {
  const options = {dimensions: {n: 2}}, controller = new AbortController();
  const loading = load(square, {...options, signal: controller.signal});
  controller.abort(reason);
  await assert.rejects(loading, reason);
  await assert.rejects(load(square, {...options, signal: AbortSignal.abort(reason)}), reason);
  assert.deepEqual((await (await load(square, options)).run({x: [1, 2, 3, 4]})).y, new Float32Array([7, 10, 15, 22]));
});

test('a session: its creation, its compilations and its runs', async () => {
  const controller = new AbortController(), {signal} = controller;
  const creating = InferenceSession.create(square, {signal});
  controller.abort(reason);
  await assert.rejects(creating, reason);
  const session = await InferenceSession.create(square, {executionProviders: ['reference']});
  const aborted = new AbortController(), runs = [2, 4096].map((n) => {
    const x = n === 2 ? new Tensor([1, 2, 3, 4], [2, 2]) : new Tensor(slow.x, slow.shape);
    return assert.rejects(session.run({x}, {signal: aborted.signal}), reason);
  });
  const other = session.run({x: new Tensor([1, 2, 3, 4], [2, 2])});  // waits for the same compilation, which must not be aborted
  aborted.abort(reason);
  await Promise.all(runs);
  assert.deepEqual((await other).y.data, new Float32Array([7, 10, 15, 22]));
  const late = new AbortController(), run = session.run({x: new Tensor(slow.x, slow.shape)}, {signal: late.signal});
  await session.run({x: new Tensor([1], [1, 1])}, {signal: AbortSignal.timeout(1)}).catch(() => {});
  late.abort(reason);
  await assert.rejects(run, reason);
});

test('one signal for many calls at a time is no leak of listeners', async () => {
  const graph = await load(square, {dimensions: {n: 1}}), session = await InferenceSession.create(square), {signal} = new AbortController();
  const warned = new AbortController();
  const warning = once(process, 'warning', {signal: warned.signal});
  await Promise.all(Array.from({length: 50}, () => Promise.all([graph.run({x: [1]}, {signal}), session.run({x: new Tensor([1], [1, 1])}, {signal})])));
  await turn();
  warned.abort();
  await assert.rejects(warning, {name: 'AbortError'});
});
