// Predicts labels with a model of scikit-learn's kind, whose second output is a sequence of maps.
const {InferenceSession, Tensor} = require('onnxruntime-node');

(async () => {
  const session = await InferenceSession.create(`${process.argv[2]}/classifier.onnx`);
  const feeds = {x: new Tensor('float32', [1, 2, 3, 3, 2, 1], [2, 3])};
  console.log((await session.run(feeds, ['label'])).label.data);
  await session.run(feeds).catch((error) => console.log(error.name));
})();
