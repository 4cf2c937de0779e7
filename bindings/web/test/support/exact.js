// Operations on float32 operands, and their equivalents in JavaScript. Values are small multiples of 1/16, so neither the
// operations nor their equivalents round. A value is {shape, data: numbers}.

export const countOf = (shape) => shape.reduce((count, size) => count * size, 1);

const stridesOf = (shape) => shape.map((_, axis) => countOf(shape.slice(axis + 1)));

// Returns the value with this shape whose elements are `at(indices)`.
function valueOf(shape, at) {
  const strides = stridesOf(shape);
  const data = Array.from({length: countOf(shape)}, (_, i) => at(shape.map((size, axis) => Math.floor(i / strides[axis]) % size)));
  return {shape, data};
}

const elementOf = ({shape, data}) => {
  const strides = stridesOf(shape);
  return (indices) => data[indices.reduce((sum, index, axis) => sum + index * strides[axis], 0)];
};

const without = (list, axis) => list.filter((_, i) => i !== axis);
const changed = (list, axis, value) => list.map((each, i) => (i === axis ? value : each));
const unary = (compute) => ({parameters: () => ({}), compute: ([x], p) => ({shape: x.shape, data: x.data.map((value) => compute(value, p))})});
const axisOf = ({pick}, {shape}) => pick(shape.map((_, axis) => axis));
const elementwise = (make, compute) => ({
  operands: 2, parameters: () => ({}), make,
  compute: ([a, b]) => ({shape: a.shape, data: a.data.map((value, i) => compute(value, b.data[i]))}),
});
const float = (builder, operand) => builder.cast(operand, 'float32');
// Applies `compute` along an axis: it maps the elements of a row to the elements of the result's row.
function rows(value, axis, size, compute) {
  const of = elementOf(value), found = new Map();
  return valueOf(changed(value.shape, axis, size), (indices) => {
    const key = `${without(indices, axis)}`;
    if (!found.has(key)) found.set(key, compute(Array.from({length: value.shape[axis]}, (_, i) => of(changed(indices, axis, i)))));
    return found.get(key)[indices[axis]];
  });
}

// Operations by name. parameters(random, first operand) returns options, or undefined if no options fit the operand.
// make(builder, operands, options) returns an operand, and compute(values, options) its value. There are few choices, so that
// calls often differ by one option or not at all.
export const operations = {
  add: elementwise((builder, [a, b]) => builder.add(a, b), (a, b) => a + b),
  sub: elementwise((builder, [a, b]) => builder.sub(a, b), (a, b) => a - b),
  mul: elementwise((builder, [a, b]) => builder.mul(a, b), (a, b) => a * b),
  max: elementwise((builder, [a, b]) => builder.max(a, b), Math.max),
  greater: elementwise((builder, [a, b]) => float(builder, builder.greater(a, b)), (a, b) => Number(a > b)),
  greaterOrEqual: elementwise((builder, [a, b]) => float(builder, builder.greaterOrEqual(a, b)), (a, b) => Number(a >= b)),
  where: {
    ...elementwise((builder, [a, b]) => builder.where(builder.lesser(a, b), a, builder.neg(b))), 
    compute: ([a, b]) => ({shape: a.shape, data: a.data.map((value, i) => (value < b.data[i] ? value : -b.data[i]))}),
  },
  neg: {...unary((value) => -value), make: (builder, [x]) => builder.neg(x)},
  abs: {...unary(Math.abs), make: (builder, [x]) => builder.abs(x)},
  relu: {...unary((value) => Math.max(value, 0)), make: (builder, [x]) => builder.relu(x)},
  linear: {
    ...unary((value, {alpha, beta}) => value * alpha + beta), parameters: ({pick}) => ({alpha: pick([1, -1, 2, 0.5]), beta: pick([0, 1, -1])}),
    make: (builder, [x], p) => builder.linear(x, p),
  },
  clamp: {
    ...unary((value, {minValue, maxValue}) => Math.min(Math.max(value, minValue), maxValue)),
    parameters: ({pick}) => ({minValue: pick([-Infinity, -1, 0]), maxValue: pick([1, 2, Infinity])}),
    make: (builder, [x], {minValue, maxValue}) => builder.clamp(x, {...(minValue === -Infinity ? {} : {minValue}), ...(maxValue === Infinity ? {} : {maxValue})}),
  },
  cast: {
    ...unary((value, {to}) => (to === 'float16' ? value : Math.trunc(value))), parameters: ({pick}) => ({to: pick(['int32', 'float16', 'int64'])}),
    make: (builder, [x], {to}) => float(builder, builder.cast(x, to)),
  },
  pad: {
    parameters({pick, below}, {shape}) {
      const beginning = shape.map(() => below(2)), ending = shape.map(() => below(2));
      return {beginning, ending, mode: pick(['constant', 'constant', 'edge', ...(shape.includes(1) ? [] : ['reflection'])]), value: pick([0, 1, -1])};
    },
    make: (builder, [x], {beginning, ending, mode, value}) => builder.pad(x, beginning, ending, {mode, value}),
    compute([x], {beginning, ending, mode, value}) {
      const of = elementOf(x);
      return valueOf(x.shape.map((size, axis) => size + beginning[axis] + ending[axis]), (indices) => {
        const inside = indices.map((index, axis) => index - beginning[axis]);
        if (mode === 'edge') return of(inside.map((index, axis) => Math.min(Math.max(index, 0), x.shape[axis] - 1)));
        if (mode === 'reflection') return of(inside.map((index, axis) => (x.shape[axis] - 1) - Math.abs((x.shape[axis] - 1) - Math.abs(index))));
        return inside.every((index, axis) => index >= 0 && index < x.shape[axis]) ? of(inside) : value;
      });
    },
  },
  slice: {
    parameters({below}, {shape}) {
      const starts = shape.map((size) => below(size)), sizes = shape.map((size, axis) => 1 + below(size - starts[axis])), strides = shape.map(() => 1 + below(2));
      return {starts, sizes, strides};
    },
    make: (builder, [x], {starts, sizes, strides}) => builder.slice(x, starts, sizes, {strides}),
    compute([x], {starts, sizes, strides}) {
      const of = elementOf(x);
      return valueOf(sizes.map((size, axis) => Math.ceil(size / strides[axis])), (indices) => of(indices.map((index, axis) => starts[axis] + index * strides[axis])));
    },
  },
  transpose: {
    parameters({below}, {shape}) {
      const permutation = shape.map((_, axis) => axis);
      for (let i = permutation.length - 1; i > 0; --i) {
        const j = below(i + 1);
        [permutation[i], permutation[j]] = [permutation[j], permutation[i]];
      }
      return {permutation};
    },
    make: (builder, [x], p) => builder.transpose(x, p),
    compute([x], {permutation}) {
      const of = elementOf(x);
      return valueOf(permutation.map((axis) => x.shape[axis]), (indices) => of(permutation.reduce((all, axis, i) => changed(all, axis, indices[i]), indices)));
    },
  },
  reverse: {
    parameters: ({below}, {shape}) => ({axes: shape.map((_, axis) => axis).filter(() => below(2))}),
    make: (builder, [x], p) => builder.reverse(x, p),
    compute([x], {axes}) {
      const of = elementOf(x);
      return valueOf(x.shape, (indices) => of(indices.map((index, axis) => (axes.includes(axis) ? x.shape[axis] - 1 - index : index))));
    },
  },
  reshape: {
    parameters: ({pick}, {shape}) => ({to: pick([[countOf(shape)], [1, countOf(shape)], [...shape].reverse()])}),
    make: (builder, [x], {to}) => builder.reshape(x, to), compute: ([x], {to}) => ({shape: to, data: x.data}),
  },
  tile: {
    parameters: ({below}, {shape}) => ({repetitions: shape.map(() => 1 + below(2))}),
    make: (builder, [x], {repetitions}) => builder.tile(x, repetitions),
    compute([x], {repetitions}) {
      const of = elementOf(x);
      return valueOf(x.shape.map((size, axis) => size * repetitions[axis]), (indices) => of(indices.map((index, axis) => index % x.shape[axis])));
    },
  },
  concat: {
    operands: 2, parameters: (random, x) => ({axis: axisOf(random, x)}), make: (builder, operands, {axis}) => builder.concat(operands, axis),
    compute([a, b], {axis}) {
      const first = elementOf(a), second = elementOf(b), size = a.shape[axis];
      return valueOf(changed(a.shape, axis, 2 * size), (indices) => (indices[axis] < size ? first(indices) : second(changed(indices, axis, indices[axis] - size))));
    },
  },
  gather: {
    parameters(random, x) {
      const axis = axisOf(random, x);
      return {axis, indices: Array.from({length: 1 + random.below(2)}, () => random.below(x.shape[axis])), dataType: random.pick(['int32', 'uint32'])};
    },
    make(builder, [x], {axis, indices, dataType}) {
      const bytes = dataType === 'int32' ? Int32Array.from(indices) : Uint32Array.from(indices);
      return builder.gather(x, builder.constant({dataType, shape: [indices.length]}, bytes), {axis});
    },
    compute: ([x], {axis, indices}) => rows(x, axis, indices.length, (row) => indices.map((index) => row[index])),
  },
  cumulativeSum: {
    parameters: (random, x) => ({axis: axisOf(random, x), exclusive: random.isOneOf(2), reversed: random.isOneOf(2)}),
    make: (builder, [x], {axis, ...options}) => builder.cumulativeSum(x, axis, options),
    compute: ([x], {axis, exclusive, reversed}) => rows(x, axis, x.shape[axis], (row) => {
      let sum = 0;
      const sums = (reversed ? row.toReversed() : row).map((value) => (exclusive ? [sum, sum += value][0] : sum += value));
      return reversed ? sums.reverse() : sums;
    }),
  },
  reduce: {
    parameters: (random, x) => ({axis: axisOf(random, x), method: random.pick(['reduceSum', 'reduceMax', 'reduceMin']), keepDimensions: random.isOneOf(2)}),
    make: (builder, [x], {axis, method, keepDimensions}) => builder[method](x, {axes: [axis], keepDimensions}),
    compute([x], {axis, method, keepDimensions}) {
      const all = {reduceSum: (row) => row.reduce((a, b) => a + b), reduceMax: (row) => Math.max(...row), reduceMin: (row) => Math.min(...row)};
      const {shape, data} = rows(x, axis, 1, (row) => [all[method](row)]);
      return {shape: keepDimensions ? shape : without(shape, axis), data};
    },
  },
  argMax: {
    parameters: (random, x) => ({axis: axisOf(random, x), outputDataType: random.pick(['int32', 'int64'])}),
    make: (builder, [x], {axis, outputDataType}) => float(builder, builder.argMax(x, axis, {keepDimensions: true, outputDataType})),
    compute: ([x], {axis}) => rows(x, axis, 1, (row) => [row.indexOf(Math.max(...row))]),
  },
  triangular: {
    parameters: ({pick, isOneOf}, {shape}) => shape.length > 1 && {upper: isOneOf(2), diagonal: pick([-1, 0, 1])},
    make: (builder, [x], p) => builder.triangular(x, p),
    compute([x], {upper, diagonal}) {
      const of = elementOf(x);
      return valueOf(x.shape, (indices) => {
        const distance = indices.at(-1) - indices.at(-2);
        return (upper ? distance >= diagonal : distance <= diagonal) ? of(indices) : 0;
      });
    },
  },
  split: {
    parameters: (random, x) => ({axis: axisOf(random, x), part: random.below(2)}),
    make: (builder, [x], {axis, part}) => builder.split(x, [1, x.shape[axis] - 1], {axis})[part],
    accepts: ({shape}, {axis}) => shape[axis] > 1,
    compute: ([x], {axis, part}) => rows(x, axis, part ? x.shape[axis] - 1 : 1, (row) => (part ? row.slice(1) : row.slice(0, 1))),
  },
};

/**
 * Returns whether operations may continue with a value: it has rank 1 to 4 and at most 96 elements, and all are multiples of 1/16
 * below 100, which float32 and float16 represent exactly.
 */
export const isExact = ({shape, data}) => shape.length > 0 && shape.length < 5 && data.length <= 96 && data.every((value) => Math.abs(value) < 100 && Number.isInteger(16 * value));
