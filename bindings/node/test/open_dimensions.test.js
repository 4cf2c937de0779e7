'use strict';
// Tests graphs with open dimensions.
const assert = require('node:assert/strict');
const {spawnSync} = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');
const {webnn} = require('./support.js');

const {InferenceSession, MLGraphBuilder, Tensor, ml, save} = webnn;
const makeBuilder = async () => new MLGraphBuilder(await ml.createContext());
const input = (builder, name, shape) => builder.input(name, {dataType: 'float32', shape});
const filled = (value, dims) => new Tensor('float32', new Float32Array(dims.reduce((a, b) => a * b, 1)).fill(value), dims);

test('shapes have names and expressions', async () => {
  const builder = await makeBuilder();
  const x = input(builder, 'x', [{name: 'batch', minSize: 1, maxSize: 64}, 'sequence', 768]);
  assert.deepEqual(x.shape, ['batch', 'sequence', 768]);
  assert.deepEqual(builder.concat([x, x], 1).shape, ['batch', 'sequence * 2', 768]);
  assert.deepEqual(builder.reshape(x, [...x.shape.slice(0, 2), 12, 64]).shape, ['batch', 'sequence', 12, 64]);
  assert.deepEqual(input(builder, 'y', ['3', 2]).shape, [3, 2]);  // WebIDL converts this text to a number
});

test('operations take expressions as sizes', async () => {
  const builder = await makeBuilder(), x = input(builder, 'x', ['n', 'm']);
  assert.deepEqual(builder.reshape(x, ['n * m']).shape, ['m * n']);
  assert.deepEqual(builder.expand(x, [3, 'n', 'm']).shape, [3, 'n', 'm']);
  assert.deepEqual(builder.slice(x, ['n - 1', 0], [1, 'm']).shape, [1, 'm']);
  assert.deepEqual(builder.tile(x, [2, 'n']).shape, ['n * 2', 'm * n']);
  assert.deepEqual(builder.split(x, ['n - 1', 1]).map(({shape}) => shape), [['n - 1', 'm'], [1, 'm']]);
  assert.deepEqual(builder.pad(x, [0, 'n'], [1, 0]).shape, ['n + 1', 'm + n']);
  const image = builder.reshape(x, [1, 1, 'n', 'm']);
  assert.deepEqual(builder.resample2d(image, {sizes: ['n * 2', 3]}).shape, [1, 1, 'n * 2', 3]);
  assert.deepEqual(builder.maxPool2d(image, {windowDimensions: ['n', 1]}).shape, [1, 1, 1, 'm']);
  const weights = builder.constant({dataType: 'float32', shape: [1, 6, 2]}, new Float32Array(12));
  const options = {returnSequence: true, activations: ['sigmoid', 'tanh']};
  assert.deepEqual(builder.gru(input(builder, 's', ['steps', 1, 2]), weights, weights, 'steps', 2, options)[1].shape, ['steps', 1, 1, 2]);
});

test('a session runs with many sizes, also 0', async () => {
  const builder = await makeBuilder(), x = input(builder, 'x', ['n', 2]);
  const session = await builder.buildSession({sum: builder.reduceSum(x, {axes: [0]}), x2: builder.add(x, x)});
  assert.ok(session instanceof InferenceSession);
  assert.deepEqual(session.inputMetadata, [{name: 'x', isTensor: true, type: 'float32', shape: ['n', 2]}]);
  for (const n of [1, 3, 0, 1]) {
    const {sum, x2} = await session.run({x: filled(3, [n, 2])});
    assert.deepEqual([...sum.data], [3 * n, 3 * n]);
    assert.deepEqual([x2.dims, [...x2.data]], [[n, 2], Array(2 * n).fill(6)]);
  }
  const fixed = await makeBuilder();
  const two = await fixed.buildSession({y: fixed.relu(input(fixed, 'x', ['n']))}, {dimensions: {n: 2}, graphs: 1});
  assert.deepEqual(two.inputMetadata[0].shape, [2]);
  assert.deepEqual([...(await two.run({x: [-1, 1]})).y.data], [0, 1]);
  await two.release();
});

test('an output may have no elements although the inputs have some', async () => {
  const builder = await makeBuilder(), x = input(builder, 'x', ['n', 2]);
  const session = await builder.buildSession({rest: builder.slice(x, [1, 0], ['n - 1', 2]), x2: builder.add(x, x)});
  for (const n of [1, 3]) {
    const {rest, x2} = await session.run({x: filled(3, [n, 2])});
    assert.deepEqual([rest.dims, rest.data.length, [...x2.data]], [[n - 1, 2], 2 * n - 2, Array(2 * n).fill(6)]);
  }
});

test('errors name the sizes', async () => {
  const builder = await makeBuilder(), x = input(builder, 'x', ['n', 3]), y = input(builder, 'y', [{name: 'm', maxSize: 4}, 3]);
  const session = await builder.buildSession({z: builder.add(x, y, {label: 'sum'})});
  await assert.rejects(session.run({x: filled(1, [2, 3]), y: filled(1, [3, 3])}), {name: 'TypeError', message: /sum.*\(with n = 2, m = 3\)/});
  await assert.rejects(session.run({x: filled(1, [1, 3]), y: filled(1, [5, 3])}), {name: 'TypeError', message: /more than its largest size \(4\)/});
  assert.deepEqual((await session.run({x: filled(1, [1, 3]), y: filled(1, [3, 3])})).z.dims, [3, 3]);
});

test('wrong arguments', async () => {
  const other = await makeBuilder(), builder = await makeBuilder(), x = input(builder, 'x', [2, 3]);
  for (const shape of [['n m'], [{}], [{name: 'n + 1', maxSize: 3}], [{name: 'n', minSize: -1}], ['Infinity'], 'n'])
    assert.throws(() => input(other, 'y', shape), TypeError);
  assert.throws(() => builder.reshape(x, ['2 *']), {name: 'TypeError', message: /at character 4/});
  assert.throws(() => builder.transpose(x, {permutation: ['n', 0]}), TypeError);
  assert.throws(() => builder.constant({dataType: 'float32', shape: ['n']}, new Float32Array(1)), TypeError);
  // None of the failed calls made this a builder with open dimensions.
  const graph = await builder.build({y: builder.reshape(x, ['2 * 3'])});
  assert.deepEqual(graph.outputs.y.shape, [6]);
  await assert.rejects(builder.buildSession({}), {name: 'InvalidStateError'});
});

test('open graphs need a session, and names are saved', async () => {
  const builder = await makeBuilder(), y = builder.relu(input(builder, 'x', ['batch', 'past + 1']));
  const z = builder.neg(input(builder, 'past', ['past']));
  await assert.rejects(builder.build({y}), {name: 'TypeError', message: /open dimensions/});
  await assert.rejects(builder.buildSession({y: {}}), TypeError);
  await assert.rejects(builder.buildSession({y}, {dimensions: {unknown: 1}}), {name: 'TypeError', message: /unknown/});
  const fresh = await makeBuilder();
  const session = await fresh.buildSession({y: fresh.relu(input(fresh, 'x', ['batch', 'past + 1'])), z: fresh.neg(input(fresh, 'past', ['past']))});
  assert.deepEqual([y.shape, z.shape], [['batch', 'past + 1'], ['past']]);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'webnn-'));
  try {
    for (const name of ['m.webnn', 'm.json']) {
      await save(session, path.join(folder, name));
      const loaded = await InferenceSession.create(path.join(folder, name));
      assert.deepEqual(loaded.inputMetadata, session.inputMetadata);
      assert.deepEqual((await loaded.run({x: filled(1, [2, 3]), past: filled(1, [2])})).y.dims, [2, 3]);
    }
    await save(session, path.join(folder, 'm.mlpackage'));
    assert(fs.readFileSync(path.join(folder, 'm.mlpackage/Data/com.apple.CoreML/model.mlmodel')).includes('[batch, past + 1]'));
  } finally {
    fs.rmSync(folder, {recursive: true});
  }
});

test('where the native part has no open dimensions, as in the web package, text that is no number is a TypeError', () => {
  const program = `
    const {platform} = require('./lib/js/platform.js');
    require('./lib/platform.js');
    platform.native = {...platform.native, openInput: undefined};
    const {MLGraphBuilder, ml} = require('./lib/index.js');
    ml.createContext().then((context) => {
      const builder = new MLGraphBuilder(context), x = builder.input('x', {dataType: 'float32', shape: ['2', 3]});
      for (const call of [() => builder.input('y', {dataType: 'float32', shape: ['n']}), () => builder.reshape(x, ['n']),
                          () => builder.input('y', {dataType: 'float32', shape: [{name: 'n'}]}), () => builder.tile(x, ['n', 1])]) {
        try { call(); } catch (error) { console.log(error.name); }
      }
    });`;
  const {stdout, stderr} = spawnSync(process.execPath, ['-e', program], {cwd: path.join(__dirname, '..'), encoding: 'utf8'});
  assert.equal(stderr, '');
  assert.equal(stdout, 'TypeError\n'.repeat(4));
});
