// For each bundler: bundles a page that imports the package, serves the files statically and opens the page in Chromium. Also
// checks the type declarations with tsc.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import {createRequire} from 'node:module';
import os from 'node:os';
import path from 'node:path';
import {after, before, describe, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {browsers, launch} from './support/browsers.mjs';
import {serve} from './support/server.mjs';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
const tools = fileURLToPath(new URL('bundlers', import.meta.url));
const chromium = browsers.find(({name}) => name === 'chromium');
const reason = !fs.existsSync(path.join(tools, 'node_modules')) ? 'the bundlers are not installed (npm ci in test/bundlers)'
  : chromium?.skip ?? 'Chromium is not among WEBNN_BROWSERS';

const page = `<!doctype html><title>test</title><link rel="icon" href="data:,"><script type="module" src="./main.js"></script>`;
const program = `
import {configure, load, ml, MLGraphBuilder} from 'webnn-web';
globalThis.finished = (async () => {
  if (globalThis.base) configure({base: globalThis.base});
  const context = await ml.createContext();
  const builder = new MLGraphBuilder(context);
  const graph = await builder.build({y: builder.relu(builder.input('x', {dataType: 'float32', shape: [3]}))});
  const x = await context.createTensor({dataType: 'float32', shape: [3], writable: true});
  const y = await context.createTensor({dataType: 'float32', shape: [3], readable: true});
  context.writeTensor(x, new Float32Array([-1, 0, 2]));
  context.dispatch(graph, {x}, {y});
  const values = [...new Float32Array(await context.readTensor(y))];
  const text = 'webnn_graph "g" v2 { inputs { x: f32[3]; } consts { } nodes { y = relu(x); } outputs { y; } }';
  const {inputs} = await load(context, new Blob([text]));
  return {values, inputs};
})();
`;

// Each function bundles main.js and index.html of `folder` into its subdirectory "built".
const bundlers = {
  async esbuild(folder, require) {
    await require('esbuild').build({absWorkingDir: folder, entryPoints: ['main.js'], bundle: true, format: 'esm', outdir: 'built', logLevel: 'error'});
    // esbuild does not rewrite the URLs of these files, so they are copied beside the script.
    for (const name of ['webnn.wasm', 'webnn-relaxed.wasm', 'worker.js', 'webnn-onnx.wasm', 'webnn-reader.wasm', 'reader.js'])
      fs.copyFileSync(path.join(folder, 'node_modules/webnn-web/dist', name), path.join(folder, 'built', name));
    fs.writeFileSync(path.join(folder, 'built/index.html'), page);
  },
  async webpack(folder, require) {
    const stats = await new Promise((resolve, reject) => require('webpack')({
      context: folder, mode: 'production', entry: './main.js', output: {path: path.join(folder, 'built'), filename: 'main.js'},
    }, (error, done) => (error ? reject(error) : resolve(done))));
    assert.deepEqual(stats.toJson({all: false, errors: true}).errors, []);
    fs.writeFileSync(path.join(folder, 'built/index.html'), page);
  },
  async vite(folder, require) {
    const {build} = await import(require.resolve('vite'));
    await build({root: folder, base: './', logLevel: 'error', build: {outDir: 'built', target: 'es2022'}, configFile: false});
  },
};

// Creates a project directory with the program and with the package as npm installs it.
function makeProject() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'webnn-bundlers-'));
  const installed = path.join(folder, 'node_modules/webnn-web');
  fs.mkdirSync(installed, {recursive: true});
  fs.cpSync(path.join(packageFolder, 'dist'), path.join(installed, 'dist'), {recursive: true});
  fs.copyFileSync(path.join(packageFolder, 'package.json'), path.join(installed, 'package.json'));
  fs.writeFileSync(path.join(folder, 'main.js'), program);
  fs.writeFileSync(path.join(folder, 'index.html'), page);
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
  return folder;
}

describe('bundlers', {skip: reason}, () => {
  const require = createRequire(path.join(tools, 'package.json'));
  let browser, folder;
  before(async () => {
    folder = makeProject();
    browser = await launch('chromium');
  });
  after(async () => {
    await browser?.close();
    if (folder) fs.rmSync(folder, {recursive: true});
  });

  for (const [name, bundle] of Object.entries(bundlers)) {
    test(`a page built by ${name} computes and reads files`, async () => {
      fs.rmSync(path.join(folder, 'built'), {recursive: true, force: true});
      await bundle(folder, require);
      const server = await serve({folders: {'/app/': path.join(folder, 'built')}});
      const tab = await browser.newPage();
      try {
        await tab.goto(`${server.origin}/app/index.html`);
        const found = await tab.evaluate(() => globalThis.finished);
        assert.deepEqual(found, {values: [0, 0, 2], inputs: {x: {dataType: 'float32', shape: [3]}}});
      } finally {
        await tab.close();
        server.close();
      }
    });
  }

  test('scripts of another origin start workers, as of a content delivery network', async () => {
    const network = await serve({headers: {'Access-Control-Allow-Origin': '*'}});
    const script = program.replace('webnn-web', `${network.origin.replace('localhost', '127.0.0.1')}/dist/webnn.js`);
    const server = await serve({pages: ({pathname}) => (pathname === '/' ? {type: 'text/html', body: page}
      : pathname === '/main.js' ? {type: 'text/javascript', body: script} : undefined)});
    const tab = await browser.newPage();
    try {
      await tab.goto(`${server.origin}/`);
      assert.deepEqual((await tab.evaluate(() => globalThis.finished)).values, [0, 0, 2]);
    } finally {
      await tab.close();
      server.close();
      network.close();
    }
  });

  test('a TypeScript program of the package is checked', () => {
    fs.writeFileSync(path.join(folder, 'program.mts'), `
      import {configure, install, load, ml, MLGraphBuilder, type LoadedGraph} from 'webnn-web';
      import 'webnn-web/install';
      configure({worker: false, base: '/webnn/'});
      const installed: boolean = install({replace: true});
      const context: MLContext = await ml.createContext();
      const loaded: LoadedGraph = await load(context, 'model.onnx', {dimensions: {batch: 1}, weights: {'model.data': new Uint8Array(4)}});
      const shape: number[] = loaded.inputs.x.shape;
      const operand: MLOperand = new MLGraphBuilder(context).input('x', {dataType: 'float32', shape});
      // @ts-expect-error: not a source
      await load(context, 7);
      export {installed, operand};
    `);
    const tsc = path.join(tools, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom', '--types', ''];
    const {status, stdout} = spawnSync(process.execPath, [tsc, ...options, 'program.mts'], {cwd: folder, encoding: 'utf8'});
    assert.equal(status, 0, stdout);
  });
});
