// Puts the package's files into dist/: the module that scripts/web.sh has compiled, and what esbuild makes of lib/ and the
// JavaScript layer that this package shares with the Node.js package. usage: node scripts/build.mjs BUILD OPERATIONS.json    (in
// BUILD, CMake's folders web and web-threads)
import {copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import path from 'node:path';
import {build} from 'esbuild';

const here = fileURLToPath(new URL('..', import.meta.url));
const [builds, operations] = process.argv.slice(2).map((given) => path.resolve(given));
const folderOf = (variant) => path.join(builds, variant, 'bindings/web');
const lib = path.join(here, 'lib'), dist = path.join(here, 'dist'), shared = path.join(here, '../js');

// Of the operation table, what methods are made of.
function operationTable() {
  const parameter = ({name, type, values}) => ({name, type, values});
  const {operations: all} = JSON.parse(readFileSync(operations));
  return JSON.stringify({
    operations: all.map(({name, arguments: parameters, options, returns}) =>
      ({name, arguments: parameters.map(parameter), options: options.map(parameter), returns})),
  });
}

// A CommonJS module as an ES module, which esbuild joins with others: browsers parse functions around modules twice. Ours name
// what they require() in lines of their own, and what they export in one list.
function asModule(text, file) {
  const module = text
    .replace("'use strict';\n", '')
    .replace(/^const \{([^}]*)\} = require\(('[^']+')\);$/gm, (_, names, from) => `import {${names.replaceAll(': ', ' as ')}} from ${from};`)
    .replace(/^const (\w+) = require\(('webnn-[^']+')\);$/gm, 'import $1 from $2;')
    .replace(/^const (\w+) = require\(('[^']+')\);$/gm, 'import * as $1 from $2;')
    .replace(/^module\.exports = (\{[\w\s,]+\});$/m, 'export $1;');
  if (/\b(require\(|module\.exports)/.test(module)) throw new Error(`${file} is not written as a module that this can join with others`);
  return module;
}

// Resolves the names that stand for what CMake and the operation table give.
const resolve = {
  name: 'resolve',
  setup({onResolve, onLoad}) {
    onLoad({filter: /\.js$/}, ({path: file}) =>
      [lib, shared].includes(path.dirname(file)) ? {contents: asModule(readFileSync(file, 'utf8'), file)} : undefined);
    onResolve({filter: /^webnn-module$/}, () => ({path: path.join(folderOf('web'), 'webnn_web.js')}));
    onResolve({filter: /^webnn-reader-module$/}, () => ({path: path.join(folderOf('web'), 'webnn_reader.js')}));
    onResolve({filter: /^webnn-onnx-module$/}, () => ({path: path.join(folderOf('web'), 'webnn_onnx.js')}));
    onResolve({filter: /^webnn-operations$/}, () => ({path: operations, namespace: 'operations'}));
    onLoad({filter: /.*/, namespace: 'operations'}, () => ({contents: operationTable(), loader: 'text'}));
    onResolve({filter: /^\.\/webnn(-threads)?\.js$/}, ({path: given}) => ({path: given, external: true}));
    onResolve({filter: /^\.\/reader\.js$/}, ({kind}) => (kind === 'dynamic-import' ? {path: './reader.js', external: true} : undefined));
  },
};

rmSync(dist, {recursive: true, force: true});
mkdirSync(dist);
await build({
  entryPoints: {webnn: path.join(lib, 'entry.mjs'), worker: path.join(lib, 'worker.js'), install: path.join(lib, 'install.mjs'),
                reader: path.join(lib, 'reader_entry.mjs')},
  outdir: dist, bundle: true, format: 'esm', target: 'es2022', minify: true, keepNames: true, legalComments: 'none', plugins: [resolve],
});
// What Emscripten makes for threads stays a file of its own: its workers load it. Vite takes no options of workers in a variable.
// It knows its workers by their name, which workers of pages have that are made with Emscripten.
const options = /(new Worker\(new URL\("webnn-threads\.js",import\.meta\.url\)),workerOptions\)/g;
const threads = readFileSync(path.join(folderOf('web-threads'), 'webnn-threads.js'), 'utf8').replaceAll('em-pthread', 'webnn-pthread');
if (threads.match(options)?.length !== 1) throw new Error('webnn-threads.js does not start its workers as Emscripten 3.1.69 writes it');
await build({
  stdin: {contents: threads.replace(options, '$1,{type:"module",name:"webnn-pthread"})')}, outfile: path.join(dist, 'webnn-threads.js'),
  format: 'esm', target: 'es2022', minify: true, legalComments: 'none',
});
// A module with relaxed SIMD has the imports and exports of the one without, so that what Emscripten makes of both is the same.
for (const [variant, one, other] of [['web', 'webnn_web', 'webnn_web_relaxed'], ['web-threads', 'webnn-threads', 'webnn-threads-relaxed']]) {
  const scriptOf = (name) => readFileSync(path.join(folderOf(variant), `${name}.js`), 'utf8').replaceAll(name, '');
  if (scriptOf(one) !== scriptOf(other)) throw new Error(`${other}.js is not as ${one}.js`);
}
for (const [variant, file, name] of [['web', 'webnn_web', 'webnn'], ['web', 'webnn_web_relaxed', 'webnn-relaxed'],
                                     ['web', 'webnn_onnx', 'webnn-onnx'],
                                     ['web', 'webnn_reader', 'webnn-reader'], ['web-threads', 'webnn-threads', 'webnn-threads'],
                                     ['web-threads', 'webnn-threads-relaxed', 'webnn-threads-relaxed']]) {
  copyFileSync(path.join(folderOf(variant), `${file}.wasm`), path.join(dist, `${name}.wasm`));
}
copyFileSync(path.join(here, '../node/webnn.d.ts'), path.join(dist, 'webnn.d.ts'));
copyFileSync(path.join(here, 'index.d.ts'), path.join(dist, 'index.d.ts'));
writeFileSync(path.join(dist, 'install.d.ts'), 'export {};\n');
