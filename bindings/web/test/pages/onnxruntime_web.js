// Runs a model with onnxruntime-web's WASM execution provider, and with its WebNN execution provider on this package. Returns the
// number of graphs and the largest difference of each output.
export default async function compare({install}, {model, input}) {
  install({replace: true});
  globalThis.GPUDevice ??= class GPUDevice {};  // onnxruntime-web tests instanceof GPUDevice
  const ort = await import('/onnxruntime-web/ort.all.bundle.min.mjs');
  ort.env.logLevel = 'error';
  ort.env.wasm.wasmPaths = '/onnxruntime-web/';
  ort.env.wasm.numThreads = 1;
  const bytes = new Uint8Array(await (await fetch(model)).arrayBuffer());
  const data = input && readNpy(await (await fetch(input)).arrayBuffer());
  const counter = countBuilds();
  const wasm = await runBy(ort, 'wasm', bytes, data);
  const webnn = await runBy(ort, {name: 'webnn', deviceType: 'cpu'}, bytes, data);
  const difference = Object.fromEntries(Object.entries(wasm).map(([name, values]) =>
    [name, values.reduce((most, value, i) => Math.max(most, Math.abs(value - webnn[name][i])), 0)]));
  return {graphs: counter.builds, difference};
}

function readNpy(buffer) {
  const start = 10 + new DataView(buffer).getUint16(8, true);
  const header = new TextDecoder('latin1').decode(new Uint8Array(buffer, 10, start - 10));
  if (!header.includes("'<f4'")) throw new Error('The input does not hold float32.');
  return new Float32Array(buffer.slice(start));
}

// Runs the model once on float32 inputs. Returns the outputs by name.
async function runBy(ort, provider, model, data) {
  const session = await ort.InferenceSession.create(model, {executionProviders: [provider], logSeverityLevel: 3});
  const feeds = {};
  for (const {name, shape} of session.inputMetadata) {
    const size = shape.reduce((count, dimension) => count * dimension, 1);
    feeds[name] = new ort.Tensor('float32', data ?? Float32Array.from({length: size}, (_, i) => Math.sin(i)), shape);
  }
  const results = await session.run(feeds);
  const outputs = Object.fromEntries(session.outputNames.map((name) => [name, results[name].data]));
  await session.release();
  return outputs;
}

// Counts the graphs that the execution provider builds, because it falls back to WASM silently.
function countBuilds() {
  const {build} = MLGraphBuilder.prototype;
  const counter = {builds: 0};
  MLGraphBuilder.prototype.build = function(...given) {
    counter.builds += 1;
    return Reflect.apply(build, this, given);
  };
  return counter;
}
