// Prepares images of two sizes, and prints the best classes.
import * as ort from 'onnxruntime-node';

const session = await ort.InferenceSession.create(`${process.argv[2]}/image.onnx`);
for (const [width, height] of [[24, 16], [31, 9], [24, 16]]) {
  const data = new Float32Array(3 * width * height).map((_, i) => (((i * 37) % 255) / 255 - 0.485) / 0.229);
  const {probabilities} = await session.run({image: new ort.Tensor('float32', data, [1, 3, height, width])});
  const best = [...probabilities.data].map((value, i) => [i, value]).sort((a, b) => b[1] - a[1]).slice(0, 3);
  console.log(probabilities.dims, best.map(([i, value]) => `${i}: ${value.toFixed(4)}`));
}
