// Runs a session in a worker thread.
const {Worker, isMainThread, parentPort, workerData} = require('node:worker_threads');
const {InferenceSession, Tensor} = require('onnxruntime-node');

if (isMainThread) {
  const worker = new Worker(__filename, {workerData: process.argv[2]});
  worker.on('message', (message) => console.log(message));
} else {
  (async () => {
    const session = await InferenceSession.create(`${workerData}/matmul.onnx`);
    const {c} = await session.run({a: new Tensor('float32', [1, 2], [1, 2]), b: new Tensor('float32', [3, 4], [2, 1])});
    parentPort.postMessage({dims: c.dims, data: c.data});
  })();
}
