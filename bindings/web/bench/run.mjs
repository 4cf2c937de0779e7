// Measures models alternately with this package and with onnxruntime-web's WebAssembly, in one page of headless Chromium. With
// more than one thread, the page is cross-origin isolated.
// usage: node bench/run.mjs OPERATIONS.json THREADS SECONDS MODEL.onnx...
// `webnn convert MODEL.onnx MODEL.json` writes MODEL.json and MODEL.safetensors, which must be beside each model. The environment
// variable DIST names a directory to use instead of dist. With SECONDS 0, measures only the time to the first result of both
// engines alternately, each time in a new browser.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {createServer} from 'node:http';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';
import chromium from '@sparticuz/chromium';

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

// The operation table, reduced to what calls of a builder need.
const parameter = ({name, type}) => ({name, type});
const table = JSON.stringify(JSON.parse(await readFile(operations)).operations.map(({name, arguments: parameters, options}) =>
  ({name, arguments: parameters.map(parameter), options: options.map(parameter)})));

// Waits 150 ms after loading, because a new browser is busy until then.
const startPage = `<!doctype html><title>start</title><script type="module">
  import job from '/bench/job.js';
  await new Promise((resolve) => setTimeout(resolve, 150));
  const values = JSON.parse(decodeURIComponent(location.search.slice(1)));
  const outcome = await job(...values).then((value) => ({value}), (error) => ({error: \`\${error.stack}\`}));
  await fetch('/result', {method: 'POST', body: JSON.stringify(outcome)});
</script>`;
let received;  // the page's result is passed to this function

const server = createServer(async (request, response) => {
  const {pathname} = new URL(request.url, 'http://localhost');
  const headers = threads > 1 ? {'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp'} : {};
  if (pathname === '/result') {
    received(JSON.parse(await text(request)));
    response.end();
    return;
  }
  try {
    const made = {'/': '<!doctype html><title>bench</title>', '/start': startPage, '/operations.json': table};
    const body = made[pathname] ?? await readFile(files.get(pathname) ?? path.join(web, pathname));
    response.writeHead(200, {...headers, 'Content-Type': pathname === '/' || pathname === '/start' ? 'text/html' : types[path.extname(pathname)] ?? 'application/octet-stream'});
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

async function inFreshBrowser(...values) {
  const browser = await launch('chromium');
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(`page: ${error}`));
  page.on('console', (message) => (message.type() === 'error' ? console.error(`page: ${message.text()}`) : undefined));
  await page.goto(`${origin}/`);
  const result = await page.evaluate(async (...given) => (await import('/bench/job.js')).default(...given), ...values);
  await browser.close();
  return result;
}

// Measures in a browser without a debugger, because a debugger delays the start of each worker. The page posts the result.
async function started(...values) {
  const folder = await mkdtemp(path.join(tmpdir(), 'webnn-bench-'));
  const result = new Promise((resolve) => (received = resolve));
  const browser = spawn(await chromium.executablePath(), ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
    '--disable-background-networking', `--user-data-dir=${folder}`, `${origin}/start?${encodeURIComponent(JSON.stringify(values))}`], {stdio: 'ignore'});
  const ended = once(browser, 'exit');
  const outcome = await Promise.race([result, ended.then(() => ({error: 'the browser ended'}))]);
  browser.kill('SIGKILL');
  await ended;
  await rm(folder, {recursive: true, force: true, maxRetries: 9});
  if (outcome.error) throw new Error(outcome.error);
  return outcome.value;
}

const quantile = (values, part) => values.toSorted((a, b) => a - b)[Math.floor(values.length * part)];
const starts = 21;
for (const model of models) {
  const name = path.basename(model, '.onnx');
  let ours, theirs, note = '';
  if (Number(seconds) > 0) {
    const measured = await inFreshBrowser(name, threads, Number(seconds), 'both', folder);
    ({ours, theirs} = measured);
    note = `difference ${measured.difference.toExponential(1)}`;
  } else {
    const times = {ours: [], theirs: []};
    for (let i = 0; i < starts; ++i) {
      for (const which of i % 2 ? ['ours', 'theirs'] : ['theirs', 'ours']) times[which].push(await started(name, threads, 0, which, folder));
    }
    ours = quantile(times.ours, 0.5);
    theirs = quantile(times.theirs, 0.5);
    const ratios = times.ours.map((time, i) => time / times.theirs[i]);
    note = `to the first result: ours takes ${[0.5, 0.25, 0.75].map((part) => quantile(ratios, part).toFixed(3)).join(', ')} of theirs (median, quartiles)`;
  }
  console.log(`${name.padEnd(20)} ${threads} ${ours.toFixed(2).padStart(9)} ${theirs.toFixed(2).padStart(9)} ms  ${(theirs / ours).toFixed(2)}x  ${note}`);
}
server.close();
