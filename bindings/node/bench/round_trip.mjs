// Measures the round trip (write, dispatch, read) of a relu of one element, and how long the event loop is blocked while a graph
// of about 200 ms runs.
// usage: node bench/round_trip.mjs
import {monitorEventLoopDelay} from 'node:perf_hooks';
import {ml, MLGraphBuilder} from 'webnn';

async function make(shape, output, threads = 0) {
  const context = await ml.createContext({threads});
  const builder = new MLGraphBuilder(context);
  const graph = await builder.build({y: output(builder, builder.input('x', {dataType: 'float32', shape}))});
  const x = await context.createTensor({dataType: 'float32', shape, writable: true});
  const y = await context.createTensor({dataType: 'float32', shape, readable: true});
  return {context, dispatch: () => context.dispatch(graph, {x}, {y}), x, y};
}

// Prints the microseconds of a round trip in the best and the median round. Other load disturbs the best round least.
async function roundTrip() {
  const {context, dispatch, x, y} = await make([1], (builder, operand) => builder.relu(operand));
  const value = new Float32Array([1]);
  const rounds = [];
  for (let round = 0; round < 20; ++round) {
    const start = performance.now();
    for (let i = 0; i < 1000; ++i) {
      context.writeTensor(x, value);
      dispatch();
      await context.readTensor(y);
    }
    rounds.push(performance.now() - start);
  }
  rounds.sort((a, b) => a - b);
  console.log(`round trip of 1 element: best ${rounds[0].toFixed(1)} us, median ${rounds[10].toFixed(1)} us`);
}

// Returns the longest time in milliseconds for which the event loop is blocked while `work` is awaited.
async function longestGap(work) {
  const histogram = monitorEventLoopDelay({resolution: 1});
  histogram.enable();
  await work();
  histogram.disable();
  return histogram.max / 1e6;
}

// Prints the longest delays with and without a running graph. Delays without a graph are the machine's own.
async function eventLoopDelay(threads) {
  const count = 400, rounds = 9;
  const {context, dispatch, y} = await make([256, 256], (builder, operand) => {
    let result = operand;
    for (let i = 0; i < count; ++i) result = builder.matmul(result, operand);
    return result;
  }, threads);
  const run = () => {
    dispatch();
    return context.readTensor(y);
  };
  await run();
  const busy = [], idle = [], times = [];
  for (let round = 0; round < rounds; ++round) {
    const start = performance.now();
    busy.push(await longestGap(run));
    times.push(performance.now() - start);
    idle.push(await longestGap(() => new Promise((resolve) => setTimeout(resolve, times[round]))));
  }
  const middle = (values) => values.toSorted((a, b) => a - b)[rounds >> 1].toFixed(2);
  const most = (values) => Math.max(...values).toFixed(2);
  console.log(`a graph of ${middle(times)} ms, ${threads || 'all'} threads: the event loop stands still for at most ${middle(busy)} ms ` +
              `(median of ${rounds} runs; most ${most(busy)} ms); without the graph ${middle(idle)} ms (most ${most(idle)} ms)`);
}

await roundTrip();
for (const threads of [1, 0]) await eventLoopDelay(threads);
