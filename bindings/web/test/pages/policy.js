// Tests whether the package works on this page: returns y = x + x for x = [1, 2].
export default async function run({ml, MLGraphBuilder}) {
  const context = await ml.createContext();
  const builder = new MLGraphBuilder(context), descriptor = {dataType: 'float32', shape: [2]};
  const x = builder.input('x', descriptor);
  const graph = await builder.build({y: builder.add(x, x)});
  const input = await context.createTensor({...descriptor, writable: true}), output = await context.createTensor({...descriptor, readable: true});
  context.writeTensor(input, new Float32Array([1, 2]));
  context.dispatch(graph, {x: input}, {y: output});
  return Array.from(new Float32Array(await context.readTensor(output)));
}
