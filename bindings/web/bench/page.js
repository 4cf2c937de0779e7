// The part of measure.mjs that runs in a page. `part` selects the measurement.
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

async function graphOf({ml, MLGraphBuilder}, shape, make) {
  const context = await ml.createContext();
  const builder = new MLGraphBuilder(context), descriptor = {dataType: 'float32', shape};
  const graph = await builder.build({y: make(builder, builder.input('x', descriptor))});
  const x = await context.createTensor({...descriptor, writable: true}), y = await context.createTensor({...descriptor, readable: true});
  return {context, run: () => context.dispatch(graph, {x}, {y}), write: (values) => context.writeTensor(x, values), read: () => context.readTensor(y)};
}

const products = (count) => (builder, x) => {
  let y = x;
  for (let i = 0; i < count; ++i) y = builder.tanh(builder.matmul(y, x));
  return y;
};

// Returns microseconds: the time that the page spends in each of 2000 successive calls of dispatch(), the time per dispatch until
// all are complete, and the time of a write, a dispatch and a read.
async function dispatch(webnn) {
  const {run, write, read} = await graphOf(webnn, [16], (builder, x) => builder.relu(x));
  const values = new Float32Array(16), count = 2000, rounds = [], calls = [], trips = [];
  for (let round = 0; round < 7; ++round) {
    await read();
    const start = performance.now();
    for (let i = 0; i < count; ++i) run();
    calls.push((performance.now() - start) / count);
    await read();
    rounds.push((performance.now() - start) / count);
  }
  for (let i = 0; i < 1000; ++i) {
    const start = performance.now();
    write(values);
    run();
    await read();
    trips.push(performance.now() - start);
  }
  const us = (list) => +(1000 * median(list)).toFixed(1);
  return {call: us(calls), dispatch: us(rounds), roundTrip: us(trips)};
}

// Measures the milliseconds between frames, without work and while graphs of about 200 ms run.
async function frames(webnn) {
  const {run, read} = await graphOf(webnn, [256, 256], products(200));
  const start = performance.now();
  run();
  await read();
  const milliseconds = performance.now() - start;
  const gaps = async (until) => {
    const all = [];
    let last = performance.now(), isOver = false;
    until.then(() => (isOver = true));
    while (!isOver) {
      const now = await new Promise(requestAnimationFrame);
      all.push(now - last);
      last = now;
    }
    return {frames: all.length, median: +median(all).toFixed(1), longest: +Math.max(...all.slice(2)).toFixed(1)};
  };
  const idle = await gaps(new Promise((resolve) => setTimeout(resolve, 2000)));
  const work = async () => {
    for (let i = 0; i < 10; ++i) {
      run();
      await read();
    }
  };
  return {graph: Math.round(milliseconds), idle, busy: await gaps(work())};
}

// Builds a constant of 100 MB. measure.mjs reads the memory from /proc when mark() is called.
async function constant({ml, MLGraphBuilder}) {
  const context = await ml.createContext();
  await globalThis.mark('start');
  const weights = new Float32Array(25e6).fill(1);
  await globalThis.mark('weights');
  const builder = new MLGraphBuilder(context), descriptor = {dataType: 'float32', shape: [25e6]};
  const y = builder.add(builder.constant(descriptor, weights), builder.input('x', {dataType: 'float32', shape: []}));
  const graph = await builder.build({y});
  await globalThis.mark('built');
  return [graph.constructor.name, weights[0]];
}

const parts = {constant, dispatch, frames};
export default (webnn, parameters) => parts[parameters.part](webnn, parameters);
