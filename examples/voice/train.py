#!/usr/bin/env python3
"""Trains the network of this example, which detects speech, and writes all its files.

Needs Python 3.11 or newer with NumPy, and two synthesizers of speech. On Debian:

    apt-get install python3-numpy libopenblas0-pthread espeak-ng flite

There is no data set to download: speech is synthesized, noises are computed.
Recordings of people are a further test if these packages are installed:

    apt-get install alsa-utils asterisk-core-sounds-{en,es,fr,it,ru}-wav

Writes voice.webnn, voice.safetensors, example.wav and expected.json.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import struct
import time
import wave

# One thread, so that the order of sums is fixed. The BLAS library reads these variables when NumPy loads it.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = "1"

import numpy as np  # noqa: E402
import sounds  # noqa: E402
from sounds import RATE  # noqa: E402

HOP, WINDOW, BANDS, HIDDEN = 256, 512, 40, 64
LOWEST, HIGHEST = 60, 7600     # Hz, the range of the frequency bands
FLOOR = 1e-6                   # the lowest energy of a band, below the noise of 16-bit samples
FRAMES = 250                   # per scene: four seconds
PAUSE = 12                     # frames: shorter pauses count as speech
QUIET = 1e-3                   # frames with less than this fraction of the loud frames' energy are not speech

UTTERANCES, SCENES, TEST_UTTERANCES, TEST_SCENES = 600, 3000, 100, 200
BATCH = 50
LEARNING_RATE = 4e-3

# The second number of each random seed, so that scenes of different purposes never share a seed.
VOICES, TRAINING, HELD_OUT_VOICES, VALIDATION, HELD_OUT, RECORDED, WEIGHTS, ORDER, EXAMPLE = range(9)

# write_all replaces %s by the list of weights.
GRAPH = """\
webnn_graph "voice" v2 {
  inputs { features: f32[1, 40]; state: f32[1, 64]; }
  consts {
%s
  }
  nodes {
    next_state = gruCell(features, gru_weight, gru_recurrent_weight, state, hiddenSize=64,
                         bias=gru_bias, recurrentBias=gru_recurrent_bias);
    score = gemm(next_state, dense_weight, c=dense_bias);
    probability = sigmoid(score);
  }
  outputs { probability; next_state; }
}
"""


# ---- Features of each hop: the logarithm of the energy in each of 40 bands, computed over the last two hops ----

def mel(frequency):
    return 2595 * np.log10(1 + frequency / 700)


def mel_bands():
    """Returns [BANDS, WINDOW / 2 + 1]: triangular filters that overlap by half and have equal width on the mel scale."""
    edges = np.linspace(mel(LOWEST), mel(HIGHEST), BANDS + 2)[:, None]
    position = (mel(np.arange(WINDOW // 2 + 1) * RATE / WINDOW) - edges[:-1]) / np.diff(edges, axis=0)
    return np.clip(np.minimum(position[:-1], 1 - position[1:]), 0, None)


def features(sound):
    """Returns [frames, BANDS] for the complete hops of a sound; the sound before its first sample counts as silence."""
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)
    sound = np.concatenate([np.zeros(WINDOW - HOP), sound[:len(sound) // HOP * HOP]])
    frames = np.lib.stride_tricks.sliding_window_view(sound, WINDOW)[::HOP]
    power = np.abs(np.fft.rfft(frames * hann)) ** 2
    return np.log(FLOOR + power @ mel_bands().T)


# ---- Scenes: speech and noises ----

def make_voices(seed, stream, count, *voices):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda i: sounds.speech(np.random.default_rng([seed, stream, i]), *voices), range(count)))
    return [sound / np.abs(sound).max() for sound in made if np.abs(sound).max() > 1e-3]


def is_speech(sound):
    """Returns for each hop of a sound without noise whether it contains speech."""
    energy = (sound[:len(sound) // HOP * HOP].reshape(-1, HOP) ** 2).mean(axis=1)
    loud = energy > QUIET * np.percentile(energy, 95)
    at = np.flatnonzero(loud)
    for begin, end in zip(at, at[1:]):
        loud[begin:end] |= end - begin <= PAUSE
    return loud


def say(rng, voices, count):
    """Returns utterances at random times, possibly none, and for each hop whether it contains speech."""
    sound, labels = np.zeros(count), np.zeros(count // HOP, bool)
    begin = int(rng.exponential(0.8) * RATE) if rng.random() < 0.75 else count
    while begin < count - HOP:
        begin -= begin % HOP
        utterance = voices[rng.integers(len(voices))] * 10 ** rng.uniform(-0.3, 0)
        utterance = utterance[:count - begin]
        sound[begin:begin + len(utterance)] = utterance
        heard = is_speech(utterance)
        labels[begin // HOP:begin // HOP + len(heard)] = heard
        begin += len(utterance) + int(rng.exponential(0.8) * RATE)
    return sound, labels


def loudness(sound):
    """Returns the amplitude of the loud parts, because sounds that come and go have a misleading average."""
    energy = (sound[:len(sound) // HOP * HOP].reshape(-1, HOP) ** 2).mean(axis=1)
    return np.sqrt(np.percentile(energy, 90)) + 1e-9


def scene(rng, voices, noises):
    """Returns four seconds of random sound, and for each hop whether it contains speech."""
    count = FRAMES * HOP
    clean, labels = say(rng, voices, count)
    if rng.random() < 0.5:
        clean = sounds.room(rng, clean)
    level = loudness(clean) if labels.any() else 0.2
    noise = np.zeros(count)
    for _ in range(rng.choice(4, p=(0.1, 0.5, 0.3, 0.1))):
        one = noises[rng.integers(len(noises))](rng, count)
        if rng.random() < 0.3:
            one = sounds.room(rng, one)
        if rng.random() < 0.3:  # half of these noises stop at a random time
            one = one * (np.arange(count) < rng.integers(count)) ** rng.integers(2)
        ratio = rng.uniform(-3, 35) if labels.any() else rng.uniform(-3, 25)
        noise += one * level / loudness(one) * 10 ** (-ratio / 20)
    if rng.random() < 0.1:  # a crowd, far away
        crowd = sum(say(rng, voices, count)[0] for _ in range(8))
        noise += crowd * level / loudness(crowd) * 10 ** (-rng.uniform(12, 30) / 20)
    sound = sounds.microphone(rng, clean + noise)
    sound *= 10 ** (rng.uniform(-45, -6) / 20) / max(loudness(sound), 1e-3)
    if rng.random() < 0.8:
        sound += rng.normal(0, 10 ** (rng.uniform(-90, -55) / 20), count)
    return np.round(np.clip(sound, -1, 1) * 32768) / 32768, labels


def scenes(seed, stream, count, voices, noises):
    """Returns `count` random scenes: features [FRAMES, count, BANDS] and labels [FRAMES, count]."""
    rng = np.random.default_rng([seed, stream])
    x, labels = zip(*((features(sound), label) for sound, label in (scene(rng, voices, noises) for _ in range(count))))
    return np.stack(x, axis=1).astype(np.float32), np.stack(labels, axis=1)


# ---- The network: a gated recurrent unit and a dense layer; the forward pass keeps values for the backward pass ----

def initial_weights(seed):
    rng = np.random.default_rng([seed, WEIGHTS])
    shapes = {"gru.weight": (3 * HIDDEN, BANDS), "gru.recurrent_weight": (3 * HIDDEN, HIDDEN),
              "gru.bias": (3 * HIDDEN,), "gru.recurrent_bias": (3 * HIDDEN,),
              "dense.weight": (HIDDEN, 1), "dense.bias": (1,)}
    return {name: rng.uniform(-1, 1, shape).astype(np.float32) / np.float32(np.sqrt(HIDDEN))
            for name, shape in shapes.items()}


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def forward(weights, x):
    """Returns scores [frames, batch] for x [frames, batch, BANDS], and the values that gradients() needs."""
    size = HIDDEN
    inner = x @ weights["gru.weight"].T + weights["gru.bias"]
    recurrent = weights["gru.recurrent_weight"].T.copy()
    states = np.zeros((len(x) + 1, x.shape[1], size), np.float32)
    gates = np.empty((len(x), x.shape[1], 4 * size), np.float32)  # update, reset, new, and the recurrent part of new
    for t in range(len(x)):
        outer = states[t] @ recurrent + weights["gru.recurrent_bias"]
        gates[t, :, :2 * size] = sigmoid(inner[t, :, :2 * size] + outer[:, :2 * size])
        update, reset = gates[t, :, :size], gates[t, :, size:2 * size]
        gates[t, :, 3 * size:] = outer[:, 2 * size:]
        gates[t, :, 2 * size:3 * size] = new = np.tanh(inner[t, :, 2 * size:] + reset * outer[:, 2 * size:])
        states[t + 1] = new + update * (states[t] - new)
    return (states[1:] @ weights["dense.weight"])[:, :, 0] + weights["dense.bias"], (states, gates)


def gradients(weights, x, labels):
    """Returns the gradient of the mean cross entropy by weight name, and the mean cross entropy."""
    scores, (states, gates) = forward(weights, x)
    error = ((sigmoid(scores) - labels) / labels.size).astype(np.float32)
    size, flat = HIDDEN, error.reshape(-1, 1)
    of_input = np.empty((*x.shape[:2], 3 * size), np.float32)
    of_recurrent = np.empty_like(of_input)
    of_state = np.zeros_like(states[0])
    for t in reversed(range(len(x))):
        of_state += error[t][:, None] * weights["dense.weight"][:, 0]
        update, reset, new, outer = np.split(gates[t], 4, axis=1)
        of_new = of_state * (1 - update) * (1 - new * new)
        of_input[t, :, :size] = of_state * (states[t] - new) * update * (1 - update)
        of_input[t, :, size:2 * size] = of_new * outer * reset * (1 - reset)
        of_input[t, :, 2 * size:] = of_new
        of_recurrent[t] = of_input[t]
        of_recurrent[t, :, 2 * size:] *= reset
        of_state = of_state * update + of_recurrent[t] @ weights["gru.recurrent_weight"]
    inputs, recurrents = of_input.reshape(-1, 3 * size), of_recurrent.reshape(-1, 3 * size)
    result = {"gru.weight": inputs.T @ x.reshape(-1, x.shape[2]), "gru.bias": inputs.sum(axis=0),
              "gru.recurrent_weight": recurrents.T @ states[:-1].reshape(-1, size),
              "gru.recurrent_bias": recurrents.sum(axis=0),
              "dense.weight": states[1:].reshape(-1, size).T @ flat, "dense.bias": flat.sum(axis=0)}
    entropy = np.mean(np.logaddexp(0, scores) - scores * labels)
    return result, entropy


# ---- Training ----

class Adam:
    def __init__(self, weights):
        self.mean = {name: np.zeros_like(w) for name, w in weights.items()}
        self.square = {name: np.zeros_like(w) for name, w in weights.items()}
        self.steps = 0

    def step(self, weights, gradient, rate):
        self.steps += 1
        rate *= float(np.sqrt(1 - 0.999 ** self.steps) / (1 - 0.9 ** self.steps))
        length = np.sqrt(sum(float((g * g).sum()) for g in gradient.values()))
        for name, g in gradient.items():
            g = g * np.float32(min(1, 1 / length))  # limits the gradient's length to 1
            self.mean[name] += 0.1 * (g - self.mean[name])
            self.square[name] += 0.001 * (g * g - self.square[name])
            spread = np.sqrt(self.square[name]) + 1e-8
            weights[name] -= rate * self.mean[name] / spread


def varied(rng, x, noise):
    """Returns scenes as another microphone would record them, half of them with added noise, so that no epoch repeats a scene."""
    x = x + rng.normal(0, 1.5, (x.shape[1], 1)) + rng.normal(0, 0.3, (x.shape[1], BANDS))
    gain = np.where(rng.random(x.shape[1]) < 0.5, rng.normal(-3, 2, x.shape[1]), -np.inf)
    louder = gain + np.mean(x, axis=(0, 2)) - np.mean(noise, axis=(0, 2))
    x = np.logaddexp(x, noise + louder[:, None])
    return np.maximum(x, np.log(FLOOR)).astype(np.float32)


def train(seed, epochs, x, labels):
    """Returns weights for raw features: training normalizes the features, and the weights returned include the normalization."""
    mean, deviation = x.mean(axis=(0, 1)), x.std(axis=(0, 1))
    silent = np.flatnonzero(~labels.any(axis=0))
    weights, rng = initial_weights(seed), np.random.default_rng([seed, ORDER])
    adam, batches = Adam(weights), x.shape[1] // BATCH
    for epoch in range(epochs):
        order, entropy = rng.permutation(x.shape[1]), 0
        for i in range(batches):
            rate = LEARNING_RATE * (1 - (epoch * batches + i) / (epochs * batches))
            some = order[i * BATCH:(i + 1) * BATCH]
            begin = rng.integers(FRAMES // 4)
            scene_set = varied(rng, x[begin:, some], x[begin:, rng.choice(silent, BATCH)])
            gradient, one = gradients(weights, (scene_set - mean) / deviation, labels[begin:, some])
            adam.step(weights, gradient, rate)
            entropy += one / batches
        print(f"epoch {epoch + 1} of {epochs}: cross entropy {entropy:.4f}", flush=True)
    weights["gru.weight"] = weights["gru.weight"] / deviation
    weights["gru.bias"] = weights["gru.bias"] - weights["gru.weight"] @ mean
    return weights


def report(name, weights, x, labels):
    """Prints the shares of frames classified correctly, of speech frames detected, and of other frames taken for speech."""
    heard = forward(weights, x)[0] > 0
    print(f"| {name} | {(heard == labels).mean():.1%} | {heard[labels].mean():.1%} | {heard[~labels].mean():.1%} |")


# ---- Recordings of people, which are kept out of training ----

def recordings(seed):
    """Returns recordings of people who read telephone prompts in five languages."""
    rng = np.random.default_rng([seed, RECORDED])
    voices = []
    for folder in sorted(pathlib.Path("/usr/share/asterisk/sounds").glob("*_*_*")):
        files = [f for f in sorted(folder.rglob("*.wav")) if not any(w in f.name for w in ("beep", "tone", "silence", "music"))]
        for file in rng.choice(files, min(100, len(files)), replace=False):
            sound = sounds.read_wav(file)
            if len(sound) > RATE // 4 and np.abs(sound).max() > 0.02:
                voices.append(sound / np.abs(sound).max())
    return voices


def report_files(weights):
    """Prints results for alsa-utils' files: a woman who names loudspeakers, and noise."""
    for file in sorted(pathlib.Path("/usr/share/sounds/alsa").glob("*.wav")):
        sound = sounds.read_wav(file)
        heard = forward(weights, features(sound)[:, None].astype(np.float32))[0][:, 0] > 0
        speech = is_speech(sound) & (file.name != "Noise.wav")
        print(f"{file.name}: {(heard == speech).mean():.1%} of {len(heard)} frames right, {heard.sum()} heard, {speech.sum()} of speech")


# ---- Writing the files ----

def write_safetensors(path, tensors):
    header, offset = {}, 0
    for name, tensor in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(tensor.shape),
                        "data_offsets": [offset, offset + tensor.nbytes]}
        offset += tensor.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    data = b"".join(t.astype("<f4").tobytes() for t in tensors.values())
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def read_safetensors(path):
    data = path.read_bytes()
    start = 8 + struct.unpack("<Q", data[:8])[0]
    tensors = {}
    for name, entry in json.loads(data[8:start]).items():
        begin, end = (start + o for o in entry["data_offsets"])
        tensors[name] = np.frombuffer(data[begin:end], "<f4").reshape(entry["shape"])
    return tensors


def reference(tensors, x):
    """Computes the probabilities of frames in double precision, from the files as written.

    Shares no code with the training above, so that a mistake in one shows in the other.
    """
    w = {name: tensor.astype(np.float64) for name, tensor in tensors.items()}
    state, probabilities = np.zeros(HIDDEN), []
    for frame in x:
        inner = (w["gru.weight"] @ frame + w["gru.bias"]).reshape(3, HIDDEN)
        outer = (w["gru.recurrent_weight"] @ state + w["gru.recurrent_bias"]).reshape(3, HIDDEN)
        update, reset = 1 / (1 + np.exp(-inner[0] - outer[0])), 1 / (1 + np.exp(-inner[1] - outer[1]))
        state = (1 - update) * np.tanh(inner[2] + reset * outer[2]) + update * state
        score = state @ w["dense.weight"][:, 0] + w["dense.bias"][0]
        probabilities.append(1 / (1 + np.exp(-score)))
    return probabilities


def make_example(seed):
    """Returns four seconds of rain, with two utterances of a voice kept out of training, and the sound of a bell between them."""
    rng, count = np.random.default_rng([seed, EXAMPLE]), FRAMES * HOP
    sound = 0.01 * sounds.rain(rng, count)
    for begin, text in ((0.7, "the quick brown fox"), (2.6, "over the lazy dog")):
        words = sounds.program_output("flite", "-voice", "awb", "-t", text, "-o", "/dev/stdout")
        place = sound[int(begin * RATE):][:len(words)]
        place += 0.7 * words[:len(place)] / np.abs(words).max()
    time = np.arange(int(0.3 * RATE)) / RATE
    bell = sum(np.sin(2 * np.pi * f * time) for f in (660, 880, 1100)) * np.exp(-8 * time)
    sound[int(2.1 * RATE):][:len(bell)] += 0.15 * bell
    return sound


def write_wav(path, sound):
    """Writes a WAV file of 8 bits per sample."""
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 1, RATE, 0, "NONE", "not compressed"))
        file.writeframes(np.round(np.clip(sound, -1, 0.99) * 128 + 128).astype(np.uint8).tobytes())


def write_all(out, weights, seed):
    consts = [f"    {name.replace('.', '_')}: f32{list(tensor.shape)} "
              f'@weights("{name}");' for name, tensor in weights.items()]
    (out / "voice.webnn").write_text(GRAPH % "\n".join(consts))
    write_safetensors(out / "voice.safetensors", weights)
    write_wav(out / "example.wav", make_example(seed))
    x = features(sounds.read_wav(out / "example.wav"))
    probabilities = reference(read_safetensors(out / "voice.safetensors"), x)
    frames = [[round(value, 5) for value in frame] for frame in x.tolist()]
    expected = {"probabilities": [round(p, 8) for p in probabilities], "features": frames[:100]}
    (out / "expected.json").write_text(json.dumps(expected).replace("], ", "],\n") + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, metavar="DIR",
                        default=pathlib.Path(__file__).parent,
                        help="where to write (default: beside this script)")
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--epochs", type=int, default=40, help="default: %(default)s")
    options = parser.parse_args()
    start, seed = time.monotonic(), options.seed
    known = make_voices(seed, VOICES, UTTERANCES, sounds.TRAINING_LANGUAGES, sounds.TRAINING_VARIANTS, sounds.TRAINING_FLITE)
    unknown = make_voices(seed, HELD_OUT_VOICES, TEST_UTTERANCES, sounds.HELD_OUT_LANGUAGES, sounds.HELD_OUT_VARIANTS,
                          sounds.HELD_OUT_FLITE)
    print(f"{len(known)} and {len(unknown)} utterances after {time.monotonic() - start:.0f} s", flush=True)
    x, labels = scenes(seed, TRAINING, SCENES, known, sounds.TRAINING_NOISES)
    print(f"{SCENES} scenes after {time.monotonic() - start:.0f} s; speech in {labels.mean():.0%} of frames", flush=True)
    weights = train(seed, options.epochs, x, labels)
    report("voices and noises trained on", weights, *scenes(seed, VALIDATION, TEST_SCENES, known, sounds.TRAINING_NOISES))
    report("neither trained on", weights, *scenes(seed, HELD_OUT, TEST_SCENES, unknown, sounds.HELD_OUT_NOISES))
    if people := recordings(seed):
        report("recordings of people, noises not trained on", weights,
               *scenes(seed, RECORDED, TEST_SCENES, people, sounds.HELD_OUT_NOISES))
    report_files(weights)
    write_all(options.out, weights, seed)
    print(f"took {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
