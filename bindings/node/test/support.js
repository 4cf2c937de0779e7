'use strict';
// Helpers for several tests.
const path = require('node:path');
const webnn = globalThis.webnnUnderTest ?? require('..');

const {MLGraphBuilder, ml} = webnn;
const fixture = (name) => path.join(__dirname, 'fixtures', name);

// Builds a graph with the output `make(builder, ...operands)`, whose operands are float32 inputs of these shapes. Returns
// {context, graph, inputs, outputs, run}.
async function graphOf(make, ...shapes) {
  const context = await ml.createContext();
  const builder = new MLGraphBuilder(context);
  const operands = shapes.map((shape, i) => builder.input(`x${i}`, {dataType: 'float32', shape}));
  const result = make(builder, ...operands);
  const graph = await builder.build({y: result});
  const inputs = {};
  for (const [i, shape] of shapes.entries())
    inputs[`x${i}`] = await context.createTensor({dataType: 'float32', shape, writable: true});
  const outputs = {y: await context.createTensor({dataType: result.dataType, shape: result.shape, readable: true})};
  async function run(...values) {
    for (const [i, value] of values.entries()) context.writeTensor(inputs[`x${i}`], new Float32Array(value));
    context.dispatch(graph, inputs, outputs);
    return context.readTensor(outputs.y);
  }
  return {context, graph, inputs, outputs, run};
}

// Builds a chain of `count` matrix products, which takes long to run.
function products(builder, x, count) {
  let y = x;
  for (let i = 0; i < count; ++i) y = builder.tanh(builder.matmul(y, x));
  return y;
}

module.exports = {fixture, graphOf, products, webnn};
