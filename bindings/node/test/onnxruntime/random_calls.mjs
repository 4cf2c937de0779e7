// Calls sessions of random models in random ways, and prints each result as a line of JSON: [model, call, result].
// usage: random_calls.mjs FOLDER SEED CALLS [MODEL]
import fs from 'node:fs';
import path from 'node:path';
import {InferenceSession, Tensor} from 'onnxruntime-node';

const [folder, seed, calls, only] = process.argv.slice(2);
const views = {float32: Float32Array, float64: Float64Array, float16: Uint16Array, int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
               uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array, bool: Uint8Array};
const isBig = (type) => type === 'int64' || type === 'uint64';

// mulberry32, a random number generator: random() returns a number in [0, 1).
let state = 0;
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const below = (n) => Math.floor(random() * n), one = (items) => items[below(items.length)], chance = (share) => random() < share;
const subset = (items) => items.filter(() => chance(0.5));
const shuffled = (items) => items.map((item) => [random(), item]).sort((a, b) => a[0] - b[0]).map(([, item]) => item);
const countOf = (dims) => dims.reduce((count, size) => count * size, 1);

function elementOf(type) {
  if (type === 'string') return one(['', 'a', 'ü', 'long text', '𝄞']);
  if (type === 'float16') return one([0, 0x3c00, 0xc000, 0x4200, 0x8000]);
  if (type === 'bool') return below(2);
  const value = type.startsWith('u') ? below(4) : below(9) - 4;
  if (type.startsWith('float')) return chance(0.1) ? one([-0, Infinity, NaN, 0.5, -1.25]) : value;
  return isBig(type) ? (chance(0.1) ? 2n ** 40n + 1n : BigInt(value)) : value;
}

// Returns a typed array in memory of a random kind: its own, resizable, or a part of a larger buffer.
function memoryOf(type, length) {
  const View = views[type], width = View.BYTES_PER_ELEMENT, kind = below(4);
  if (kind === 1) return new View(new ArrayBuffer((length + 3) * width), width, length);
  if (kind === 2) return new View(new ArrayBuffer(length * width, {maxByteLength: (length + 2) * width}), 0, length);
  if (kind === 3) return new View(length + 2).subarray(1, 1 + length);
  return new View(length);
}
function tensorOf(type, dims) {
  const length = countOf(dims), items = Array.from({length}, () => elementOf(type));
  if (type === 'string') return new Tensor('string', items, dims);
  if (!['float16', 'bool'].includes(type) && chance(0.2)) return new Tensor(type, items, dims);
  const data = memoryOf(type, length);
  data.set(items);
  return new Tensor(type, data, dims);
}

const itemOf = (item) => (typeof item === 'bigint' ? `${item}` : typeof item === 'number' && !Number.isFinite(item) ? `${item}` : item);
// Shows -0 as 0, because the sum of the single number -0 may be 0 or -0. For all types but float16, JSON.stringify() does this.
const shown = ({type, dims, data, size, location}) => (
  {type, dims, size, location, view: data.constructor.name, data: Array.from(data, type === 'float16' ? (item) => item === 0x8000 ? 0 : item : itemOf)});
const shownAll = (results) => Object.entries(results).map(([name, tensor]) => [name, tensor instanceof Tensor ? shown(tensor) : typeof tensor]);
const failed = (error) => ({error: error.constructor.name, message: String(error.message).replaceAll(folder, '')});

async function create(file) {
  const bytes = fs.readFileSync(file), padded = new Uint8Array(bytes.length + 9), options = one([undefined, {}, {graphOptimizationLevel: 'disabled'}, {intraOpNumThreads: 1}, {executionProviders: ['cpu']}]);
  padded.set(bytes, 5);
  const rest = options ? [options] : [];
  const source = one([[file], [bytes], [padded.subarray(5, 5 + bytes.length)], [padded.buffer, 5, bytes.length]]);
  return InferenceSession.create(...source, ...rest);
}

// Returns a wrong value for an input: no tensor, or a tensor of another type, rank or size, or a tensor without data. Returns
// undefined if the input cannot be wrong in this way. `fixed` is an axis of a fixed size, or -1.
function wrongFeed(how, type, dims, fixed) {
  if (how === 1) return one([null, 3, 'text', [1, 2], {}, new Float32Array(2), {type, dims}]);
  if (how === 2) {
    const other = one(['float32', 'int64', 'bool', 'string', 'float64', 'uint8']);
    return tensorOf(other === type ? 'int8' : other, dims);
  }
  if (how === 3 && dims.length) return tensorOf(type, [1, ...dims]);
  if (how === 4 && fixed >= 0) return tensorOf(type, dims.map((size, axis) => size + (axis === fixed)));
  if (how !== 5) return undefined;
  const gone = tensorOf(type, dims);
  gone.dispose();
  return gone;
}

// Returns feeds with random sizes of the open dimensions, and whether an input was chosen to get a wrong feed or none. Some feeds are
// tensors of `earlier`, results of earlier runs, or the same tensor as another feed.
function feedsOf(session, earlier) {
  const sizes = {}, sizeOf = (size) => (typeof size === 'number' ? size : (sizes[size] ??= chance(0.12) ? 0 : 1 + below(3)));
  const feeds = {}, dimsOf = (shape) => shape.map(sizeOf);
  const wrong = chance(0.12) ? one(session.inputNames) : undefined;
  for (const {name, type, shape} of shuffled(session.inputMetadata)) {
    const dims = dimsOf(shape);
    if (name === wrong) {
      const how = below(6), fixed = shape.findIndex((size) => typeof size === 'number');
      if (how === 0) continue;
      const bad = wrongFeed(how, type, dims, fixed);
      if (bad !== undefined) {
        feeds[name] = bad;
        continue;
      }
    }
    // The tensors of this type and shape among earlier results and the other feeds
    const same = [...earlier, ...Object.values(feeds)].filter((tensor) => tensor instanceof Tensor && tensor.location === 'cpu' && tensor.type === type && `${tensor.dims}` === `${dims}`);
    const other = tensorOf(type, dims), place = random();
    feeds[name] = chance(0.4) && same.length ? same[Math.floor(place * same.length)] : other;
  }
  if (chance(0.1)) feeds.unknown = one([3, null, tensorOf('float32', [2])]);
  return {feeds, isWrong: wrong !== undefined};
}

// Returns the second and third argument of run(). `known` are the results of a run with the same feeds, or {}. The caller's tensors
// have mostly the type and shape of these results.
function fetchesOf(session, known) {
  const kind = below(6), options = chance(0.3) ? [one([{}, {tag: 'tag'}, {logSeverityLevel: 3}, {logSeverityLevel: 9}, {tag: 1}, {unknown: 1}])] : [];
  if (kind === 0) return options;
  if (kind === 1) return [shuffled([...subset(session.outputNames), one(session.outputNames)]), ...options];
  if (kind === 2) return [Object.fromEntries([...subset(session.outputNames), one(session.outputNames)].map((name) => [name, null])), ...options];
  if (kind === 3 && chance(0.3)) return [one([['none'], [], null, 7, [3], 'y', {none: null}, new Tensor('float32', [1], [1])]), ...options];
  if (Object.keys(known).length === 0) return options;
  const target = {};
  for (const name of shuffled(session.outputNames)) {
    // onnxruntime-node does not fill an output that is an input.
    if (!known[name] || chance(0.2) || session.inputNames.includes(name)) continue;
    const {type, dims} = known[name], how = below(12);
    if (how === 0) target[name] = tensorOf(type, [...dims, 1]);
    else if (how === 1) target[name] = tensorOf(type === 'int32' ? 'float32' : 'int32', dims);
    else if (how === 2 && dims.length) target[name] = tensorOf(type, dims.map((size, i) => size + (i === 0)));
    else if (how === 3) target[name] = null;
    else target[name] = tensorOf(type, dims);
  }
  return [target, ...options];
}

// Makes a run with random feeds and fetches, often after a run with the same feeds and no fetches. Returns the results or the error,
// and the tensors of feeds and fetches after the run.
async function runOnce(session, earlier) {
  const {feeds, isWrong} = feedsOf(session, earlier);
  const next = below(2 ** 32), known = chance(0.6) ? await session.run(feeds).catch(() => ({})) : {};
  state = next;
  const args = isWrong ? [] : fetchesOf(session, known);
  const targets = args[0] && typeof args[0] === 'object' && !Array.isArray(args[0]) && !(args[0] instanceof Tensor) ? args[0] : {};
  const promise = session.run(feeds, ...args);
  const tensors = Object.values(feeds).filter((value) => value instanceof Tensor && value.location === 'cpu');
  const after = tensors.length ? below(40) : 99, tensor = tensors.length ? one(tensors) : undefined;
  if (after === 0 && tensor.type !== 'string' && tensor.size) tensor.data.fill(isBig(tensor.type) ? 1n : 1);
  let result;
  try {
    const results = await promise;
    earlier.push(...Object.values(results).slice(0, 3));
    earlier.splice(0, Math.max(earlier.length - 8, 0));
    result = {results: shownAll(results), same: Object.entries(results).map(([name, {data}]) => data === targets[name]?.data)};
  } catch (error) {
    result = failed(error);
  }
  const visible = (object) => shownAll(Object.fromEntries(Object.entries(object).filter(([, value]) => value instanceof Tensor && value.location === 'cpu')));
  return {...result, targets: visible(targets), feeds: visible(feeds)};
}

for (const name of fs.readdirSync(folder).filter((file) => file.endsWith('.onnx')).sort()) {
  if (only && name !== only) continue;
  state = Number(seed) * 7919 + Number(name.match(/\d+/)[0]);
  const print = (call, result) => console.log(JSON.stringify([name, call, result]));
  let session;
  try {
    session = await create(path.join(folder, name));
  } catch (error) {
    print('create', failed(error));
    continue;
  }
  print('create', {inputs: session.inputNames, outputs: session.outputNames, metadata: [session.inputMetadata, session.outputMetadata]});
  const earlier = [];
  for (let call = 0; call < Number(calls); ++call) {
    state = (Number(seed) * 104729 + Number(name.match(/\d+/)[0]) * 1299709 + call * 15485863) | 0;
    if (chance(0.15)) {
      const results = await Promise.allSettled([feedsOf(session, []), feedsOf(session, []), feedsOf(session, [])].map(({feeds}) => session.run(feeds)));
      print(call, results.map(({value, reason}) => (value ? shownAll(value) : failed(reason))));
    } else {
      print(call, await runOnce(session, earlier));
    }
  }
  await session.release();
  await session.run({}).catch((error) => print('run after release', failed(error)));
  await session.release().catch((error) => print('second release', failed(error)));
}
