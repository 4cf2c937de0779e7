const utf8 = new TextEncoder();

function varint(value) {
  const bytes = [];
  for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128);
  return [...bytes, value];
}
const number = (field, value) => [...varint(field << 3), ...varint(value)];
const bytes = (field, value) => [...varint((field << 3) | 2), ...varint(value.length), ...value];
const text = (field, value) => bytes(field, [...utf8.encode(value)]);

const float32 = 1, dimension = {n: text(2, 'n'), three: number(1, 3)};
const value = (name, dims) => [
  ...text(1, name), ...bytes(2, bytes(1, [...number(1, float32), ...bytes(2, dims.flatMap((each) => bytes(1, dimension[each])))])),
];
const entry = (key, of) => bytes(13, [...text(1, key), ...text(2, of)]);

// Encodes a model with an input x and an output y of shape ["n", 3]; the dimension "n" is open.
const file = (nodes, ...initializers) => {
  const graph = [...nodes.flatMap((node) => bytes(1, node)), ...text(2, 'main'), ...initializers.flatMap((tensor) => bytes(5, tensor)),
                 ...bytes(11, value('x', ['n', 'three'])), ...bytes(12, value('y', ['n', 'three']))];
  return Uint8Array.from([...number(1, 9), ...bytes(7, graph), ...bytes(8, number(2, 21))]);
};

/**
 * A model of y = x + w, where w has three numbers. `weights` are the bytes of w; if undefined, w is in the external file "w.bin".
 */
export function addModel(weights) {
  const content = weights ? bytes(9, [...weights]) : [...entry('location', 'w.bin'), ...number(14, 1)];
  const w = [...number(1, 3), ...number(2, float32), ...text(8, 'w'), ...content];
  const node = [...text(1, 'x'), ...text(1, 'w'), ...text(2, 'y'), ...text(3, 'sum'), ...text(4, 'Add')];
  return file([node], w);
}

/** A model of y = x + a^b, where x has rows of three numbers, and a and b have three. The reader computes a^b. */
export function powModel(a, b) {
  const constant = (name, numbers) => [...number(1, 3), ...number(2, float32), ...text(8, name), ...bytes(9, [...new Uint8Array(Float32Array.from(numbers).buffer)])];
  const pow = [...text(1, 'a'), ...text(1, 'b'), ...text(2, 'w'), ...text(4, 'Pow')];
  const add = [...text(1, 'x'), ...text(1, 'w'), ...text(2, 'y'), ...text(4, 'Add')];
  return file([pow, add], constant('a', a), constant('b', b));
}

export const unaryModel = (operator) => file([[...text(1, 'x'), ...text(2, 'y'), ...text(3, 'only'), ...text(4, operator)]]);
