// Makes the tests of the Node.js package test this package, without a worker. Loaded with `node --import`.
import {readFileSync} from 'node:fs';

const {configure, ...webnn} = await import('../dist/webnn.js');
const compiled = (name) => WebAssembly.compile(readFileSync(new URL(`../dist/${name}`, import.meta.url)));
configure({worker: false, module: await compiled('webnn.wasm'), readerModule: await compiled('webnn-reader.wasm')});
globalThis.webnnUnderTest = webnn;
