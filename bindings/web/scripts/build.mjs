// Builds dist/ from the modules that scripts/web.sh has compiled, and from lib/ and bindings/js, bundled.
// usage: node scripts/build.mjs BUILD OPERATIONS.json    (BUILD contains CMake's directories web and web-threads)
import {copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import path from 'node:path';
import {build} from 'esbuild';

const here = fileURLToPath(new URL('..', import.meta.url));
const [builds, operations] = process.argv.slice(2).map((given) => path.resolve(given));
const folderOf = (variant) => path.join(builds, variant, 'bindings/web');
const lib = path.join(here, 'lib'), dist = path.join(here, 'dist'), shared = path.join(here, '../js');

// Returns the operation table, reduced to what creates the methods of MLGraphBuilder.
function operationTable() {
  const parameter = ({name, type, values}) => ({name, type, values});
  const {operations: all} = JSON.parse(readFileSync(operations));
  return JSON.stringify({
    operations: all.map(({name, arguments: parameters, options, returns}) =>
      ({name, arguments: parameters.map(parameter), options: options.map(parameter), returns})),
  });
}

// Converts a CommonJS module to an ES module. esbuild puts ES modules into one scope, whereas browsers parse the function around
// a CommonJS module twice. Each require() must have its own line, and the exports must be one list.
function asModule(text, file) {
  const module = text
    .replace("'use strict';\n", '')
    .replace(/^const \{([^}]*)\} = require\(('[^']+')\);$/gm, (_, names, from) => `import {${names.replaceAll(': ', ' as ')}} from ${from};`)
    .replace(/^const (\w+) = require\(('webnn[-_][^']+')\);$/gm, 'import $1 from $2;')
    .replace(/^const (\w+) = require\(('[^']+')\);$/gm, 'import * as $1 from $2;')
    .replace(/^module\.exports = (\{[\w\s,]+\});$/m, 'export $1;');
  if (/\b(require\(|module\.exports)/.test(module)) throw new Error(`${file} is not written as a module that this can join with others`);
  return module;
}

// A plugin of esbuild: converts the CommonJS modules, finds the compiled modules, supplies the operation table, and keeps imports
// of files that stay separate.
const resolve = {
  name: 'resolve',
  setup({onResolve, onLoad}) {
    onLoad({filter: /\.js$/}, ({path: file}) =>
      [lib, shared].includes(path.dirname(file)) ? {contents: asModule(readFileSync(file, 'utf8'), file)} : undefined);
    onResolve({filter: /^webnn_(web|reader|onnx)$/}, ({path: name}) => ({path: path.join(folderOf('web'), `${name}.js`)}));
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
                reader: path.join(lib, 'reader.js')},
  outdir: dist, bundle: true, format: 'esm', target: 'es2022', minify: true, keepNames: true, legalComments: 'none', plugins: [resolve],
});
// Emscripten's script for threads remains a separate file, because its workers load it. Vite rejects worker options in a
// variable, so the options replace the variable. The script recognizes its workers by name, which is changed to differ from other
// Emscripten programs.
const options = /(new Worker\(new URL\("webnn-threads\.js",import\.meta\.url\)),workerOptions\)/g;
const threads = readFileSync(path.join(folderOf('web-threads'), 'webnn-threads.js'), 'utf8').replaceAll('em-pthread', 'webnn-pthread');
if (threads.match(options)?.length !== 1) throw new Error('webnn-threads.js does not start its workers as Emscripten 3.1.69 writes it');
await build({
  stdin: {contents: threads.replace(options, '$1,{type:"module",name:"webnn-pthread"})')}, outfile: path.join(dist, 'webnn-threads.js'),
  format: 'esm', target: 'es2022', minify: true, legalComments: 'none',
});
// Modules with and without relaxed SIMD use the same script, so their imports and exports must be equal.
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
