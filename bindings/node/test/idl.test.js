'use strict';
// Tests that the interfaces conform to https://webidl.spec.whatwg.org/
const assert = require('node:assert/strict');
const test = require('node:test');
const vm = require('node:vm');
const {webnn} = require('./support.js');

const {ML, MLContext, MLGraph, MLGraphBuilder, MLOperand, MLTensor, ml} = webnn;
const float2 = {dataType: 'float32', shape: [2]};

async function makeBuilder() {
  const context = await ml.createContext();
  const builder = new MLGraphBuilder(context);
  return {context, builder, x: builder.input('x', float2)};
}

async function rejects(kind, call) {
  const promise = call();  // must not throw, because errors reject the promise
  assert.ok(promise instanceof Promise);
  await assert.rejects(promise, kind);
}

const members = {
  ML: {createContext: 0},
  MLContext: {dispatch: 3, createTensor: 1, createConstantTensor: 2, readTensor: 1, writeTensor: 2, opSupportLimits: 0,
              destroy: 0, accelerated: null, lost: null, service: null},
  MLGraph: {destroy: 0},
  MLOperand: {dataType: null, shape: null},
  MLTensor: {dataType: null, shape: null, readable: null, writable: null, constant: null, destroy: 0},
  MLGraphBuilder: {input: 2, constant: 1, build: 1, conv2d: 2, gru: 5, lstmCell: 6, split: 2, relu: 1, where: 3},
};

for (const [name, expected] of Object.entries(members)) {
  test(`${name} has the members of its interface, with their attributes`, () => {
    const Interface = webnn[name];
    assert.equal(Interface.name, name);
    assert.equal(Interface.length, name === 'MLGraphBuilder' ? 1 : 0);
    assert.deepEqual(Object.getOwnPropertyDescriptor(Interface, 'prototype').writable, false);
    assert.deepEqual(Object.getOwnPropertyDescriptor(Interface.prototype, Symbol.toStringTag),
                     {value: name, writable: false, enumerable: false, configurable: true});
    assert.equal(Object.getOwnPropertyDescriptor(Interface.prototype, 'constructor').enumerable, false);
    const own = Object.keys(Interface.prototype);  // the members that extensions.js adds are not enumerable
    if (name !== 'MLGraphBuilder') assert.deepEqual(own.sort(), Object.keys(expected).sort());
    for (const [member, length] of Object.entries(expected)) {
      const descriptor = Object.getOwnPropertyDescriptor(Interface.prototype, member);
      assert.equal(descriptor.enumerable, true, member);
      assert.equal(descriptor.configurable, true, member);
      if (length === null) {
        assert.equal(descriptor.get.name, `get ${member}`);
        assert.equal(descriptor.get.length, 0);
        assert.equal(descriptor.set, undefined);
      } else {
        assert.equal(descriptor.writable, true, member);
        assert.equal(descriptor.value.name, member);
        assert.equal(descriptor.value.length, length, member);
        assert.throws(() => Reflect.construct(descriptor.value, []), TypeError);
      }
    }
  });
}

test('the builder has the methods of the operations and three of its own', async () => {
  const {context} = await makeBuilder();
  const {preferredInputLayout, maxTensorByteLength, input, constant, output, ...operations} = context.opSupportLimits();
  assert.deepEqual(Object.keys(MLGraphBuilder.prototype).sort(), [...Object.keys(operations), 'build', 'constant', 'input'].sort());
});

test('interfaces without a constructor cannot be constructed', () => {
  for (const Interface of [ML, MLContext, MLGraph, MLOperand, MLTensor]) {
    assert.throws(() => new Interface(), {name: 'TypeError', message: 'Illegal constructor'});
  }
  assert.throws(() => MLGraphBuilder(), TypeError);
  assert.throws(() => new MLGraphBuilder(), TypeError);
  assert.throws(() => new MLGraphBuilder({}), TypeError);
});

test('objects without the brand are refused, by a rejection where a promise is returned', async () => {
  const {builder, context, x} = await makeBuilder();
  const attribute = (Interface, name) => Object.getOwnPropertyDescriptor(Interface.prototype, name).get;
  for (const wrong of [undefined, 1, {}, MLOperand.prototype, context]) {
    assert.throws(() => attribute(MLOperand, 'shape').call(wrong), TypeError);
    assert.throws(() => builder.relu.call(wrong, x), {name: 'TypeError', message: 'Illegal invocation'});
    await rejects(TypeError, () => builder.build.call(wrong, {}));
    await rejects(TypeError, () => ml.createContext.call(wrong));
  }
  await rejects(TypeError, () => attribute(MLContext, 'lost').call({}));
  await rejects(TypeError, () => context.createTensor.call({}, float2));
});

test('too few arguments are a TypeError, before anything is converted', async () => {
  const {builder, context, x} = await makeBuilder();
  assert.throws(() => builder.add(x), TypeError);
  assert.throws(() => context.dispatch({}, {}), TypeError);
  assert.throws(() => context.writeTensor(), TypeError);
  await rejects(TypeError, () => context.createTensor());
  await rejects(TypeError, () => context.readTensor());
  await rejects(TypeError, () => builder.build());
});

test('an integer of [EnforceRange] is truncated, and must be within the range', async () => {
  const {builder, x} = await makeBuilder();
  const made = (size) => builder.expand(x, [size, 2]).shape[0];
  assert.equal(made(3.9), 3);
  assert.equal(made('4'), 4);
  assert.equal(made({valueOf: () => 5}), 5);
  for (const wrong of [-1, 2 ** 32, NaN, Infinity, 1n, Symbol('s'), undefined]) assert.throws(() => made(wrong), TypeError);
  assert.deepEqual(builder.softmax(x, -0.5).shape, [2]);
  assert.throws(() => builder.triangular(builder.expand(x, [2, 2]), {diagonal: 2 ** 31}), TypeError);
});

test('an integer without [EnforceRange] wraps', async () => {
  const {builder, x} = await makeBuilder();
  assert.deepEqual(builder.tile(x, [2 ** 32 + 3]).shape, [6]);
  assert.deepEqual(builder.cumulativeSum(x, 2 ** 32).shape, [2]);
});

test('a double must be finite, an MLNumber need not', async () => {
  const {builder, x} = await makeBuilder();
  for (const wrong of [NaN, Infinity, 'x', 1n]) assert.throws(() => builder.elu(x, {alpha: wrong}), TypeError);
  builder.elu(x, {alpha: '0.5'});
  builder.clamp(x, {minValue: -Infinity, maxValue: 10n ** 30n});
  assert.throws(() => builder.clamp(x, {minValue: Symbol('s')}), TypeError);
  assert.throws(() => builder.clamp(x, {minValue: 2, maxValue: 1n}), TypeError);
});

test('sequences are any iterables but text; records have own enumerable members', async () => {
  const {builder, x} = await makeBuilder();
  assert.deepEqual(builder.reshape(x, new Set([1, 2])).shape, [1, 2]);
  assert.deepEqual(builder.reshape(x, new Uint8Array([2, 1])).shape, [2, 1]);
  assert.throws(() => builder.reshape(x, '12'), TypeError);
  assert.throws(() => builder.reshape(x, {length: 1, 0: 2}), TypeError);
  assert.throws(() => builder.concat(x, 0), TypeError);
  assert.equal(builder.split(x, 2).length, 2);
  assert.equal(builder.split(x, [1, 1]).length, 2);
  const outputs = Object.create({inherited: 1}, {hidden: {value: 2, enumerable: false}});
  outputs.y = builder.relu(x);
  assert.ok(await builder.build(outputs) instanceof MLGraph);
});

test('dictionaries take undefined and null, read members by name, and demand those that are required', async () => {
  const {builder, x} = await makeBuilder();
  builder.relu(x, undefined);
  builder.relu(x, null);
  assert.throws(() => builder.relu(x, 1), TypeError);
  const read = [];
  const options = new Proxy({}, {get: (target, key) => void read.push(key)});
  builder.gemm(builder.reshape(x, [1, 2]), builder.reshape(x, [2, 1]), options);
  assert.deepEqual(read, ['label', 'aTranspose', 'alpha', 'bTranspose', 'beta', 'c']);
  assert.throws(() => builder.input('y', {dataType: 'float32'}), TypeError);
  assert.throws(() => builder.input('y', {shape: [1]}), TypeError);
  assert.throws(() => builder.input('y', undefined), TypeError);
  assert.throws(() => builder.input('y', {dataType: 'float64', shape: [1]}), TypeError);
});

test('text of a USVString is well-formed, and enumerations know their values', async () => {
  const {builder, x} = await makeBuilder();
  assert.throws(() => builder.input(Symbol('s'), float2), TypeError);
  const graph = await builder.build({'\ud800': builder.relu(builder.input('\ud800', float2))});
  assert.ok(graph);
  const other = await makeBuilder();
  assert.throws(() => other.builder.pad(other.x, [0], [0], {mode: 'wrap'}), TypeError);
  assert.throws(() => builder.relu(other.x), {name: 'InvalidStateError'});
  assert.throws(() => other.builder.relu(x), TypeError);
  await rejects(TypeError, () => ml.createContext({powerPreference: 'much'}));
  await rejects(TypeError, () => ml.createContext(1));
});

test('constant() chooses among its overloads', async () => {
  const {builder, context} = await makeBuilder();
  assert.deepEqual(builder.constant(float2, new Float32Array(2)).shape, [2]);
  assert.deepEqual(builder.constant('int64', 5n).shape, []);
  assert.equal(builder.constant('uint8', 300).dataType, 'uint8');
  const tensor = await context.createConstantTensor(float2, new Float32Array(2));
  assert.equal(tensor.constant, true);
  assert.deepEqual(builder.constant(tensor).shape, [2]);
  for (const wrong of [['float32'], [float2], ['float33', 1], [undefined, new Float32Array(2)], [float2, 1], ['int8', Symbol('s')]])
    assert.throws(() => builder.constant(...wrong), TypeError);
});

test('the error for an array instead of bytes gives the accepted types', async () => {
  const {builder} = await makeBuilder();
  assert.throws(() => builder.constant(float2, [1, 2]),
                {name: 'TypeError', message: 'constant: buffer is an array; make a view of it, as by new Float32Array(array).'});
});

test('shapes are frozen, and always the same array', async () => {
  const {context, x} = await makeBuilder();
  assert.ok(Object.isFrozen(x.shape));
  assert.equal(x.shape, x.shape);
  const tensor = await context.createTensor(float2);
  assert.ok(Object.isFrozen(tensor.shape));
  assert.equal(tensor.shape, tensor.shape);
  assert.deepEqual([tensor.readable, tensor.writable, tensor.constant], [false, false, false]);
});

test('objects are not cloned: a DataCloneError, as for other platform objects that are not serializable', async () => {
  const {builder, context, x} = await makeBuilder();
  const tensor = await context.createTensor(float2), graph = await builder.build({y: builder.relu(x)});
  for (const object of [ml, context, builder, x, tensor, graph]) {
    assert.throws(() => structuredClone(object), {name: 'DataCloneError'});
    assert.throws(() => structuredClone({object}), {name: 'DataCloneError'});
  }
});

test('the error of a view of the wrong type has the right article', async () => {
  const {builder} = await makeBuilder();
  const shown = {Int32Array: 'an Int32Array', Uint32Array: 'a Uint32Array'};
  for (const [name, text] of Object.entries(shown)) {
    assert.throws(() => builder.constant(float2, new globalThis[name](2)),
                  {name: 'TypeError', message: `constant: ${text} does not hold float32, but a Float32Array does.`});
  }
});

test('buffers of another realm are taken', async () => {
  const {builder} = await makeBuilder();
  const foreign = vm.runInNewContext('new Float32Array([1, 2])');
  assert.deepEqual(builder.constant(float2, foreign).shape, [2]);
});

test('opSupportLimits() has members in the order of their names', async () => {
  const {context} = await makeBuilder();
  const limits = context.opSupportLimits();
  assert.deepEqual(Object.keys(limits), Object.keys(limits).sort());
  assert.deepEqual(Object.keys(limits.conv2d), ['bias', 'filter', 'input', 'output']);
  assert.ok(limits.relu.input.dataTypes.includes('float32'));
  assert.deepEqual(limits.softmax.input.rankRange, {max: 8, min: 1});
  assert.notEqual(context.opSupportLimits(), limits);
});

test('install() defines the globals that programs for browsers use', async () => {
  webnn.install();
  webnn.install();  // a second call must not fail
  assert.equal(navigator.ml, ml);
  const descriptor = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(navigator), 'ml');
  assert.deepEqual([descriptor.enumerable, descriptor.configurable, descriptor.set], [true, true, undefined]);
  assert.throws(() => descriptor.get.call({}), TypeError);
  for (const name of Object.keys(members)) {
    assert.deepEqual(Object.getOwnPropertyDescriptor(globalThis, name),
                     {value: webnn[name], writable: true, enumerable: false, configurable: true});
  }
});

test('the ES module exports the same', async () => {
  const module = await import('../lib/index.mjs');
  assert.equal(module.ml, ml);
  assert.equal(module.MLGraphBuilder, MLGraphBuilder);
  assert.deepEqual(Object.keys(module).sort(), [...Object.keys(webnn), 'default'].sort());
});
