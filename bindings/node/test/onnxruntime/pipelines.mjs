// Runs pipelines of transformers.js on the models of make_models.py. Prints the version of onnxruntime-node and then the results, as
// JSON, one pipeline a line.
// usage: node pipelines.mjs FOLDER [NAME...]
import {realpathSync} from 'node:fs';
import {RawImage, env, pipeline} from '@huggingface/transformers';
import {env as settings} from 'onnxruntime-node';

const [, program, folder, ...wanted] = process.argv;
env.allowRemoteModels = false;
env.localModelPath = folder;

// An image whose pixels follow a formula.
function image(width, height) {
  const data = new Uint8ClampedArray(3 * width * height);
  for (let i = 0; i < data.length; ++i) data[i] = 127 + 120 * Math.sin(i / 7) * Math.cos(i / (3 * width));
  return new RawImage(data, width, height, 3);
}
// A sound of `seconds` seconds whose pitch rises.
const sound = (seconds) => Float32Array.from({length: 16000 * seconds}, (_, i) => 0.5 * Math.sin(i * (0.05 + i / 4e6)));

const texts = ['I love this movie', 'The film was terrible, and I hate it!', 'Anna is in New York'];
const topics = ['sports', 'politics', 'movies'];

export const tasks = {
  features: ['feature-extraction', 'features', async (run) => (await run(texts, {pooling: 'mean', normalize: true})).tolist()],
  tokens: ['feature-extraction', 'features', async (run) => (await run(texts[0])).tolist()],
  sentiment: ['text-classification', 'sentiment', (run) => run(texts, {top_k: 2})],
  zeroShot: ['zero-shot-classification', 'nli', (run) => run(texts[1], topics)],
  zeroShotMany: ['zero-shot-classification', 'nli', (run) => run(texts[2], topics, {multi_label: true})],
  names: ['token-classification', 'names', (run) => run(texts[2], {ignore_labels: []})],
  image: ['image-classification', 'images', (run) => run(image(50, 40), {top_k: 5})],
  objects: ['object-detection', 'objects', (run) => run(image(64, 48), {threshold: 0.1})],
  speech: ['automatic-speech-recognition', 'speech', (run) => run(sound(3), {max_new_tokens: 24})],
  longSpeech: ['automatic-speech-recognition', 'speech', (run) => run(sound(40), {max_new_tokens: 12, chunk_length_s: 30, stride_length_s: 5})],
  llama: ['text-generation', 'llama', (run) => run(texts[0], {max_new_tokens: 32, do_sample: false})],
  llamaPair: ['text-generation', 'llama', (run) => run(texts.slice(0, 2), {max_new_tokens: 12, do_sample: false, repetition_penalty: 1.3})],
  llamaShort: ['text-generation', 'llama', (run) => run(texts[2], {max_new_tokens: 8, do_sample: false, return_full_text: false})],
  llamaQ4: ['text-generation', 'llama-q4', (run) => run(texts[0], {max_new_tokens: 32, do_sample: false}), 'q4'],
  llamaBnb4: ['text-generation', 'llama-bnb4', (run) => run(texts[0], {max_new_tokens: 32, do_sample: false}), 'bnb4'],
};

async function runAll() {
  console.log(JSON.stringify({version: settings.versions.node}));
  for (const [name, [task, model, use, dtype = 'fp32']] of Object.entries(tasks)) {
    if (wanted.length && !wanted.includes(name)) continue;
    try {
      const run = await pipeline(task, model, {dtype, device: 'cpu'});
      console.log(JSON.stringify({name, result: await use(run)}));
      await run.dispose();
    } catch (error) {
      console.log(JSON.stringify({name, error: `${error.stack}`}));
    }
  }
}
if (import.meta.filename === realpathSync(program)) await runAll();
