// Runs one pipeline of pipelines.mjs, and prints {first, run, memory, cpu}: milliseconds from the start of the process to the first
// result, the median of later runs in milliseconds, the peak memory of the process in MB, and its CPU time in seconds.
// usage: node measure.mjs FOLDER NAME RUNS
const {tasks} = await import('./pipelines.mjs');
const {pipeline} = await import('@huggingface/transformers');

const [name, runs] = process.argv.slice(3);
const [task, model, use, dtype = 'fp32'] = tasks[name];
const run = await pipeline(task, model, {dtype, device: 'cpu'});
await use(run);
const first = performance.now(), times = [];
for (let i = 0; i < Number(runs); ++i) {
  const start = performance.now();
  await use(run);
  times.push(performance.now() - start);
}
const {maxRSS, userCPUTime, systemCPUTime} = process.resourceUsage();
console.log(JSON.stringify({first, run: times.sort((a, b) => a - b)[times.length >> 1], memory: maxRSS / 1024, cpu: (userCPUTime + systemCPUTime) / 1e6}));
