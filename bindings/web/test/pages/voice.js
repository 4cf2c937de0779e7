// Computes the voice demo's results for its example.
import {createPackage} from '/demo/engines.js';
import {createFeatures, createHops, createResampler, rate} from '/demo/voice_features.js';

const tone = (frequency, rate, count) => Float32Array.from({length: count}, (_, i) => Math.sin(2 * Math.PI * frequency * i / rate));

// Resamples in blocks, as for a microphone.
function resampled(samples, from) {
  const resample = createResampler(from), result = [];
  for (let i = 0; i < samples.length; i += 512) result.push(...resample(samples.subarray(i, i + 512)));
  return result;
}

// Returns the error of a resampled tone, and the remainder of a tone above the new Nyquist frequency. Ignores the start and the
// end.
function tonesOf(from) {
  const kept = resampled(tone(1000, from, from), from), wanted = tone(1000, rate, rate);
  const differences = kept.map((value, i) => Math.abs(value - wanted[i])).slice(200, -200);
  const gone = from > 2 * rate ? resampled(tone(10000, from, from), from).slice(200, -200) : [0];
  return {rate: from, kept: Math.max(...differences), gone: Math.max(...gone.map(Math.abs)), count: kept.length};
}

export default async function hear() {
  const file = new Uint8Array(await (await fetch('/demo/voice/example.wav')).arrayBuffer());
  const hops = createHops()(Float32Array.from(file.subarray(44), (byte) => (byte - 128) / 128));
  const features = hops.map(createFeatures());
  const run = await createPackage({url: '/demo/voice/voice.webnn', weights: '/demo/voice/voice.safetensors'});
  const probabilitiesOf = async (frames) => {
    const result = [];
    for (const frame of frames) result.push((await run(frame))[0]);
    return result;
  };
  const probabilities = await probabilitiesOf(features);
  run.reset();
  const again = await probabilitiesOf(features.slice(0, 40));
  return {features: features.map((frame) => [...frame]), probabilities, again, tones: [8000, 16000, 22050, 44100, 48000, 96000].map(tonesOf)};
}
