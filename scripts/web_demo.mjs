// Collects the demo pages (examples/web), the package and the models that they can use in a directory for any static server, and
// serves this directory on loopback.
// usage: node scripts/web_demo.mjs [PORT [FOLDER]]
// PORT (default 8080): 0 takes a free port, `none` only fills the folder. Default of FOLDER: build/web-demo
import fs from 'node:fs';
import http from 'node:http';
import {createRequire} from 'node:module';
import path from 'node:path';
import {spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));
const from = (...names) => path.join(repository, ...names);
const [port = '8080', target = from('build/web-demo')] = process.argv.slice(2);

const exists = (file) => fs.existsSync(file);
const put = (source, name) => fs.cpSync(source, path.join(target, name), {recursive: true});

function putIf(source, name) {
  if (exists(source)) put(source, name);
  return exists(source);
}

if (!exists(from('bindings/web/dist/webnn.js'))) {
  console.error('The package is not built: make web');
  process.exit(1);
}
fs.rmSync(target, {recursive: true, force: true});
put(from('examples/web'), '.');
put(from('bindings/web/dist'), 'webnn');
put(from('docs/reference/status.json'), 'status.json');
for (const name of ['digits/digits.webnn', 'digits/digits.safetensors', 'digits/samples', 'voice/voice.webnn', 'voice/voice.safetensors', 'voice/example.wav'])
  put(from('examples', name), name);

// These files are not in the repository, or have to be built first. If a file is missing, the page that needs it says so.
const models = from('../shared/models/squeezenet1.1');
const found = {
  squeezenet: putIf(path.join(models, 'squeezenet1.1.onnx'), 'models/squeezenet1.1.onnx') &&
              putIf(path.join(models, 'imagenet_classes.txt'), 'models/imagenet_classes.txt'),
  photo: putIf(path.join(models, 'photo.jpg'), 'models/photo.jpg'),
  onnxruntimeWeb: putOnnxruntime(),
  digitsOnnx: convert('digits/digits'),
  voiceOnnx: convert('voice/voice'),
  vectors: await putVectors(),
};
fs.writeFileSync(path.join(target, 'files.json'), JSON.stringify(found));

function putOnnxruntime() {
  const folder = from('bindings/node/examples/onnxruntime-web/node_modules/onnxruntime-web/dist');
  if (!exists(folder)) return false;
  for (const name of fs.readdirSync(folder).filter((each) => /^ort(\.(all|wasm)\.bundle\.min|-wasm.*)\.(mjs|wasm)$/.test(each)))
    put(path.join(folder, name), `onnxruntime-web/${name}`);
  return true;
}

// Saves a network of examples/ as ONNX.
function convert(name) {
  const tool = process.env.WEBNN ?? from('build/release/tools/cli/webnn');
  const given = ['convert', '--weights-format', 'inline', from('examples', `${name}.webnn`), path.join(target, `${name}.onnx`)];
  return exists(tool) && spawnSync(tool, given).status === 0;
}

// Copies the tests' vectors and returns the names of their files. The tests of the Node.js package contain code that runs them.
async function putVectors() {
  const folder = process.env.WEBNN_VECTORS ?? from('../shared/wpt');
  if (!exists(folder)) return [];
  const {build} = createRequire(from('bindings/web/package.json'))('esbuild');
  const support = {
    name: 'support',
    setup({onResolve, onLoad}) {
      onResolve({filter: /^\.\/support\.js$/}, () => ({path: 'support', namespace: 'page'}));
      onLoad({filter: /.*/, namespace: 'page'}, () => ({contents: 'module.exports = {webnn: globalThis.webnnUnderTest};'}));
    },
  };
  const stdin = {contents: "import vectors from './vectors.js'; export const {runCase} = vectors;", resolveDir: from('bindings/node/test')};
  await build({stdin, outfile: path.join(target, 'vectors.js'), bundle: true, format: 'esm', plugins: [support], logLevel: 'error'});
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.json'));
  for (const name of names) put(path.join(folder, name), `vectors/${name}`);
  return names.map((name) => path.basename(name, '.json'));
}

const types = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm',
  '.json': 'application/json', '.png': 'image/png', '.jpg': 'image/jpeg', '.txt': 'text/plain; charset=utf-8',
  '.wav': 'audio/wav',
};
const headers = {'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp', 'Cache-Control': 'no-cache'};

function answer(request, response) {
  const name = decodeURIComponent(new URL(request.url, 'http://localhost').pathname).replace(/\/$/, '/index.html');
  const file = path.join(target, name);
  if (!file.startsWith(path.join(target, '/')) || !fs.statSync(file, {throwIfNoEntry: false})?.isFile()) {
    response.writeHead(404, {'Content-Type': 'text/plain', ...headers}).end(`${name} is not there\n`);
    return;
  }
  response.writeHead(200, {'Content-Type': types[path.extname(file)] ?? 'application/octet-stream', ...headers});
  fs.createReadStream(file).pipe(response);
}

if (port !== 'none') {
  const server = http.createServer(answer);
  server.on('error', ({message}) => {
    console.error(`${message}: name another port with PORT=`);
    process.exit(1);
  });
  server.listen(Number(port), '127.0.0.1', () => console.log(`http://localhost:${server.address().port}/   (Ctrl+C ends it; the files are in ${path.relative('.', target)})`));
}
