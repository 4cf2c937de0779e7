'use strict';
// Tests load(), save(), and the extensions of graphs.
const assert = require('node:assert/strict');
const {spawnSync} = require('node:child_process');
const fs = require('node:fs');
const {tmpdir} = require('node:os');
const path = require('node:path');
const {after, test} = require('node:test');
const {pathToFileURL} = require('node:url');
const {inspect} = require('node:util');
const {encodeModel} = require('./onnx_model.js');
const {webnn} = require('./support.js');

const {InferenceSession, MLGraph, MLGraphBuilder, load, ml, run, save} = webnn;
const folder = fs.mkdtempSync(path.join(tmpdir(), 'webnn-'));
after(() => fs.rmSync(folder, {recursive: true}));

// A graph with y = relu(x) and z = -x for x of [batch, 3].
const open = JSON.stringify({
  format: 'webnn-graph-json', version: 2, name: 'open',
  inputs: {x: {dataType: 'float32', shape: [{name: 'batch', maxSize: 8}, 3]}}, consts: {},
  nodes: [{id: 'y', op: 'relu', inputs: ['x'], options: {}}, {id: 'z', op: 'neg', inputs: ['x'], options: {}}],
  outputs: {y: 'y', z: 'z'},
});

// Builds y = x + w for float32 x of [2], with the constant w = [10, 20].
async function makeSum(context) {
  const builder = new MLGraphBuilder(context ?? await ml.createContext()), descriptor = {dataType: 'float32', shape: [2]};
  return builder.build({y: builder.add(builder.input('x', descriptor), builder.constant(descriptor, new Float32Array([10, 20])))});
}

// Builds a graph with one input of this type, whose value is the output.
async function makeIdentity(dataType, shape) {
  const builder = new MLGraphBuilder(await ml.createContext());
  return builder.build({y: builder.identity(builder.input('x', {dataType, shape}))});
}

test('a graph is saved in every format that load() reads, and computes the same afterwards', async () => {
  const graph = await makeSum();
  for (const [name, format] of [['a.webnn'], ['a.json'], ['a.onnx'], ['a.webnnb'], ['A.ONNX'], ['a.txt', 'webnn']]) {
    const file = path.join(folder, name);
    await save(graph, file, format && {format});
    assert.deepEqual(await (await load(file)).run({x: [1, 2]}), {y: new Float32Array([11, 22])}, name);
  }
  await save(graph, pathToFileURL(path.join(folder, 'inline.onnx')), {weights: 'inline'});
  assert.ok(!fs.existsSync(path.join(folder, 'inline.onnx.data')));
  await save(graph, path.join(folder, 'b.webnn'), {weights: 'manifest'});
  const [weights, manifest] = ['b.weights', 'b.manifest.json'].map((name) => path.join(folder, name));
  const text = fs.readFileSync(path.join(folder, 'b.webnn'));
  assert.deepEqual(await (await load(text, {weights, manifest: pathToFileURL(manifest)})).run({x: [0, 0]}), {y: new Float32Array([10, 20])});
});

test('a context that could not be made for loads is made for the next one', () => {
  const script = `
    const {load} = require(${JSON.stringify(path.join(__dirname, '..'))}), options = {dimensions: {batch: 1}}, model = Buffer.from(${JSON.stringify(open)});
    load(model, options).then(() => console.log('loaded'), async ({name}) => {
      delete process.env.WEBNN_SERVICE;
      console.log(name, (await load(model, options)).inputs.x.shape);
    });`;
  const env = {...process.env, WEBNN_SERVICE: 'unix:/nowhere/socket'};
  assert.equal(spawnSync(process.execPath, ['-e', script], {env, encoding: 'utf8'}).stdout, 'NotSupportedError [ 1, 3 ]\n');
});

test('save() rejects unknown suffixes, and lists the known ones', async () => {
  const graph = await makeSum(), file = path.join(folder, 'a.h5');
  await assert.rejects(save(graph, file), {name: 'TypeError', message: /the suffix of '.*a\.h5' is none of \.webnn, .*\.onnx.*\{format: 'onnx'\}/});
  assert.ok(!fs.existsSync(file));
  await assert.rejects(save(graph, path.join(folder, 'none/a.onnx')), {name: 'OperationError', message: /none/});
  await assert.rejects(save(graph), {name: 'TypeError', message: /2 arguments required/});
  await assert.rejects(save({}, file), {name: 'TypeError', message: "save: graph is not of type 'MLGraph'."});
  await assert.rejects(save(graph, 7), {name: 'TypeError', message: 'save: path is no path.'});
  await assert.rejects(save(graph, 'a.onnx', {weights: 'none'}), TypeError);
});

test('load() takes a path, a URL, and bytes in any form', async () => {
  const file = path.join(folder, 'sources.onnx');
  await save(await makeSum(), file, {weights: 'inline'});
  const buffer = fs.readFileSync(file), bytes = new Uint8Array(buffer), shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  const data = new URL(`data:application/octet-stream;base64,${buffer.toString('base64')}`);
  for (const source of [file, pathToFileURL(file), buffer, bytes, bytes.buffer, shared, new DataView(bytes.buffer), new Blob([bytes]),
                        new Response(bytes), data])
    assert.deepEqual(await (await load(source)).run({x: [1, 2]}), {y: new Float32Array([11, 22])}, inspect(source));
});

test('load() compiles for the given context, or for one that all such loads share', async () => {
  const file = path.join(folder, 'context.webnn'), context = await ml.createContext({backend: 'reference'});
  await save(await makeSum(context), file);
  const graph = await load(file, {context});
  context.destroy();
  await assert.rejects(graph.run({x: [1, 2]}), {name: 'InvalidStateError'});
  await assert.rejects(load(file, {context}), {name: 'InvalidStateError', message: /the context is lost/});
  await (await load(file)).run({x: [1, 2]});
  await assert.rejects(load(file, {context: {}}), {name: 'TypeError', message: "load: options: context is not of type 'MLContext'."});
});

test('load() has the form of the web package as well', async () => {
  const file = path.join(folder, 'web.webnn');
  await save(await makeSum(), file);
  const {graph, inputs, outputs} = await load(await ml.createContext(), file);
  assert.ok(graph instanceof MLGraph);
  assert.deepEqual({inputs, outputs}, {inputs: {x: {dataType: 'float32', shape: [2]}}, outputs: {y: {dataType: 'float32', shape: [2]}}});
});

test('the sizes of open dimensions are given by name, and the error says how', async () => {
  const graph = await load(Buffer.from(open), {dimensions: {batch: 2}});
  assert.deepEqual(graph.inputs, {x: {dataType: 'float32', shape: [2, 3]}});
  assert.deepEqual(await graph.run({x: [[1, -2, 3], [-4, 5, -6]]}),
                   {y: new Float32Array([1, 0, 3, 0, 5, 0]), z: new Float32Array([-1, 2, -3, 4, -5, 6])});
  await assert.rejects(load(Buffer.from(open)), {name: 'TypeError', message: /"batch" has no size.*\{dimensions: \{batch: 1\}\}/});
  await assert.rejects(load(Buffer.from(open.replace('batch', 'batch size'))), {message: /\{dimensions: \{'batch size': 1\}\}/});
  await assert.rejects(load(Buffer.from(open), {dimensions: {batch: 9}}), {name: 'TypeError', message: /the size \(9\) of the dimension "batch"/});
  await assert.rejects(load(Buffer.from(open), {dimensions: {batch: 1, other: 1}}), {name: 'TypeError', message: /"other" is not in the graph/});
});

test('progress of a load is told, phase by phase, to its end', async () => {
  const model = encodeModel({
    nodes: Array.from({length: 30}, (_, i) => ['Tanh', [`t${i}`], [`t${i + 1}`]]), inputs: [['t0', 1, [2]]], outputs: [['t30', 1, [2]]],
  });
  const context = await ml.createContext({backend: 'cpu'});
  const phases = ['load', 'optimize', 'prepare'].slice(0, context.service ? 1 : 3);  // a service reports only the phase "load"
  for (const start of [(onProgress) => load(model, {context, onProgress}), (onProgress) => InferenceSession.create(model, {context, onProgress})]) {
    const reports = [];
    await start((report) => reports.push(report));
    assert.deepEqual([...new Set(reports.map(({phase}) => phase))], phases);
    for (const phase of phases) {
      const of = reports.filter((report) => report.phase === phase);
      assert.equal(of.at(-1).done, of.at(-1).total, phase);
      assert.deepEqual(of.map(({done}) => done), of.map(({done}) => done).sort((a, b) => a - b), phase);
    }
    assert.equal(reports.filter(({phase}) => phase === 'load').at(-1).total, 30);
  }
  const problem = new Error('on purpose');
  await assert.rejects(load(model, {context, onProgress: () => { throw problem; }}), problem);
  await assert.rejects(load(model, {context, onProgress: 1}), {name: 'TypeError', message: 'load: options: onProgress is no function.'});
});

test('errors of load() have the kinds of the library, and name the file', async () => {
  await assert.rejects(load(path.join(folder, 'nowhere.onnx')), {name: 'NotFoundError', message: /nowhere\.onnx/});
  fs.writeFileSync(path.join(folder, 'broken.json'), '{"format": ');
  await assert.rejects(load(path.join(folder, 'broken.json')), {name: 'DataError', message: /broken\.json/});
  await assert.rejects(load(), {name: 'TypeError', message: /1 argument required/});
  for (const wrong of [7, null, undefined, {}, []])
    await assert.rejects(load(wrong), {name: 'TypeError', message: /^load: source is no path, URL, Buffer/});
  await assert.rejects(load('a\0b'), {name: 'TypeError', message: /NUL/});
  await assert.rejects(load('a', {dimensions: 1}), TypeError);
  await assert.rejects(load('a', {signal: 1}), TypeError);
});

test('graphs have descriptions of their inputs and outputs, built or loaded', async () => {
  const graph = await makeSum();
  assert.deepEqual(graph.inputs, {x: {dataType: 'float32', shape: [2]}});
  assert.deepEqual(graph.outputs, {y: {dataType: 'float32', shape: [2]}});
  assert.equal(graph.inputs, graph.inputs);
  assert.ok(Object.isFrozen(graph.inputs) && Object.isFrozen(graph.inputs.x.shape));
  assert.throws(() => Object.getOwnPropertyDescriptor(MLGraph.prototype, 'inputs').get.call({}), TypeError);
});

test('run() takes data as a program has it', async () => {
  const context = await ml.createContext(), graph = await makeSum(context);
  const tensor = await context.createTensor({dataType: 'float32', shape: [2], writable: true});
  const values = new Float32Array([1, 2]);
  context.writeTensor(tensor, values);
  for (const x of [values, values.buffer, Buffer.from(values.buffer), [1, 2], tensor, {type: 'float32', data: values, dims: [2]}])
    assert.deepEqual(await run(graph, {x}), {y: new Float32Array([11, 22])});
});

test('plain numbers become each data type, or are refused', async () => {
  const held = {
    float32: [[0.5, -1], Float32Array], float16: [[0.5, -1], undefined], int32: [[-5, 2 ** 31 - 1], Int32Array],
    uint32: [[0, 2 ** 32 - 1], Uint32Array], int64: [[-5, 7], BigInt64Array], uint64: [[5, 2 ** 53], BigUint64Array],
    int8: [[-128, 127], Int8Array], uint8: [[255, true], Uint8Array],
  };
  for (const [dataType, [values, View]] of Object.entries(held)) {
    const {y} = await (await makeIdentity(dataType, [2])).run({x: values});
    const expected = dataType.endsWith('64') ? values.map(BigInt) : values.map(Number);
    if (View) assert.deepEqual(y, View.from(expected));
  }
  // https://en.wikipedia.org/wiki/Half-precision_floating-point_format#Half_precision_examples, and ties to even
  const halves = [[1, 0x3c00], [-2, 0xc000], [65504, 0x7bff], [65520, 0x7c00], [6e-8, 1], [2 ** -24, 1], [2 ** -25, 0], [1 / 3, 0x3555],
                  [2049, 0x6800], [2051, 0x6802], [-0, 0x8000], [-Infinity, 0xfc00], [2 ** -14, 0x0400], [2 ** -14 - 2 ** -24, 0x03ff]];
  const {y} = await (await makeIdentity('float16', [halves.length])).run({x: halves.map(([value]) => value)});
  assert.deepEqual([...new Uint16Array(y.buffer)], halves.map(([, bits]) => bits));
  for (const [dataType, wrong] of [['int8', 128], ['uint8', -1], ['int32', 0.5], ['uint64', -1], ['int64', 2 ** 63], ['uint32', NaN]]) {
    await assert.rejects((await makeIdentity(dataType, [1])).run({x: [wrong]}),
                         {name: 'TypeError', message: `run: 'x': ${wrong} is no ${dataType}.`});
  }
  assert.deepEqual((await (await makeIdentity('float32', [])).run({x: 3})).y, new Float32Array([3]));
  const builder = new MLGraphBuilder(await ml.createContext());
  const packed = await builder.build({y: builder.cast(builder.input('x', {dataType: 'int4', shape: [3]}), 'int32')});
  assert.deepEqual((await packed.run({x: [-8, 7, 1]})).y, new Int32Array([-8, 7, 1]));
});

test('errors of run() name the input and the expected type or shape', async () => {
  const graph = await makeIdentity('float32', [2, 2]);
  const messages = [
    [{x: [1, 2, 3]}, "run: 'x': an array of 3 numbers, for float32[2, 2]."],
    [{x: [[1, 2], [3]]}, "run: 'x': an array of 1 for the dimension 1, of size 2, for float32[2, 2]."],
    [{x: [[1, 2], [3, [4]]]}, "run: 'x': an array in the place of a number, for float32[2, 2]."],
    [{x: [[1, 2], 3]}, "run: 'x': a number where 1 dimensions are left, for float32[2, 2]."],
    [{x: [1, 2, 3, 'a']}, /run: 'x': .*for float32\[2, 2\]/],
    [{x: new Float32Array(3)}, "run: 'x': the byte length (12) is not that of float32[2, 2] (16)."],
    [{x: new Int32Array(4)}, "run: 'x': an Int32Array does not hold float32, but a Float32Array does."],
    [{x: null}, "run: 'x': null is no data for float32[2, 2], but a Float32Array or an array of numbers is."],
    [{x: {data: new Float32Array(4), dims: [4]}}, "run: 'x': dims [4] are not those of float32[2, 2]."],
    [{z: 1}, "run: there is no input 'z'; the inputs are 'x' float32[2, 2]."],
    [{}, "run: the input 'x' is missing; the inputs are 'x' float32[2, 2]."],
    [undefined, "run: the feeds are no object {name: data} for the inputs 'x' float32[2, 2]."],
  ];
  for (const [feeds, message] of messages) await assert.rejects(graph.run(feeds), {name: 'TypeError', message});
  await assert.rejects(graph.run({x: [1, 2, 3, 4]}, {outputs: ['q']}),
                       {name: 'TypeError', message: "run: there is no output 'q'; the outputs are 'y' float32[2, 2]."});
  await assert.rejects(run({}, {}), {name: 'TypeError', message: "run: graph is not of type 'MLGraph'."});
});

test('runs of a graph may overlap, and each has its own results', async () => {
  const graph = await makeSum();
  const results = await Promise.all(Array.from({length: 50}, (_, i) => graph.run({x: [i, 2 * i]})));
  results.forEach(({y}, i) => assert.deepEqual(y, new Float32Array([10 + i, 20 + 2 * i])));
});

test('run() computes all outputs, or gives those that are asked for', async () => {
  const graph = await load(Buffer.from(open), {dimensions: {batch: 1}});
  assert.deepEqual(Object.keys(await graph.run({x: [1, 2, 3]})), ['y', 'z']);
  assert.deepEqual(await graph.run({x: [1, 2, 3]}, {outputs: ['z']}), {z: new Float32Array([-1, -2, -3])});
});

test('console.log() describes objects', async () => {
  const context = await ml.createContext({backend: 'cpu'}), graph = await makeSum(context);
  const shown = `MLContext { backend: 'cpu', accelerated: false${context.service && `, service: '${context.service}'`}`;
  assert.equal(inspect(context), `${shown} }`);
  assert.equal(inspect(graph), "MLGraph { inputs: { x: 'float32[2]' }, outputs: { y: 'float32[2]' } }");
  assert.equal(inspect({a: {b: {c: {graph}}}}), '{ a: { b: { c: [Object] } } }');
  assert.equal(inspect(await context.createTensor({dataType: 'int8', shape: [2, 3], readable: true})), 'MLTensor int8[2, 3] readable');
  const builder = new MLGraphBuilder(context);
  assert.equal(inspect(builder.input('x', {dataType: 'int8', shape: []})), 'MLOperand int8[]');
  assert.equal(inspect(builder), 'MLGraphBuilder {}');
  context.destroy();
  assert.equal(inspect(context), `${shown}, lost: true }`);
  assert.match(inspect(MLGraph.prototype), /MLGraph/);
});

test('graphs, tensors and contexts are resources that `using` gives back', {skip: !Symbol.dispose && 'there is no Symbol.dispose'}, async () => {
  const context = await ml.createContext(), graph = await makeSum(context);
  const tensor = await context.createTensor({dataType: 'float32', shape: [1], readable: true});
  graph[Symbol.dispose]();
  await assert.rejects(graph.run({x: [1, 2]}), {name: 'InvalidStateError'});
  tensor[Symbol.dispose]();
  await assert.rejects(context.readTensor(tensor), {name: 'TypeError', message: /destroyed/});
  await context[Symbol.asyncDispose]();
  await context.lost;
  assert.throws(() => graph[Symbol.dispose].call({}), TypeError);
});

test('members beyond the specification are not enumerable', () => {
  assert.deepEqual(Object.keys(MLGraph.prototype), ['destroy']);
  assert.deepEqual(Object.getOwnPropertySymbols(MLGraph.prototype).filter((key) => Object.getOwnPropertyDescriptor(MLGraph.prototype, key).enumerable), []);
});
