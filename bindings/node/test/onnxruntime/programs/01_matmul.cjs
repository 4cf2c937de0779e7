// Multiplies two matrices.
const path = require('node:path');
const ort = require('onnxruntime-node');

async function main() {
  const session = await ort.InferenceSession.create(path.join(process.argv[2], 'matmul.onnx'));
  const a = new ort.Tensor('float32', Float32Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), [3, 4]);
  const b = new ort.Tensor('float32', Float32Array.from([10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120]), [4, 3]);
  const results = await session.run({a, b});
  console.log(results.c.type, results.c.dims, results.c.size, results.c.data);
}
main();
