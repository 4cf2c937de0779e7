// The part of run.mjs that runs in the page. If `which` is 'both', measures runs of both engines. Otherwise measures the start of
// one engine: from requesting its scripts and the model's files (concurrently) to the first result. The bench's own files are
// loaded before.
import {inputsOf, measure, ours, theirs} from '/bench/compare.mjs';

export default async function job(name, threadCount, duration, which, folder) {
  if (threadCount > 1 && !crossOriginIsolated) throw new Error('the page is not isolated');
  const get = async (url, kind) => (await fetch(url))[kind]();
  const inputs = inputsOf(await get(`/model/${name}.json`, 'text')), engines = [];
  const begin = performance.now();
  if (which !== 'theirs') {
    const importing = import(`/${folder}/webnn.js`);
    const json = get(`/model/${name}.json`, 'text'), safetensors = get(`/model/${name}.safetensors`, 'arrayBuffer');
    const table = get('/operations.json', 'json');
    const {ml, MLGraphBuilder} = await importing;
    engines.push(ours({createContext: (options) => ml.createContext(options), MLGraphBuilder}, threadCount, {json, safetensors}, table));
  }
  if (which !== 'ours') {
    const importing = import('/node_modules/onnxruntime-web/dist/ort.wasm.min.mjs');
    const onnx = get(`/model/${name}.onnx`, 'arrayBuffer').then((buffer) => new Uint8Array(buffer));
    const ort = await importing;
    engines.push(theirs(ort, threadCount, onnx));
  }
  for (const engine of engines) await engine.start();
  if (which === 'both') return measure(...engines, inputs, duration);
  await engines[0].run(inputs);
  return performance.now() - begin;
}
