// Imports a program written by `webnn convert` and runs its graph.
export default async function run({ml, MLGraphBuilder}) {
  const {build} = await import('/program/digits.js');
  const context = await ml.createContext();
  const graph = await build(context, await (await fetch('/program/digits.safetensors')).arrayBuffer(), MLGraphBuilder);
  const image = await context.createTensor({dataType: 'float32', shape: [1, 1, 28, 28], writable: true});
  const scores = await context.createTensor({dataType: 'float32', shape: [1, 10], readable: true});
  context.writeTensor(image, Float32Array.from(await (await fetch('/program/pixels')).json()));
  context.dispatch(graph, {image}, {probabilities: scores});
  return [...new Float32Array(await context.readTensor(scores))];
}
