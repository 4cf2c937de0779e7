// Computes the input features of examples/voice as train.py does. Does not use the page, so that tests can import it.

export const rate = 16000, hop = 256;
const size = 2 * hop, bandCount = 40, lowest = 60, highest = 7600, floor = 1e-6;

const mel = (frequency) => 2595 * Math.log10(1 + frequency / 700);

// Triangular filters that overlap by half and have equal width on the mel scale: each band has a start and weights.
const bands = Array.from({length: bandCount}, (_, band) => {
  const width = (mel(highest) - mel(lowest)) / (bandCount + 1), begin = mel(lowest) + band * width;
  const rises = Array.from({length: size / 2 + 1}, (_, i) => (mel(i * rate / size) - begin) / width);
  const weights = rises.map((rise) => Math.max(0, Math.min(rise, 2 - rise)));
  const first = weights.findIndex((weight) => weight > 0);
  return {first, weights: weights.slice(first, weights.findLastIndex((weight) => weight > 0) + 1)};
});

const hann = Float64Array.from({length: size}, (_, i) => 0.5 - 0.5 * Math.cos(2 * Math.PI * i / size));
const cosines = Float64Array.from({length: size / 2}, (_, i) => Math.cos(2 * Math.PI * i / size));
const sines = Float64Array.from({length: size / 2}, (_, i) => -Math.sin(2 * Math.PI * i / size));
const reversed = Uint16Array.from({length: size}, (_, i) => {
  let result = 0;
  for (let bit = 1; bit < size; bit *= 2) result = 2 * result + (i & bit ? 1 : 0);
  return result;
});

/** Computes the Fourier transform in place, of values in bit-reversed order. */
function transform(real, imaginary) {
  for (let half = 1; half < size; half *= 2) {
    for (let begin = 0; begin < size; begin += 2 * half) {
      for (let i = begin, turn = 0; i < begin + half; ++i, turn += size / 2 / half) {
        const j = i + half, x = real[j] * cosines[turn] - imaginary[j] * sines[turn], y = real[j] * sines[turn] + imaginary[j] * cosines[turn];
        real[j] = real[i] - x, imaginary[j] = imaginary[i] - y;
        real[i] += x, imaginary[i] += y;
      }
    }
  }
}

/** Returns a function that takes the next 256 samples at 16 kHz and returns the features of the last 512: log energies of bands. */
export function createFeatures() {
  const last = new Float64Array(size), real = new Float64Array(size), imaginary = new Float64Array(size);
  return (samples) => {
    last.copyWithin(0, hop);
    last.set(samples, size - hop);
    for (let i = 0; i < size; ++i) real[i] = last[reversed[i]] * hann[reversed[i]];
    imaginary.fill(0);
    transform(real, imaginary);
    return Float32Array.from(bands, ({first, weights}) => {
      let energy = floor;
      for (let i = 0; i < weights.length; ++i) energy += weights[i] * (real[first + i] ** 2 + imaginary[first + i] ** 2);
      return Math.log(energy);
    });
  };
}

const commonDivisor = (a, b) => (b ? commonDivisor(b, a % b) : a);

/** Returns a function that takes any number of samples at the rate `from` and returns the samples at 16 kHz that are complete. */
export function createResampler(from) {
  if (from === rate) return (samples) => samples;
  // Positions are integers, so that rounding errors cannot accumulate.
  const divisor = commonDivisor(from, rate), step = from / divisor, phases = rate / divisor;
  const scale = Math.min(1, rate / from), reach = Math.ceil(16 / scale);
  const filters = [];  // indexed by phase: a windowed sinc, computed on first use
  const filterOf = (phase) => (filters[phase] ??= Float64Array.from({length: 2 * reach}, (_, i) => {
    const distance = i + 1 - reach - phase / phases, x = Math.PI * scale * distance;
    return scale * (x ? Math.sin(x) / x : 1) * Math.cos(Math.PI / 2 * distance / reach) ** 2;
  }));
  let kept = new Float32Array(reach - 1);  // silence before the first sample
  let next = 0;                            // position of the next sample, in phases from the beginning of `kept`
  return (samples) => {
    const all = new Float32Array(kept.length + samples.length), result = [];
    all.set(kept);
    all.set(samples, kept.length);
    for (; Math.floor(next / phases) + 2 * reach <= all.length; next += step) {
      const begin = Math.floor(next / phases), filter = filterOf(next % phases);
      let sum = 0;
      for (let i = 0; i < filter.length; ++i) sum += filter[i] * all[begin + i];
      result.push(sum);
    }
    const done = Math.min(Math.floor(next / phases), all.length);
    kept = all.slice(done);
    next -= done * phases;
    return Float32Array.from(result);
  };
}

/** Returns a function that takes any number of samples and returns all complete hops. */
export function createHops() {
  let kept = new Float32Array(0);
  return (samples) => {
    const all = new Float32Array(kept.length + samples.length), count = Math.floor(all.length / hop);
    all.set(kept);
    all.set(samples, kept.length);
    kept = all.slice(count * hop);
    return Array.from({length: count}, (_, i) => all.subarray(i * hop, (i + 1) * hop));
  };
}
