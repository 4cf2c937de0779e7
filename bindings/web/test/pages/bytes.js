// Compares products of 8-bit and 4-bit numbers with sums in JavaScript, which are exact because all are below 2^24. Parameters:
// `threads`, `relaxedSimd`, `count` of random graphs, `seed`.
import {randomOf} from '/test/support/random.js';

const ranges = {int8: [-128, 127], uint8: [0, 255], int4: [-8, 7], uint4: [0, 15]};
const one = {dataType: 'float32', shape: []};

function numbersOf(seed) {
  const {below, pick} = randomOf(seed);
  // Returns a random number, mostly at a limit of the range.
  const element = (type) => {
    const [least, most] = ranges[type];
    return below(4) < 3 ? pick([least, most, least, most, 0, least + 1]) : least + below(most - least + 1);
  };
  return {below, pick, element, elements: (type, size) => Array.from({length: size}, () => element(type))};
}

function packed(type, values) {
  if (!type.endsWith('4')) return type === 'int8' ? Int8Array.from(values) : Uint8Array.from(values);
  const bytes = new Uint8Array(Math.ceil(values.length / 2));
  values.forEach((value, i) => { bytes[i >> 1] |= (value & 15) << (4 * (i & 1)); });
  return bytes;
}

// Returns random numbers minus a zero point, as an operand and as numbers, and the packed bytes of the numbers before the subtraction.
function dequantized(builder, random, type, shape, source) {
  const zero = random.element(type), scale = builder.constant({...one, shape: shape.map(() => 1)}, new Float32Array([1]));
  const zeroPoint = builder.constant({dataType: type, shape: shape.map(() => 1)}, packed(type, [zero]));
  const values = random.elements(type, shape.reduce((a, b) => a * b, 1));
  return {operand: builder.dequantizeLinear(source(packed(type, values)), scale, zeroPoint), values: values.map((value) => value - zero), bytes: packed(type, values)};
}

// Multiplies matrices: [m, k] x [k, n] -> [m, n].
function product(a, b, m, k, n) {
  const sums = new Float32Array(m * n);
  for (let i = 0; i < m; ++i)
    for (let j = 0; j < n; ++j)
      for (let l = 0; l < k; ++l) sums[i * n + j] += a[i * k + l] * b[l * n + j];
  return sums;
}

// Builds and runs a random graph. Returns a description if the result is wrong.
async function difference({MLGraphBuilder}, context, random) {
  const builder = new MLGraphBuilder(context);
  const left = random.pick(['int8', 'uint8']), right = random.pick(['int8', 'uint8', 'int8', 'uint8', 'int4', 'uint4']);
  const [m, k, n] = [1 + random.below(random.pick([2, 20, 40])), 1 + random.below(random.pick([5, 70, 200])), 1 + random.below(random.pick([5, 40, 100]))];
  const isConvolution = random.below(3) === 0;
  const shapes = isConvolution ? [[1, 1, m, k], [n, 1, 1, k]] : [[m, k], [k, n]];
  const what = `${left}[${shapes[0]}] x ${right}[${shapes[1]}]`;
  const a = dequantized(builder, random, left, shapes[0], () => builder.input('a', {dataType: left, shape: shapes[0]}));
  const b = dequantized(builder, random, right, shapes[1], (bytes) => builder.constant({dataType: right, shape: shapes[1]}, bytes));
  const y = isConvolution ? builder.conv2d(a.operand, b.operand, {inputLayout: 'nhwc', filterLayout: 'ohwi'}) : builder.matmul(a.operand, b.operand);
  const columns = isConvolution ? b.values.map((_, at) => b.values[(at % n) * k + Math.floor(at / n)]) : b.values;
  const graph = await builder.build({y});
  const input = await context.createTensor({dataType: left, shape: shapes[0], writable: true});
  const output = await context.createTensor({dataType: 'float32', shape: y.shape, readable: true});
  context.writeTensor(input, a.bytes);
  context.dispatch(graph, {a: input}, {y: output});
  const found = new Float32Array(await context.readTensor(output)), expected = product(a.values, columns, m, k, n);
  for (const each of [graph, input, output]) each.destroy();
  const at = expected.findIndex((value, i) => value !== found[i]);
  return at < 0 ? undefined : `${what}: [${at}] is ${found[at]}, not ${expected[at]}`;
}

export default async function run(webnn, {threads, relaxedSimd, count, seed}) {
  webnn.configure({threads: threads === 'true', relaxedSimd: relaxedSimd === 'true'});
  const context = await webnn.ml.createContext({threads: threads === 'true' ? 3 : 1}), random = numbersOf(Number(seed));
  const differences = [];
  for (let i = 0; i < Number(count); ++i) {
    const text = await difference(webnn, context, random);
    if (text) differences.push(`${i}: ${text}`);
  }
  context.destroy();
  return differences;
}
