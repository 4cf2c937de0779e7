// Measures pipelines of transformers.js with onnxruntime-node and with webnn-onnxruntime-node, in alternating processes, and prints a table
// in Markdown. The models have the size of small published models. A measurement is repeated if other processes used more than 10 % of
// the CPU time during it.
// usage: node bench/transformers.mjs [ROUNDS]
import {readFileSync, rmSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import trees from '../test/onnxruntime/trees.js';

const rounds = Number(process.argv[2] ?? 5), most = 10 * rounds;
const names = {features: 9, sentiment: 9, zeroShot: 9, names: 9, image: 9, objects: 9, speech: 3, llama: 5, llamaQ4: 5};
const titles = {
  features: 'feature extraction, 3 texts', sentiment: 'text classification, 3 texts', zeroShot: 'zero-shot classification, 3 labels', names: 'token classification',
  image: 'image classification', objects: 'object detection', speech: 'speech recognition, 24 tokens', llama: 'text generation, 32 tokens', llamaQ4: 'text generation, 32 tokens, 4 bits',
};
const models = trees.makeModels('--size', 'base'), pair = [trees.makeTree(false), trees.makeTree(true)];
for (const tree of pair) trees.runIn(tree, 'pipelines.mjs', models, 'none');  // copies pipelines.mjs beside measure.mjs

// Returns the CPU time that all processes have used since boot, in seconds.
function busy() {
  const [, user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8').split('\n')[0].split(/\s+/).map(Number);
  return (user + nice + system + irq + softirq) / 100;
}

let repeated = 0;
function measure(tree, name) {
  for (let tries = 0; ; ++tries) {
    const before = busy(), start = performance.now();
    const {stdout, stderr} = trees.runIn(tree, 'measure.mjs', models, name, `${names[name]}`);
    const seconds = (performance.now() - start) / 1000, all = busy() - before;
    if (!stdout) throw new Error(stderr);
    const result = JSON.parse(stdout);
    if (all - result.cpu < 0.1 * seconds * availableParallelism() || tries === most) return result;
    ++repeated;
  }
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const logs = {first: 0, run: 0};
console.log('| pipeline | first result | later runs | memory |\n|---|---|---|---|');
for (const name of Object.keys(names)) {
  const results = [[], []];
  for (let round = 0; round < rounds; ++round) for (const i of [0, 1]) results[i].push(measure(pair[i], name));
  const of = (key) => results.map((list) => median(list.map((each) => each[key])));
  for (const key of ['first', 'run']) logs[key] += Math.log(of(key)[0] / of(key)[1]) / Object.keys(names).length;
  const cell = (key, unit, digits) => of(key).map((value) => value.toFixed(digits)).reverse().join(' / ') + ` ${unit}`;
  console.log(`| ${titles[name]} | ${cell('first', 'ms', 0)} | ${cell('run', 'ms', of('run')[0] < 100 ? 1 : 0)} | ${cell('memory', 'MB', 0)} |`);
}
console.error(`onnxruntime-node's time by ours, geometric mean: first result ${Math.exp(logs.first).toFixed(2)}, later runs ${Math.exp(logs.run).toFixed(2)}; ` +
              `${repeated} measurements were repeated`);
for (const tree of pair) tree.remove();
rmSync(models, {recursive: true});
