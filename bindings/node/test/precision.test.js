'use strict';
// Tests the option `precision` of the CPU backend. docs/explanation/cpu.md specifies the rounding and the error bounds.
const assert = require('node:assert/strict');
const test = require('node:test');
const {webnn} = require('./support.js');

const {MLGraphBuilder, ml} = webnn;
const rows = 32, sums = 200, columns = 48;

const contextOf = (precision) => ml.createContext({backend: 'cpu', ...(precision && {backendOptions: {precision}})});

// Computes a * b (matrix product), where b is a constant.
async function product(context, a, b) {
  const builder = new MLGraphBuilder(context);
  const constant = builder.constant({dataType: 'float32', shape: [sums, columns]}, b);
  const x = builder.input('a', {dataType: 'float32', shape: [rows, sums]});
  const graph = await builder.build({y: builder.matmul(x, constant)});
  return (await graph.run({a})).y;
}

// Calls call(index, exact sum, sum of absolute products) for each element of a * b.
function forEachSum(a, b, call) {
  for (let i = 0; i < rows * columns; ++i) {
    let exact = 0, sizes = 0;
    for (let k = 0; k < sums; ++k) {
      const factors = a[Math.floor(i / columns) * sums + k] * b[k * columns + (i % columns)];
      exact += factors;
      sizes += Math.abs(factors);
    }
    call(i, exact, sizes);
  }
}

test('products round their factors, as far as documented', async () => {
  let seed = 1;
  const next = () => (seed = (seed * 48271) % 2147483647) / 2147483647 - 0.5;
  const a = Float32Array.from({length: rows * sums}, next), b = Float32Array.from({length: sums * columns}, next);
  const plain = await product(await contextOf(), a, b);
  for (const precision of ['bfloat16', 'bf16']) {
    const rounded = await product(await contextOf(precision), a, b);
    let beyond = 0;
    forEachSum(a, b, (i, exact, sizes) => {
      const ofFloat32 = (sums + 4) * 2 ** -23 * sizes, error = Math.abs(rounded[i] - exact);
      assert.ok(Math.abs(plain[i] - exact) <= ofFloat32);
      assert.ok(error <= (2 ** -7 + 2 ** -16) * sizes + ofFloat32);
      beyond += error > ofFloat32;
    });
    assert.ok(beyond > 0);
  }
});

test('products are rounded to bfloat16 only on request', async () => {
  const a = new Float32Array(rows * sums).fill(1 + 2 ** -9), b = new Float32Array(sums * columns).fill(1);
  assert.ok((await product(await contextOf(), a, b)).every((value) => value === sums * (1 + 2 ** -9)));
  assert.ok((await product(await contextOf('bf16'), a, b)).every((value) => value === sums));
});

test('other precisions are refused', async () => {
  for (const wrong of ['float16', 'bf', 'BFLOAT16', 16]) {
    await assert.rejects(contextOf(wrong), {name: 'TypeError', message: `backend "cpu": precision ("${wrong}") is not one of float32, bfloat16.`});
  }
});
