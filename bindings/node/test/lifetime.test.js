'use strict';
// Tests that unused memory is released, and that the garbage collector is told the size of memory outside its heap.
const assert = require('node:assert/strict');
const {readFileSync} = require('node:fs');
const test = require('node:test');
const {setImmediate: turn} = require('node:timers/promises');
const {graphOf, webnn} = require('./support.js');

const {MLGraphBuilder, ml} = webnn;
const needsGc = {skip: !globalThis.gc && 'needs --expose-gc'};
const MiB = 2 ** 20;
const cycles = process.env.WEBNN_SERVICE ? 100 : 1000;  // with a service, each cycle starts and ends a process

async function collect() {
  for (let i = 0; i < 6; ++i) {
    globalThis.gc();
    await turn();
  }
}

// Returns the private dirty memory of the process, in bytes.
function ownMemory() {
  const lines = readFileSync('/proc/self/smaps_rollup', 'utf8');
  return Number(/^Private_Dirty:\s+(\d+)/m.exec(lines)[1]) * 1024;
}

async function cycle(destroys) {
  const {context, run, graph, inputs, outputs} = await graphOf((builder, x) => builder.relu(x), [16]);
  await run(new Float32Array(16));
  if (!destroys) return;
  graph.destroy();
  for (const tensor of [inputs.x0, outputs.y]) tensor.destroy();
  context.destroy();
}

// Must run first, because garbage of other tests would disturb the measurement.
test('a constant of 100 MB is copied once', needsGc, async () => {
  const builder = new MLGraphBuilder(await ml.createContext());
  const weights = new Float32Array(25e6).fill(1);
  await collect();
  const before = ownMemory();
  const constant = builder.constant({dataType: 'float32', shape: [25e6]}, weights);
  assert.ok(constant);
  const copied = (ownMemory() - before) / 1e8;
  assert.ok(copied > 0.9 && copied < 1.1, `${copied} times`);
});

test(`${cycles} cycles of create, build, dispatch and destroy grow the memory by less than 1 MiB`, needsGc, async () => {
  for (const destroys of [true, false]) {
    for (let i = 0; i < 1.5 * cycles; ++i) await cycle(destroys);  // warm up until the allocator has reached its working size
    let grown = Infinity;
    // The allocator may still grow when threads first contend, but a leak grows in each round.
    for (let attempt = 0; attempt < 3 && grown >= MiB; ++attempt) {
      await collect();
      const before = ownMemory();
      for (let i = 0; i < cycles; ++i) {
        await cycle(destroys);
        if (i % 100 === 99) await collect();
      }
      await collect();
      grown = ownMemory() - before;
    }
    assert.ok(grown < MiB, `${destroys ? 'destroyed' : 'collected'}: ${grown} bytes`);
  }
});

test('the collector knows of tensors and constants, and gives them back in time', async () => {
  const context = await ml.createContext();
  const descriptor = {dataType: 'float32', shape: [MiB], writable: true};
  const values = new Float32Array(MiB).fill(1);
  const before = ownMemory();
  for (let i = 0; i < 150; ++i) {  // allocates 1.2 GB altogether
    context.writeTensor(await context.createTensor(descriptor), values);
    new MLGraphBuilder(context).constant(descriptor, values);
    await turn();
  }
  const held = (ownMemory() - before) / MiB;
  assert.ok(held < 600, `${held} MiB`);
});
