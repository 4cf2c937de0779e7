// Bundles the platform-independent tests of the Node.js package for browsers.
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

const nodeTests = fileURLToPath(new URL('../../../node/test', import.meta.url));
const standIns = fileURLToPath(new URL('../stand_ins', import.meta.url));

/** The platform-independent test files. Others start processes, read files or measure the memory of Node.js. */
const files = ['idl', 'limits', 'operations', 'tensors'];

const resolve = {
  name: 'resolve',
  setup({onResolve}) {
    const to = (name) => ({path: path.join(standIns, name)});
    onResolve({filter: /^node:test$/}, () => to('test.js'));
    onResolve({filter: /^node:assert\/strict$/}, () => to('assert.js'));
    onResolve({filter: /^node:(fs|path|vm|worker_threads)$/}, () => to('node.js'));
    onResolve({filter: /^\.\.(\/lib\/index\.mjs)?$/}, () => ({path: '/dist/webnn.js', external: true}));
  },
};

/** Returns an ES module that expects the globals `webnnUnderTest` and `nodeFiles`. */
export async function bundleNodeTests() {
  const {outputFiles} = await build({
    stdin: {contents: files.map((name) => `require('./${name}.test.js');`).join('\n'), resolveDir: nodeTests, loader: 'js'},
    bundle: true, write: false, format: 'esm', target: 'es2022', plugins: [resolve],
    define: {'__dirname': '"."', 'process.env.WEBNN_VECTORS': '"/vectors"', 'setImmediate': 'globalThis.nextTask'},
  });
  return outputFiles[0].text;
}
