// Measures a model alternately with this package and with onnxruntime-web's WebAssembly. Used by run.mjs in a page, and by
// node.mjs.

// Yields {name, data} for each tensor of a .safetensors file. `data` is a view of the file, which works because `webnn convert`
// aligns tensors.
function* weightsOf(buffer) {
  const size = Number(new DataView(buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, size)));
  for (const [name, {data_offsets: [begin, end]}] of Object.entries(header)) {
    if (name !== '__metadata__') yield {name, data: new Uint8Array(buffer, 8 + size + begin, end - begin)};
  }
}

const classOf = (dataType) => ({
  float32: Float32Array, float16: Uint16Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array,
  int8: Int8Array, uint8: Uint8Array, int4: Uint8Array, uint4: Uint8Array,
}[dataType]);
const viewOf = (dataType, {buffer, byteOffset, byteLength}) => {
  const View = classOf(dataType);
  return new View(buffer, byteOffset, byteLength / View.BYTES_PER_ELEMENT);
};

// Builds the graph of a JSON file (`webnn convert MODEL.onnx MODEL.json`). `operations` is the operation table.
async function build(MLGraphBuilder, context, json, safetensors, operations) {
  const builder = new MLGraphBuilder(context), operands = new Map();
  const weights = new Map([...weightsOf(safetensors)].map(({name, data}) => [name, data]));
  for (const [name, descriptor] of Object.entries(json.inputs)) operands.set(name, builder.input(name, descriptor));
  for (const [name, {dataType, shape, init}] of Object.entries(json.consts)) {
    operands.set(name, builder.constant({dataType, shape}, viewOf(dataType, weights.get(init.ref))));
  }
  const methods = new Map(operations.map((operation) => [operation.name, operation]));
  for (const {id, op, inputs, outputs, options: given} of json.nodes) {
    const {arguments: parameters, options} = methods.get(op);
    const rest = inputs.map((name) => operands.get(name));
    const values = parameters.map(({name, type}) =>
      name in given ? given[name] : type === 'sequence<MLOperand>' ? rest.splice(0) : rest.shift());
    const optional = {};
    for (const {name, type} of options) {
      if (name in given) optional[name] = type === 'MLOperand' && typeof given[name] === 'string' ? operands.get(given[name]) : given[name];
    }
    const made = builder[op](...values, optional);
    if (Array.isArray(made)) made.forEach((operand, i) => operands.set((outputs ?? [])[i] ?? `${id}_${i}`, operand));
    else operands.set(id, made);
  }
  const outputs = Object.fromEntries(Object.entries(json.outputs).map(([name, from]) => [name, operands.get(from)]));
  return {graph: await builder.build(outputs), outputs};
}

// Fills a typed array with pseudorandom numbers from 0 to 1, the same in every run. Integers become 0.
function fill(view) {
  let state = 1;
  for (let i = 0; i < view.length; ++i) {
    state = (state * 1103515245 + 12345) % 2147483648;
    view[i] = typeof view[i] === 'bigint' ? 0n : state / 2147483648;
  }
  return view;
}

// Returns an engine, {start(), run(inputs)}. run() takes the result of inputsOf() and returns a typed array for each output, by
// name. The files and the operation table may be promises.
export function ours({createContext, MLGraphBuilder}, threads, files, table) {
  let context, graph;
  const tensors = {inputs: {}, outputs: {}};
  return {
    async start() {
      const creating = createContext({threads});
      const [json, operations, safetensors] = await Promise.all([files.json, table, files.safetensors]);
      context = await creating;
      const parsed = JSON.parse(json), building = build(MLGraphBuilder, context, parsed, safetensors, operations);
      const make = async (to, entries, use) => {
        for (const [name, {dataType, shape}] of entries) to[name] = await context.createTensor({dataType, shape, ...use});
      };
      const built = await building;
      graph = built.graph;
      await Promise.all([make(tensors.inputs, Object.entries(parsed.inputs), {writable: true}),
                         make(tensors.outputs, Object.entries(built.outputs), {readable: true})]);
    },
    async run(inputs) {
      for (const [name, {data}] of Object.entries(inputs)) context.writeTensor(tensors.inputs[name], data);
      context.dispatch(graph, tensors.inputs, tensors.outputs);
      const read = {};
      for (const [name, tensor] of Object.entries(tensors.outputs)) read[name] = new Float32Array(await context.readTensor(tensor));
      return read;
    },
  };
}

export function theirs(ort, threads, onnx) {
  let session;
  return {
    async start() {
      ort.env.wasm.numThreads = threads;
      session = await ort.InferenceSession.create(await onnx, {executionProviders: ['wasm'], graphOptimizationLevel: 'all'});
    },
    async run(inputs) {
      const feeds = {};
      for (const [name, {dataType, shape, data}] of Object.entries(inputs)) feeds[name] = new ort.Tensor(dataType, data, shape);
      const results = await session.run(feeds);
      return Object.fromEntries(Object.entries(results).map(([name, {data, dims}]) => [name, Object.assign(data, {dims})]));
    },
  };
}

// Returns {dataType, shape, data} for each input of the model, by name.
export function inputsOf(json) {
  return Object.fromEntries(Object.entries(JSON.parse(json).inputs).map(([name, {dataType, shape}]) =>
    [name, {dataType, shape, data: fill(new (classOf(dataType))(shape.reduce((a, b) => a * b, 1)))}]));
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

// Runs both engines alternately for about `seconds`. Returns their median times in milliseconds, and the largest difference
// between their outputs relative to the largest output.
export async function measure(a, b, inputs, seconds = 6) {
  const times = [[], []], firsts = [];
  for (const [i, engine] of [a, b].entries()) for (let warm = 0; warm < 3; ++warm) firsts[i] = await engine.run(inputs);
  let difference = 0, largest = 0;
  for (const [name, values] of Object.entries(firsts[1])) {
    values.forEach((value, i) => {
      difference = Math.max(difference, Math.abs(value - firsts[0][name][i]));
      largest = Math.max(largest, Math.abs(value));
    });
  }
  for (const end = performance.now() + 1000 * seconds; performance.now() < end || times[0].length < 5;) {
    for (const [i, engine] of [a, b].entries()) {
      await new Promise((resolve) => setTimeout(resolve, 20));  // let spinning threads of the other engine go to sleep
      for (let repeat = 0; repeat < 3; ++repeat) {
        const begin = performance.now();
        await engine.run(inputs);
        times[i].push(performance.now() - begin);
      }
    }
  }
  return {ours: median(times[0]), theirs: median(times[1]), difference: difference / largest};
}
