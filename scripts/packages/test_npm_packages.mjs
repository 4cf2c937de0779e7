// Publishes the packages of dist to a registry (verdaccio on loopback), installs them into an empty project, and runs programs
// with each supported version of Node.js from npm.
// usage: node scripts/packages/test_npm_packages.mjs [VERSION...]
import assert from 'node:assert/strict';
import {execFileSync, spawn} from 'node:child_process';
import {copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const versions = process.argv.slice(2).length ? process.argv.slice(2) : ['20.20.2', '22.23.3', '24.9.0', '26.9.0'];
const tools = path.join(root, 'build/npm-tools');
const upstream = execFileSync('npm', ['config', 'get', 'registry'], {encoding: 'utf8'}).trim();
const npm = (folder, ...args) => execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {cwd: folder, encoding: 'utf8'});

mkdirSync(tools, {recursive: true});
for (const name of ['package.json', 'package-lock.json']) copyFileSync(path.join(root, 'packaging/npm', name), path.join(tools, name));
execFileSync(path.join(root, 'scripts/setup/setup_npm.sh'), [tools, '--loglevel=error'], {stdio: 'inherit'});
const nodes = versions.map((version) => {
  const folder = path.join(root, 'build/npm-nodes', version);
  if (!existsSync(path.join(folder, 'node_modules'))) {
    mkdirSync(folder, {recursive: true});
    writeFileSync(path.join(folder, 'package.json'), '{}');
    npm(folder, 'install', `node-linux-${process.arch}@${version}`);
  }
  return path.join(folder, `node_modules/node-linux-${process.arch}/bin/node`);
});

const place = mkdtempSync(path.join(tmpdir(), 'webnn-npm-')), log = path.join(place, 'verdaccio.log');
const port = await new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const {port} = server.address();
    server.close(() => resolve(port));
  });
});
writeFileSync(path.join(place, 'verdaccio.yaml'), `
storage: ${place}/storage
auth: {htpasswd: {file: ${place}/htpasswd}}
uplinks: {upstream: {url: '${upstream}'}}
packages:
  '@libwebnn/*': {access: $all, publish: $all}
  webnn: {access: $all, publish: $all}
  webnn-onnxruntime-node: {access: $all, publish: $all}
  '**': {access: $all, proxy: upstream}
log: {type: file, path: ${log}, level: warn}
`);
const registry = `http://127.0.0.1:${port}/`;
// Runs verdaccio with the newest Node.js, because verdaccio does not support the oldest one.
const server = spawn(nodes.at(-1), [path.join(tools, 'node_modules/verdaccio/bin/verdaccio'), '-c', path.join(place, 'verdaccio.yaml'), '-l', `127.0.0.1:${port}`],
  {stdio: 'ignore'});

const program = `
  const graph = await load('squeezenet.onnx');
  const image = new Float32Array(1 * 3 * 224 * 224).map((_, i) => Math.sin(i));
  const result = await graph.run({[Object.keys(graph.inputs)[0]]: image});
  const scores = Object.values(result)[0];
  console.log(scores.length, scores.every(Number.isFinite));`;
const small = `
  const text = 'webnn_graph "g" v2 { inputs { x: f32[3]; } consts { } nodes { y = relu(x); } outputs { y; } }';
  const graph = await load(new TextEncoder().encode(text));
  console.log((await graph.run({x: [-1, 0, 2]})).y.join());`;
const model = path.join(root, '../shared/models/squeezenet1.1/squeezenet1.1.onnx');

try {
  for (let tries = 0; ; tries++) {  // repeats until verdaccio listens
    const response = await fetch(`${registry}-/ping`).catch(() => undefined);
    if (response?.ok) break;
    assert.ok(tries < 600 && server.exitCode === null, `verdaccio does not start: ${existsSync(log) ? readFileSync(log, 'utf8') : ''}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const files = readdirSync(path.join(root, 'dist')).filter((name) => /^(webnn-([a-z-]+-)?[\d.]+|libwebnn-.*)\.tgz$/.test(name));
  assert.ok(files.length >= 3, 'run `make npm` first');
  writeFileSync(path.join(place, '.npmrc'), `registry=${registry}\n//127.0.0.1:${port}/:_authToken=anybody\n`);
  for (const name of files) npm(place, 'publish', path.join(root, 'dist', name), '--access=public', `--userconfig=${place}/.npmrc`);

  const project = path.join(place, 'project');
  mkdirSync(project);
  writeFileSync(path.join(project, '.npmrc'), `registry=${registry}\n`);
  npm(project, 'init', '--yes');
  const start = performance.now();
  npm(project, 'install', 'webnn');
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const installed = readdirSync(path.join(project, 'node_modules/@libwebnn'));
  assert.deepEqual(installed, [`linux-${process.arch}`]);
  const licences = readdirSync(path.join(project, 'node_modules/@libwebnn', installed[0], 'licences'));
  for (const name of ['libcapnp', 'libfmt-dev', 'libhwy-dev', 'libmd', 'libprotozero-dev', 'libseccomp', 'nlohmann-json3-dev', 'node-addon-api', 'node-api-headers']) {
    assert.ok(licences.includes(`${name}.txt`), `the licence of ${name} is missing`);
  }
  for (const name of ['webnn', `@libwebnn/${installed[0]}`]) {
    const {scripts} = JSON.parse(readFileSync(path.join(project, 'node_modules', name, 'package.json'), 'utf8'));
    assert.equal(scripts, undefined, `${name} runs something at install`);
  }

  const write = (name, text) => writeFileSync(path.join(project, name), text);
  write('module.mjs', `import {load} from 'webnn';${small}`);
  write('script.cjs', `const {load} = require('webnn'); (async () => {${small}})();`);
  write('typed.mts', `import {load, type MLGraph} from 'webnn'; const graph: MLGraph = await load('m.onnx'); console.log(graph.inputs);`);
  write('worker.mjs', `import {Worker, isMainThread} from 'node:worker_threads'; import {load} from 'webnn';
    if (isMainThread) { for (let i = 0; i < 2; i++) await new Promise((done) => new Worker(new URL(import.meta.url)).on('exit', done)); }
    else {${small}}`);
  if (existsSync(model)) {
    copyFileSync(model, path.join(project, 'squeezenet.onnx'));
    write('squeezenet.mjs', `import {load} from 'webnn';${program}`);
  }
  const tool = (name) => path.join(tools, 'node_modules', name);
  execFileSync(tool('esbuild/bin/esbuild'), ['module.mjs', '--bundle', '--platform=node', '--format=esm', '--external:webnn',
    '--outfile=bundled.mjs', '--log-level=error'], {cwd: project});
  execFileSync(process.execPath, [tool('typescript/bin/tsc'), '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', '', 'typed.mts'],
    {cwd: project, stdio: 'inherit'});

  // In a project with an alias and an override, both a program and a package that depends on onnxruntime-node must get ours.
  const aliased = path.join(place, 'aliased'), dependent = path.join(place, 'dependent');
  for (const folder of [aliased, dependent]) mkdirSync(folder);
  writeFileSync(path.join(dependent, 'package.json'), JSON.stringify({name: 'dependent', version: '1.0.0', main: 'main.js', dependencies: {'onnxruntime-node': '1.30.0'}}));
  writeFileSync(path.join(dependent, 'main.js'), `module.exports = require('onnxruntime-node');`);
  npm(dependent, 'pack', '--pack-destination', place);
  const {version} = JSON.parse(readFileSync(path.join(project, 'node_modules/webnn/package.json'), 'utf8'));
  writeFileSync(path.join(aliased, '.npmrc'), `registry=${registry}\n`);
  writeFileSync(path.join(aliased, 'package.json'), JSON.stringify({
    dependencies: {dependent: 'file:../dependent-1.0.0.tgz', 'onnxruntime-node': `npm:webnn-onnxruntime-node@${version}`},
    overrides: {'onnxruntime-node': '$onnxruntime-node'},
  }));
  npm(aliased, 'install');
  writeFileSync(path.join(aliased, 'program.mjs'), `import {env, InferenceSession} from 'onnxruntime-node'; import {Tensor} from 'onnxruntime-common'; import dependent from 'dependent';
    const text = 'webnn_graph "g" v2 { inputs { x: f32[3]; } consts { } nodes { y = relu(x); } outputs { y; } }';
    const session = await InferenceSession.create(new TextEncoder().encode(text));
    const {y} = await session.run({x: new Tensor('float32', [-1, 0, 2], [3])});
    console.log(y.data.join(), y instanceof dependent.Tensor, /webnn/.test(env.versions.node));`);

  for (const node of nodes) {
    const run = (file) => execFileSync(node, [file], {cwd: project, encoding: 'utf8'});
    for (const file of ['module.mjs', 'script.cjs', 'bundled.mjs']) assert.equal(run(file), '0,0,2\n', `${node} ${file}`);
    assert.equal(run('worker.mjs'), '0,0,2\n0,0,2\n');
    assert.equal(execFileSync(node, ['program.mjs'], {cwd: aliased, encoding: 'utf8'}), '0,0,2 true true\n', `${node}, with an alias`);
    if (existsSync(model)) assert.equal(run('squeezenet.mjs'), '1000 true\n');
    console.log(`Node.js ${execFileSync(node, ['--version'], {encoding: 'utf8'}).trim()}: the package works (installed in ${seconds} s)`);
  }
} finally {
  server.kill();
  rmSync(place, {recursive: true, force: true});
}
