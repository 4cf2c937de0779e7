// For `node --import`: the tests of the Node.js package with this one, in a mode without a worker.
import {readFileSync} from 'node:fs';

const {configure, ...webnn} = await import('../dist/webnn.js');
configure({worker: false, module: await WebAssembly.compile(readFileSync(new URL('../dist/webnn.wasm', import.meta.url)))});
globalThis.webnnUnderTest = webnn;
