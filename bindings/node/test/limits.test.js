'use strict';
// Tests limits and AbortSignals: their errors, and that contexts remain usable afterwards.
const assert = require('node:assert/strict');
const test = require('node:test');
const {webnn} = require('./support.js');

const {MLGraphBuilder, ml} = webnn;

// Builds y = x * x (matrix product) for x of [size, size], and makes tensors for it.
async function product(context, size, options) {
  const builder = new MLGraphBuilder(context);
  const shape = [size, size];
  const x = builder.input('x', {dataType: 'float32', shape});
  const graph = await builder.build({y: builder.matmul(x, x)}, options);
  const inputs = {x: await context.createTensor({dataType: 'float32', shape, writable: true})};
  const outputs = {y: await context.createTensor({dataType: 'float32', shape, readable: true})};
  return {graph, inputs, outputs};
}

async function expectUsable(context) {
  const {graph, inputs, outputs} = await product(context, 2);
  context.writeTensor(inputs.x, new Float32Array([1, 1, 1, 1]));
  context.dispatch(graph, inputs, outputs);
  assert.deepEqual([...new Float32Array(await context.readTensor(outputs.y))], [2, 2, 2, 2]);
}

// The reference backend would need minutes for this product. The signal may arrive before or during the run, and must stop the
// run in both cases.
test('a signal ends a run, and its readers get an AbortError', async () => {
  const context = await ml.createContext({backend: 'reference'});
  const {graph, inputs, outputs} = await product(context, 4096);
  const controller = new AbortController();
  context.dispatch(graph, inputs, outputs, {signal: controller.signal});
  const read = context.readTensor(outputs.y);
  controller.abort();
  await assert.rejects(read, {name: 'AbortError', message: 'dispatch: a stop was requested.'});
  await expectUsable(context);
});

test('a signal that is aborted refuses calls with its reason', async () => {
  const context = await ml.createContext();
  const {graph, inputs, outputs} = await product(context, 2);
  const reason = new Error('enough');
  const signal = AbortSignal.abort(reason);
  assert.throws(() => context.dispatch(graph, inputs, outputs, {signal}), reason);
  await assert.rejects(product(context, 2, {signal}), reason);
  await expectUsable(context);
});

test('a signal ends a build with its reason', async () => {
  const context = await ml.createContext({backend: 'reference'});
  const {graph, inputs, outputs} = await product(context, 4096);
  context.dispatch(graph, inputs, outputs);  // the build is queued after this run
  const controller = new AbortController(), reason = new Error('enough');
  const built = product(context, 2, {signal: controller.signal});
  controller.abort(reason);
  context.destroy();  // stops the run; the build then fails by its signal or by the context's loss
  await assert.rejects(built, (error) => error === reason || error.name === 'InvalidStateError');
});

test('one signal serves many calls', async () => {
  const context = await ml.createContext();
  const {graph, inputs, outputs} = await product(context, 2);
  const {signal} = new AbortController();
  for (let i = 0; i < 100; ++i) context.dispatch(graph, inputs, outputs, {signal});
  await context.readTensor(outputs.y);
});

test('a signal is an AbortSignal', async () => {
  const context = await ml.createContext();
  const {graph, inputs, outputs} = await product(context, 2);
  assert.throws(() => context.dispatch(graph, inputs, outputs, {signal: 1}), TypeError);
  assert.throws(() => context.dispatch(graph, inputs, outputs, 1), TypeError);
  await assert.rejects(product(context, 2, {signal: {}}), TypeError);
});

test('limits of a context', async () => {
  const context = await ml.createContext({limits: {maxMemory: 1000}});
  await assert.rejects(context.createTensor({dataType: 'float32', shape: [1000]}),
                       {name: 'OperationError', message: /a tensor of 4000 bytes is beyond the limit of memory \(maxMemory, 1000 bytes/});
  await context.createTensor({dataType: 'float32', shape: [100]});
  const slow = await ml.createContext({limits: {maxTime: 0}});
  await assert.rejects(product(slow, 2), {name: 'TimeoutError'});
  await assert.rejects(ml.createContext({limits: {maxMemory: -1}}), TypeError);
});
