'use strict';
// Tests contexts whose graphs run in a service's process.
const assert = require('node:assert/strict');
const {spawn, spawnSync} = require('node:child_process');
const {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync} = require('node:fs');
const {tmpdir} = require('node:os');
const path = require('node:path');
const readline = require('node:readline');
const test = require('node:test');
const binding = require('../lib/binding.js');
const {webnn} = require('./support.js');

const {MLGraphBuilder, ml} = webnn;
const package_ = path.dirname(process.env.WEBNN_ADDON ?? binding.file);
const tool = path.join(__dirname, '../../../build/release/tools/cli/webnn');
const skip = existsSync(path.join(package_, 'webnn-service')) ? false : 'the addon is built without the service';
const skipRunning = skip || (existsSync(tool) ? false : `${tool} is not there: it runs services`);

// Starts `webnn serve` and calls use({address, event(name)}).
async function withService(use) {
  const folder = mkdtempSync(path.join(tmpdir(), 'webnn-'));
  const socket = path.join(folder, 'socket');
  const serve = spawn(tool, ['serve', '--socket', socket], {stdio: ['ignore', 'inherit', 'pipe']});
  const lines = readline.createInterface({input: serve.stderr})[Symbol.asyncIterator]();
  // Returns the next line of the log with this event. Skips all lines before it.
  const event = async (name) => {
    for (;;) {
      const {value, done} = await lines.next();
      if (done) throw new Error(`the service has ended before an event ${name}`);
      const said = JSON.parse(value);
      if (said.event === name) return said;
    }
  };
  try {
    await event('listening');
    await use({address: `unix:${socket}`, event});
  } finally {
    serve.kill();
    rmSync(folder, {recursive: true});
  }
}

// Builds y = -x for two elements. Returns {graph, x, y, run}; run(...values) resolves to the outputs.
async function negation(context) {
  const builder = new MLGraphBuilder(context);
  const descriptor = {dataType: 'float32', shape: [2]};
  const graph = await builder.build({y: builder.neg(builder.input('x', descriptor))});
  const x = await context.createTensor({...descriptor, writable: true}), y = await context.createTensor({...descriptor, readable: true});
  const run = async (...values) => {
    context.writeTensor(x, new Float32Array(values));
    context.dispatch(graph, {x}, {y});
    return [...new Float32Array(await context.readTensor(y))];
  };
  return {graph, x, y, run};
}

test('a service of the context alone', {skip}, async () => {
  const context = await ml.createContext({service: 'private'});
  assert.equal(context.service, 'private');
  assert.deepEqual(await (await negation(context)).run(1, -2), [-1, 2]);
});

test('a context that is asked for none has none', async () => {
  assert.equal((await ml.createContext()).service, process.env.WEBNN_SERVICE ?? '');
});

test('the environment decides for programs that do not', {skip}, () => {
  const script = `const {ml} = require(${JSON.stringify(require.resolve('..'))}); ml.createContext().then((c) => console.log(c.service));`;
  const {stdout} = spawnSync(process.execPath, ['-e', script], {encoding: 'utf8', env: {...process.env, WEBNN_SERVICE: 'private'}});
  assert.equal(stdout, 'private\n');
});

test('a killed worker is a lost context that says why', {skip: skipRunning}, async () => {
  await withService(async ({address, event}) => {
    const context = await ml.createContext({service: address});
    assert.equal(context.service, address);
    const {graph, x, y, run} = await negation(context);
    assert.deepEqual(await run(3, 4), [-3, -4]);
    const builder = new MLGraphBuilder(context);
    process.kill((await event('started')).worker, 'SIGKILL');
    assert.equal((await context.lost).message, 'worker was killed by signal 9 (SIGKILL)');
    const why = {name: 'InvalidStateError', message: /the context is lost: worker was killed by signal 9/};
    assert.throws(() => context.writeTensor(x, new Float32Array(2)), why);
    assert.throws(() => context.dispatch(graph, {x}, {y}), why);
    await assert.rejects(context.readTensor(y), why);
    await assert.rejects(context.createTensor({dataType: 'float32', shape: [2]}), why);
    await assert.rejects(context.createConstantTensor({dataType: 'float32', shape: [2]}, new Float32Array(2)), why);
    assert.throws(() => builder.input('x', {dataType: 'float32', shape: [2]}), why);
    assert.throws(() => new MLGraphBuilder(context), why);
    assert.deepEqual(await (await negation(await ml.createContext({service: address}))).run(5, 6), [-5, -6]);
  });
});

test('reads that wait when the service ends are rejected with the reason', {skip: skipRunning}, async () => {
  await withService(async ({address, event}) => {
    const context = await ml.createContext({service: address, backend: 'reference'});
    const builder = new MLGraphBuilder(context), shape = [2048, 2048];
    const operand = builder.input('x', {dataType: 'float32', shape});
    const graph = await builder.build({y: builder.matmul(operand, operand)});  // the reference backend would need minutes
    const x = await context.createTensor({dataType: 'float32', shape});
    const y = await context.createTensor({dataType: 'float32', shape, readable: true});
    context.dispatch(graph, {x}, {y});
    const read = context.readTensor(y);
    process.kill((await event('started')).worker, 'SIGKILL');
    await assert.rejects(read, {name: 'InvalidStateError', message: /worker was killed by signal 9/});
  });
});

test('a token is 32 digits', {skip: skipRunning}, async () => {
  await withService(async ({address}) => {
    await assert.rejects(ml.createContext({service: address, serviceToken: 'secret'}), {name: 'TypeError', message: /32 hexadecimal digits/});
    await assert.rejects(ml.createContext({service: address, serviceToken: '7'.repeat(32)}),
                         {name: 'OperationError', message: /does not know .* or not this token/});
  });
});

test('a service that is not there', {skip}, async () => {
  const nowhere = path.join(tmpdir(), 'webnn-none');
  await assert.rejects(ml.createContext({service: `unix:${nowhere}`}),
                       {name: 'NotSupportedError', message: /there is no service at .*No such file/});
});

test('an address that is none', {skip}, async () => {
  for (const service of ['tcp:1', 'unix:', 'Private'])
    await assert.rejects(ml.createContext({service}), {name: 'TypeError', message: /the address of a service is "private" or "unix:PATH"/});
});

test('a program that is not there', {skip}, () => {
  const script = `const {ml} = require(${JSON.stringify(require.resolve('..'))});
    ml.createContext({service: 'private'}).catch((error) => console.log(error.name, error.message));`;
  const env = {...process.env, WEBNN_SERVICE_PROGRAM: '/none/such'};
  assert.match(spawnSync(process.execPath, ['-e', script], {encoding: 'utf8', env}).stdout, /^NotSupportedError .*"\/none\/such"/);
});

test('a context of a service keeps no process alive, and is collected', {skip}, () => {
  const script = `const {ml} = require(${JSON.stringify(require.resolve('..'))});
    ml.createContext({service: 'private'}).then((context) => { context.lost.then(() => console.log('lost')); });`;
  const {status, signal, stdout} = spawnSync(process.execPath, ['-e', script], {timeout: 60000, encoding: 'utf8'});
  assert.deepEqual({status, signal, stdout}, {status: 0, signal: null, stdout: ''});
});

test("Cap'n Proto is loaded from the package, not from the system", {skip}, () => {
  const libraries = readdirSync(package_).filter((name) => /^lib.*\.so/.test(name));
  const mapped = new Set(readFileSync('/proc/self/maps', 'utf8').split('\n').map((line) => line.slice(line.indexOf('/'))));
  const ours = [...mapped].filter((file) => libraries.includes(path.basename(file)));
  assert.ok(ours.some((file) => /libcapnp/.test(file)), ours);
  for (const file of ours) assert.equal(path.dirname(file), package_);
});
