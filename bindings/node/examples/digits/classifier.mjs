// A classifier of handwritten digits that uses only what browsers have too, such as navigator.ml, MLGraphBuilder and typed arrays.

/** Reads a safetensors file. Returns {name: {shape, data}}. */
function readWeights(buffer) {
  const length = Number(new DataView(buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  delete header.__metadata__;
  return Object.fromEntries(Object.entries(header).map(([name, {shape, data_offsets: [begin, end]}]) =>
    [name, {shape, data: new Float32Array(buffer.slice(8 + length + begin, 8 + length + end))}]));
}

/** Builds the network of examples/digits/digits.webnn: two convolutions, each with relu and pooling, and a dense layer. */
async function buildGraph(context, weights) {
  const builder = new MLGraphBuilder(context);
  const constant = (name) => builder.constant({dataType: 'float32', shape: weights[name].shape}, weights[name].data);
  const layer = (input, name) => {
    const options = {bias: constant(`${name}.bias`), padding: [1, 1, 1, 1], label: name};
    const features = builder.relu(builder.conv2d(input, constant(`${name}.weight`), options));
    return builder.maxPool2d(features, {windowDimensions: [2, 2], strides: [2, 2]});
  };
  const image = builder.input('image', {dataType: 'float32', shape: [1, 1, 28, 28]});
  const flat = builder.reshape(layer(layer(image, 'conv1'), 'conv2'), [1, 1568]);
  const scores = builder.gemm(flat, constant('dense.weight'), {c: constant('dense.bias')});
  return builder.build({probabilities: builder.softmax(scores, 1)});
}

/**
 * @param {ArrayBuffer} weights digits.safetensors
 * @param {MLContext} [context] the context to run in
 * @returns an async function from 28 * 28 grey values, 0 to 255, to the probabilities of the ten digits
 */
export async function createClassifier(weights, context) {
  context ??= await navigator.ml.createContext({powerPreference: 'low-power'});
  const graph = await buildGraph(context, readWeights(weights));
  const image = await context.createTensor({dataType: 'float32', shape: [1, 1, 28, 28], writable: true});
  const probabilities = await context.createTensor({dataType: 'float32', shape: [1, 10], readable: true});
  return async (pixels) => {
    context.writeTensor(image, Float32Array.from(pixels, (grey) => grey / 255));
    context.dispatch(graph, {image}, {probabilities});
    return new Float32Array(await context.readTensor(probabilities));
  };
}
