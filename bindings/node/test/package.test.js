'use strict';
// Tests the tarball of `npm pack`, installed in an empty directory, and the examples in the documentation.
const assert = require('node:assert/strict');
const {execFileSync, spawnSync} = require('node:child_process');
const {cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync} = require('node:fs');
const {tmpdir} = require('node:os');
const path = require('node:path');
const test = require('node:test');
const {encodeModel} = require('./onnx_model.js');

const root = path.join(__dirname, '..');

// Calls use(folder) with a new directory, and removes the directory afterwards.
function inFolder(use) {
  const folder = mkdtempSync(path.join(tmpdir(), 'webnn-'));
  try {
    use(folder);
  } finally {
    rmSync(folder, {recursive: true});
  }
}

function run(folder, name, script, ...args) {
  const file = path.join(folder, name);
  writeFileSync(file, script);
  return spawnSync(process.execPath, [file, ...args], {cwd: folder, encoding: 'utf8'});
}

test('lib/js is a copy of bindings/js', () => {
  const copy = path.join(root, 'lib/js'), original = path.join(root, '../js');
  assert.deepEqual(readdirSync(copy), readdirSync(original), 'run `npm run build`');
  for (const name of readdirSync(original))
    assert.equal(readFileSync(path.join(copy, name), 'utf8'), readFileSync(path.join(original, name), 'utf8'), 'run `npm run build`');
});

test('the tarball installs and runs in an empty folder, without a compiler or a network', () => {
  inFolder((folder) => {
    const npm = (...args) => execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund'], {cwd: folder, encoding: 'utf8', stdio: 'pipe'});
    const [{filename, files}] = JSON.parse(npm('pack', root, '--json'));
    const unexpected = files.map((file) => file.path).filter((name) => !/^(lib|prebuilds)\/|^[^/]*\.(md|d\.ts|json)$/.test(name));
    assert.deepEqual(unexpected, []);
    npm('init', '--yes');
    npm('install', '--ignore-scripts', `./${filename}`);
    const program = `
      const context = await ml.createContext({service: process.argv[2]});
      const builder = new MLGraphBuilder(context);
      const graph = await builder.build({y: builder.neg(builder.constant('float32', 2))});
      const y = await context.createTensor({dataType: 'float32', shape: [], readable: true});
      context.dispatch(graph, {}, {y});
      console.log(new Float32Array(await context.readTensor(y))[0]);`;
    const hasService = files.some((file) => file.path.endsWith('/webnn-service'));
    for (const service of hasService ? ['', 'private'] : ['']) {
      const module = run(folder, 'program.mjs', `import {ml, MLGraphBuilder} from 'webnn'; ${program}`, service);
      assert.equal(module.stdout, '-2\n', module.stderr);
      const script = run(folder, 'program.cjs', `const {ml, MLGraphBuilder} = require('webnn'); (async () => { ${program} })();`, service);
      assert.equal(script.stdout, '-2\n', script.stderr);
    }
  });
});

test('without an addon for the platform, the error gives instructions', () => {
  inFolder((folder) => {
    cpSync(path.join(root, 'lib'), path.join(folder, 'lib'), {recursive: true});
    mkdirSync(path.join(folder, 'prebuilds/vax-bsd'), {recursive: true});
    const {status, stderr} = run(folder, 'program.cjs', "delete process.env.WEBNN_ADDON; require('./lib/index.js');");
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`there is no addon for ${process.platform}-${process.arch}.*vax-bsd.*npm run build`));
    assert.doesNotMatch(stderr, /musl/);
    const alpine = "process.report.getReport = () => ({header: {}}); Object.defineProperty(process, 'platform', {value: 'linux'});";
    assert.match(run(folder, 'alpine.cjs', `${alpine} delete process.env.WEBNN_ADDON; require('./lib/index.js');`).stderr, /needs glibc.*musl/);
  });
});

// Returns the output that the example's comments after console.log() promise.
const saidIn = (example) => [...example.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map((match) => match[1]);

// Runs the examples in a directory where the package is installed and model.onnx computes y = relu(x) for x of [batch, 3].
function runExamples(examples) {
  assert.ok(examples.length > 0);
  const dimensions = ['batch', 3];
  const model = encodeModel({nodes: [['Relu', ['x'], ['y']]], inputs: [['x', 1, dimensions]], outputs: [['y', 1, dimensions]]});
  inFolder((folder) => {
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(root, path.join(folder, 'node_modules/webnn'));
    writeFileSync(path.join(folder, 'model.onnx'), model);
    for (const example of examples) {
      const {status, stdout, stderr} = run(folder, 'example.mjs', example), expected = saidIn(example);
      assert.equal(status, 0, `${example}\n${stderr}`);
      assert.ok(expected.length > 0, example);
      assert.deepEqual(stdout.trim().split('\n'), expected, example);
    }
  });
}

test('every declaration of a value has an example, which runs and prints its comment', () => {
  const text = readFileSync(path.join(root, 'index.d.ts'), 'utf8');
  const comments = [...text.matchAll(/\/\*\*(.*?)\*\//gs)].map((match) => match[1]);
  const exampleOf = (comment) => /@example\n(.*)/s.exec(comment.replace(/^ *\* ?/gm, ''))?.[1];
  const values = [...text.matchAll(/^export declare (?:const|function|class) (\w+)/gm)].map((match) => match[1]);
  const shown = comments.map(exampleOf).filter(Boolean);
  for (const name of new Set(values)) assert.ok(shown.some((example) => new RegExp(`import \\{[^}]*\\b${name}\\b`).test(example)), name);
  runExamples(shown);
});

for (const page of ['README.md', 'docs/reference/node.md', 'bindings/node/README.md']) {
  test(`the examples of ${page} run, and print what they say`, () => {
    const text = readFileSync(path.join(root, '../..', page), 'utf8');
    const examples = [...text.matchAll(/```js\n(.*?)```/gs)].map((match) => match[1]);
    runExamples(examples);
  });
}
