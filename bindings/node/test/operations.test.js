'use strict';
// Tests that every operation can be built and computes correct results.
const assert = require('node:assert/strict');
const {existsSync, readFileSync, readdirSync} = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const {graphOf, webnn} = require('./support.js');
const {runCase} = require('./vectors.js');

const {MLGraphBuilder, ml} = webnn;
const vectors = process.env.WEBNN_VECTORS ?? path.join(__dirname, '../../../../shared/wpt');

const operationNames = Object.keys(MLGraphBuilder.prototype).filter((name) => !['input', 'constant', 'build'].includes(name));

async function computes(expected, make, ...inputs) {
  const {run} = await graphOf(make, ...inputs.map(({shape}) => shape));
  const actual = Array.from(new Float32Array(await run(...inputs.map(({values}) => values))));
  assert.deepEqual(actual, expected);
}

const x = {shape: [2, 2], values: [1, -2, 3, 4]};

test('values computed by hand', async () => {
  await computes([1, 0, 3, 4], (builder, a) => builder.relu(a), x);
  await computes([2, -4, 6, 8], (builder, a) => builder.add(a, a), x);
  await computes([-5, -10, 15, 10], (builder, a) => builder.matmul(a, a), x);
  await computes([1, 3, -2, 4], (builder, a) => builder.transpose(a), x);
  await computes([-2, 4], (builder, a) => builder.slice(a, [0, 1], [2, 1]), x);
  await computes([-1, 7], (builder, a) => builder.reduceSum(a, {axes: [1]}), x);
  await computes([6], (builder, a) => builder.conv2d(builder.reshape(a, [1, 1, 2, 2]), builder.constant(
    {dataType: 'float32', shape: [1, 1, 2, 2]}, new Float32Array([1, 1, 1, 1]))), x);
  await computes([4], (builder, a) => builder.maxPool2d(builder.reshape(a, [1, 1, 2, 2])), x);
  await computes([1, -2, 2, 2], (builder, a) => builder.clamp(a, {maxValue: 2}), x);
  await computes([9, 1, -2, 9, 9, 3, 4, 9], (builder, a) => builder.pad(a, [0, 1], [0, 1], {value: 9n}), x);
  await computes([4, -8, 12, 16], (builder, a) => builder.gemm(a, builder.constant(
    {dataType: 'float32', shape: [2, 2]}, new Float32Array([2, 0, 0, 2])), {alpha: 2}), x);
});

// Operations without test vectors: {name: [expected values, make(builder, operand)]}.
const byHand = {
  gatherND: [[-2, 3], (builder, a) => builder.gatherND(a, builder.constant({dataType: 'int32', shape: [2, 2]}, new Int32Array([0, 1, 1, 0])))],
  isInfinite: [[0, 1, 0, 0], (builder, a) => builder.cast(builder.isInfinite(builder.log(builder.add(a, builder.constant('float32', 2)))), 'float32')],
  isNaN: [[0, 1, 0, 0], (builder, a) => builder.cast(builder.isNaN(builder.sqrt(a)), 'float32')],
  lstmCell: [[0.5, -1, 1.5, 2], (builder, a) => {  // with zero weights, the forget gate is 1/2 and the cell gate 0: halves the cell state
    const zeros = (...shape) => builder.constant({dataType: 'float32', shape}, new Float32Array(shape[0] * shape[1]));
    return builder.lstmCell(a, zeros(8, 2), zeros(8, 2), zeros(2, 2), a, 2)[1];
  }],
  roundEven: [[0, -2, 2, 4], (builder, a) => builder.roundEven(builder.sub(a, builder.constant('float32', 0.5)))],
};

for (const [name, [expected, make]] of Object.entries(byHand)) {
  test(`${name} by hand`, async () => {
    await computes(expected, make, x);
  });
}

test('numbers of 64 bits are exact', async () => {
  const context = await ml.createContext();
  const builder = new MLGraphBuilder(context);
  const y = builder.add(builder.constant('int64', 2n ** 62n + 1n), builder.constant('int64', 5));
  const z = builder.identity(builder.constant('uint64', 2n ** 64n - 1n));
  const graph = await builder.build({y, z});
  const outputs = {y: await context.createTensor({dataType: 'int64', shape: [], readable: true}),
                   z: await context.createTensor({dataType: 'uint64', shape: [], readable: true})};
  context.dispatch(graph, {}, outputs);
  assert.equal(new BigInt64Array(await context.readTensor(outputs.y))[0], 2n ** 62n + 6n);
  assert.equal(new BigUint64Array(await context.readTensor(outputs.z))[0], 2n ** 64n - 1n);
});

test('large constants of one shape stay apart', async () => {
  const shape = [2000], filled = (value) => new Float32Array(2000).fill(value);
  const {run} = await graphOf((builder, a) => [1, 20, 300].reduce(
    (sum, value) => builder.add(sum, builder.constant({dataType: 'float32', shape}, filled(value))), a), shape);
  assert.deepEqual(new Float32Array(await run([...filled(4000)])), filled(4321));
});

test('messages have the shortest decimals', async () => {
  const builder = new MLGraphBuilder(await ml.createContext());
  const inputs = Object.fromEntries(['float32', 'int64', 'uint64'].map((dataType) => [dataType, builder.input(dataType, {dataType, shape: []})]));
  const cases = [
    ['float32', 0.25, -(2 ** -20), '0.25', '-9.5367431640625e-07'],
    ['float32', 2 ** 100, 2 ** 49, '1.2676506002282294e+30', '562949953421312'],
    ['float32', 2 ** 54, 2 ** -14, '1.8014398509481984e+16', '6.103515625e-05'],
    ['float32', 2 ** -13, -(2 ** -13), '0.0001220703125', '-0.0001220703125'],
    ['float32', Infinity, -Infinity, 'inf', '-inf'],
    ['int64', 2n ** 62n, -(2n ** 63n), '4611686018427387904', '-9223372036854775808'],
    ['uint64', 2n ** 64n - 1n, 0, '18446744073709551615', '0'],
  ];
  for (const [type, minValue, maxValue, least, most] of cases) {
    assert.throws(() => builder.clamp(inputs[type], {minValue, maxValue, label: '{}}{ \u0007\u202e'}), ({message}) =>
      message.includes('"{}}{ \\u{0007}\\u{202E}"') && message.endsWith(`: minValue (${least}) is greater than maxValue (${most}).`));
  }
});

test('all operations compute the test vectors', {skip: !existsSync(vectors) && 'the vectors are not there'}, async () => {
  const context = await ml.createContext();
  const called = new Set(), problems = [];
  let count = 0;
  for (const file of readdirSync(vectors).filter((name) => name.endsWith('.json'))) {
    for (const each of JSON.parse(readFileSync(path.join(vectors, file), 'utf8')).cases) {
      if (each.name.includes('large inputs')) continue;  // skip tensors of 36 million elements
      const problem = await runCase(context, each, called).catch((error) => `${error}`);
      ++count;
      if (problem) problems.push(`${file}: ${each.name}: ${problem}`);
    }
  }
  assert.deepEqual(problems, [], `of ${count}`);
  assert.deepEqual(operationNames.filter((name) => !called.has(name) && !byHand[name]), []);
});
