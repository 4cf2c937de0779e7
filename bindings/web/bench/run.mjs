// Measures models with this package and onnxruntime-web's WebAssembly, in turns, in one page of headless Chromium; with more than
// one thread the page is isolated from other origins.
// usage: node bench/run.mjs OPERATIONS.json THREADS SECONDS MODEL.onnx...    (beside each MODEL.json and MODEL.safetensors, which
// `webnn convert MODEL.onnx MODEL.json` writes). DIST is another folder than dist. With SECONDS 0: the start alone, to the first result, of the two in turns, each in a fresh browser.
import {createServer} from 'node:http';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

import {launch} from '../test/support/browsers.mjs';

const [operations, threadsText, seconds, ...models] = process.argv.slice(2);
const threads = Number(threadsText), folder = process.env.DIST ?? 'dist', web = fileURLToPath(new URL('..', import.meta.url));
const types = {'.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm', '.json': 'application/json', '.html': 'text/html'};
const files = new Map();
for (const model of models) {
  for (const end of ['.onnx', '.json', '.safetensors']) {
    files.set(`/model/${path.basename(model, '.onnx')}${end}`, path.resolve(model.replace(/\.onnx$/, end)));
  }
}

// Of the operation table, what the calls of a builder are made of.
const parameter = ({name, type}) => ({name, type});
const table = JSON.stringify(JSON.parse(await readFile(operations)).operations.map(({name, arguments: parameters, options}) =>
  ({name, arguments: parameters.map(parameter), options: options.map(parameter)})));

const server = createServer(async (request, response) => {
  const {pathname} = new URL(request.url, 'http://localhost');
  const headers = threads > 1 ? {'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp'} : {};
  try {
    const made = {'/': '<!doctype html><title>bench</title>', '/operations.json': table};
    const body = made[pathname] ?? await readFile(files.get(pathname) ?? path.join(web, pathname));
    response.writeHead(200, {...headers, 'Content-Type': pathname === '/' ? 'text/html' : types[path.extname(pathname)] ?? 'application/octet-stream'});
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

async function inFreshBrowser(job, ...values) {
  const browser = await launch('chromium');
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(`page: ${error}`));
  page.on('console', (message) => (message.type() === 'error' ? console.error(`page: ${message.text()}`) : undefined));
  await page.goto(`${origin}/`);
  await new Promise((resolve) => setTimeout(resolve, 150));  // what a browser does when it has started
  const result = await page.evaluate(job, ...values);
  await browser.close();
  return result;
}

// In the page. `which`: 'both' to measure, else the one of which the start is timed: from the first request of its scripts and of the
// model's files, which are asked for at once, to the first result. What the bench itself needs is there before.
const job = async (name, threadCount, duration, which, folder) => {
  if (threadCount > 1 && !crossOriginIsolated) throw new Error('the page is not isolated');
  const get = async (url, kind) => (await fetch(url))[kind]();
  const {inputsOf, measure, ours, theirs} = await import('/bench/compare.mjs');
  const inputs = inputsOf(await get(`/model/${name}.json`, 'text')), engines = [];
  const begin = performance.now();
  if (which !== 'theirs') {
    const importing = import(`/${folder}/webnn.js`);
    const json = get(`/model/${name}.json`, 'text'), safetensors = get(`/model/${name}.safetensors`, 'arrayBuffer');
    const table = get('/operations.json', 'json');
    const {ml, MLGraphBuilder} = await importing;
    engines.push(ours({createContext: (options) => ml.createContext(options), MLGraphBuilder}, threadCount, {json, safetensors}, table));
  }
  if (which !== 'ours') {
    const importing = import('/node_modules/onnxruntime-web/dist/ort.wasm.min.mjs');
    const onnx = get(`/model/${name}.onnx`, 'arrayBuffer').then((buffer) => new Uint8Array(buffer));
    const ort = await importing;
    engines.push(theirs(ort, threadCount, onnx));
  }
  for (const engine of engines) await engine.start();
  if (which === 'both') return measure(...engines, inputs, duration);
  await engines[0].run(inputs);
  return performance.now() - begin;
};

const quantile = (values, part) => values.toSorted((a, b) => a - b)[Math.floor(values.length * part)];
const starts = 21;
for (const model of models) {
  const name = path.basename(model, '.onnx');
  let ours, theirs, note = '';
  if (Number(seconds) > 0) {
    const measured = await inFreshBrowser(job, name, threads, Number(seconds), 'both', folder);
    ({ours, theirs} = measured);
    note = `difference ${measured.difference.toExponential(1)}`;
  } else {
    const times = {ours: [], theirs: []};
    for (let i = 0; i < starts; ++i) {
      for (const which of i % 2 ? ['ours', 'theirs'] : ['theirs', 'ours']) times[which].push(await inFreshBrowser(job, name, threads, 0, which, folder));
    }
    ours = quantile(times.ours, 0.5);
    theirs = quantile(times.theirs, 0.5);
    const ratios = times.ours.map((time, i) => time / times.theirs[i]);
    note = `to the first result: ours takes ${[0.5, 0.25, 0.75].map((part) => quantile(ratios, part).toFixed(3)).join(', ')} of theirs (median, quartiles)`;
  }
  console.log(`${name.padEnd(20)} ${threads} ${ours.toFixed(2).padStart(9)} ${theirs.toFixed(2).padStart(9)} ms  ${(theirs / ours).toFixed(2)}x  ${note}`);
}
server.close();
