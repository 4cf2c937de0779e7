#!/usr/bin/env python3
"""Trains the digit recogniser of this example.

Needs Python 3.11 or newer with NumPy and Pillow, and these fonts. On Debian:

    apt-get install python3-numpy python3-pil libopenblas0-pthread \\
        fonts-{breip,bwht,comic-neue,dancingscript,dejavu-core,dkg-handwriting} \\
        fonts-{humor-sans,kaushanscript,klee,kristi,leckerli-one,liberation2} \\
        fonts-{lobstertwo,quicksand,sil-andika,tomsontalks,yusei-magic}

(libopenblas only makes it faster.) There is no data set to download: the
pictures are digits of those fonts, distorted so that no two are alike.

Writes digits.webnn, digits.safetensors, samples/*.png and expected.json.
"""

import argparse
import functools
import json
import os
import pathlib
import struct
import sys
import time

# One thread, so that the order of sums is fixed. The BLAS library reads these variables when NumPy loads it.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = "1"

import numpy as np  # noqa: E402
from PIL import Image, ImageDraw, ImageFilter, ImageFont  # noqa: E402

FONTS = {path.name: path for path in
         sorted(pathlib.Path("/usr/share/fonts").rglob("*.[ot]tf"))}

TRAINING_FONTS = """
    Andika-Regular.ttf BecauseWeBuild-Regular.otf BecauseWeConnect-Regular.otf
    BecauseWeCreate-Regular.otf BecauseWeLearn-Regular.otf
    BecauseWeMentor-Regular.otf Breip.ttf ComicNeue-Regular.otf
    DancingScript-Regular.otf DejaVuSans.ttf dkg.ttf dkgBd.ttf dkgIt.ttf
    KaushanScript-Regular.otf Kristi.ttf LeckerliOne-Regular.ttf
    LiberationSans-Regular.ttf LobsterTwo-Italic.otf Quicksand-Regular.ttf
    TomsonTalks.ttf YuseiMagic-Regular.ttf
""".split()

# Fonts kept out of training, to measure how well the network reads unknown handwriting. They look like a hasty pen, a felt tip
# and a neat pen.
HELD_OUT_FONTS = """
    BecauseWeOrganize-Regular.otf Humor-Sans.ttf KleeOne-Regular.ttf
""".split()

# Fonts of the samples 0 to 9; samples 5 and 9 have fonts kept out of training.
SAMPLE_FONTS = """
    dkg.ttf BecauseWeConnect-Regular.otf Breip.ttf dkgIt.ttf
    BecauseWeCreate-Regular.otf Humor-Sans.ttf BecauseWeMentor-Regular.otf
    dkgBd.ttf Kristi.ttf BecauseWeOrganize-Regular.otf
""".split()

SIZE = 28              # pixels on each side of a picture
ZOOM = 4               # digits are drawn this many times larger, then averaged down
CANVAS = SIZE * ZOOM
GLYPH_HEIGHT = 20 * ZOOM
# Stroke widths and the space between strokes, in canvas pixels; odd numbers.
THINNEST, THICKEST, GAP = 5, 19, 5

# The second number of each random seed, so that pictures of different purposes never share a seed.
TRAINING, VALIDATION, HELD_OUT, SAMPLES, WEIGHTS = range(5)

BATCH = 64
PER_EPOCH = 12800
PER_TEST = 6000
LEARNING_RATE = 2e-3
SAMPLE_CONFIDENCE = 0.99

# write_all replaces %s by the list of weights.
GRAPH = """\
webnn_graph "digits" v2 {
  inputs { image: f32[1, 1, 28, 28]; }
  consts {
%s
  }
  nodes {
    c1 = conv2d(image, conv1_weight, bias=conv1_bias, padding=[1, 1, 1, 1]);
    r1 = relu(c1);
    p1 = maxPool2d(r1, windowDimensions=[2, 2], strides=[2, 2]);
    c2 = conv2d(p1, conv2_weight, bias=conv2_bias, padding=[1, 1, 1, 1]);
    r2 = relu(c2);
    p2 = maxPool2d(r2, windowDimensions=[2, 2], strides=[2, 2]);
    flat = reshape(p2, newShape=[1, 1568]);
    scores = gemm(flat, dense_weight, c=dense_bias);
    probabilities = softmax(scores, axis=1);
  }
  outputs { probabilities; }
}
"""


# ---- Drawing digits ----

@functools.cache
def glyphs(font, digit):
    """Returns the digit in this font, large and centred, once for each usable stroke thickness."""
    probe = ImageFont.truetype(str(FONTS[font]), 100)
    _, top, _, bottom = probe.getbbox(str(digit))
    scaled = probe.font_variant(size=round(100 * GLYPH_HEIGHT / (bottom - top)))
    left, top, right, bottom = scaled.getbbox(str(digit))
    plain = Image.new("L", (CANVAS, CANVAS))
    corner = ((CANVAS - left - right) / 2, (CANVAS - top - bottom) / 2)
    ImageDraw.Draw(plain).text(corner, str(digit), font=scaled, fill=255)
    return [np.asarray(thickened(plain, change)) for change in range(-6, 10, 2)
            if change == 0 or is_usable(plain, change)]


def is_usable(glyph, change):
    """Returns whether the digit stays readable with strokes changed by this many pixels: no thin stroke vanishes, no
    stroke becomes too thick, no hole fills up."""
    def ink_after(change):
        """Returns the share of ink that is left after thickening and then thinning by the same amount, or the reverse."""
        there_and_back = thickened(thickened(glyph, change), -change)
        return np.asarray(there_and_back).mean() / np.asarray(glyph).mean()

    return (ink_after(min(change - THINNEST + 1, 0)) > 0.9
            and ink_after(change - THICKEST + 1) < 0.1
            and ink_after(max(change + GAP - 1, 0)) < 1.1)


def thickened(glyph, change):
    """Returns the glyph with its strokes wider by `change` pixels, an even number; negative makes them thinner."""
    grow = ImageFilter.MaxFilter(3) if change > 0 else ImageFilter.MinFilter(3)
    for _ in range(abs(change) // 2):
        glyph = glyph.filter(grow)
    return glyph


def draw(font, digit, rng):
    """Returns a 28x28 uint8 picture of the digit with random distortion."""
    variants = glyphs(font, digit)
    glyph = variants[rng.integers(len(variants))]
    large = Image.fromarray(glyph[hand_movement(rng)])
    large = large.filter(ImageFilter.GaussianBlur(rng.uniform(0.5, 2.5)))
    small = np.asarray(large, np.float64)
    small = small.reshape(SIZE, ZOOM, SIZE, ZOOM).mean(axis=(1, 3))
    small *= rng.uniform(0.75, 1.15) / small.max()
    small += rng.normal(0, rng.uniform(0, 0.07), small.shape)
    return np.round(np.clip(small, 0, 1) * 255).astype(np.uint8)


def hand_movement(rng):
    """Returns, for each pixel of the canvas, the index of the glyph's pixel to show there: a random shift, turn, shear, size and
    wave."""
    angle, shear = np.radians(rng.uniform(-14, 14)), rng.uniform(-0.2, 0.2)
    size, stretch = rng.uniform(0.78, 1.1), rng.uniform(0.85, 1.2)
    cos, sin = np.cos(angle), np.sin(angle)
    matrix = (np.array([[cos, -sin], [sin, cos]]) @ np.array([[1, shear], [0, 1]])
              @ np.diag([size * stretch, size]))
    grid = np.mgrid[:CANVAS, :CANVAS][::-1] - (CANVAS - 1) / 2
    shift = rng.uniform(-2.5, 2.5, (2, 1, 1)) * ZOOM
    source = np.tensordot(np.linalg.inv(matrix), grid - shift, 1)
    # An unsteady hand: slow waves bend the strokes.
    for axis in (0, 1):
        wave, phase = rng.uniform(-0.06, 0.06, 2), rng.uniform(0, 2 * np.pi)
        bend = rng.uniform(0, 0.03) * CANVAS
        source[axis] += bend * np.sin(wave[0] * grid[0] + wave[1] * grid[1] + phase)
    source = np.clip(np.round(source + (CANVAS - 1) / 2), 0, CANVAS - 1).astype(int)
    return source[1], source[0]


def picture_set(fonts, count, *seed):
    """Returns random pictures as float32 [count, 1, 28, 28] from 0 to 1, and their digits."""
    rng = np.random.default_rng(seed)
    digits = rng.permutation(np.arange(count) % 10)
    pictures = [draw(fonts[rng.integers(len(fonts))], d, rng) for d in digits]
    return as_input(np.stack(pictures)), digits


def as_input(pictures):
    return pictures.reshape(-1, 1, SIZE, SIZE).astype(np.float32) / 255


# ---- The network: the forward pass, which keeps the values that the backward pass needs, and the backward pass ----

def initial_weights(seed):
    rng = np.random.default_rng([seed, WEIGHTS])
    shapes = {"conv1": (16, 1, 3, 3), "conv2": (32, 16, 3, 3), "dense": (1568, 10)}
    weights = {}
    for layer, shape in shapes.items():
        outputs = shape[1] if layer == "dense" else shape[0]
        spread = np.sqrt(2 * outputs / np.prod(shape))
        weights[layer + ".weight"] = rng.normal(0, spread, shape).astype(np.float32)
        weights[layer + ".bias"] = np.zeros(outputs, np.float32)
    return weights


def columns_of(x):
    """Converts [N, C, H, W] to [N, C*9, H*W], the 3x3 neighbourhood of each pixel (im2col)."""
    n, c, h, w = x.shape
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = [padded[:, :, i:i + h, j:j + w] for i in range(3) for j in range(3)]
    return np.stack(windows, axis=2).reshape(n, c * 9, h * w)


def image_of(columns, shape):
    """Adds columns back into an image: the transpose of columns_of, for the gradient."""
    n, c, h, w = shape
    columns = columns.reshape(n, c, 9, h, w)
    padded = np.zeros((n, c, h + 2, w + 2), columns.dtype)
    for k in range(9):
        padded[:, :, k // 3:k // 3 + h, k % 3:k % 3 + w] += columns[:, :, k]
    return padded[:, :, 1:-1, 1:-1]


def block_forward(x, weight, bias):
    """Computes convolution, relu and 2x2 max pooling."""
    n, _, h, w = x.shape
    columns = columns_of(x)
    y = weight.reshape(len(weight), -1) @ columns + bias[:, None]
    y = np.maximum(y, 0).reshape(n, len(weight), h // 2, 2, w // 2, 2)
    rows = np.maximum(y[:, :, :, 0], y[:, :, :, 1])
    pooled = np.maximum(rows[..., 0], rows[..., 1])
    return pooled, (x.shape, columns, y, pooled)


def block_backward(gradient, weight, kept):
    shape, columns, y, pooled = kept
    winners = (y == pooled[:, :, :, None, :, None]) & (y > 0)
    # If several pixels of a window equal the maximum, which is common on the plain background, they share the gradient.
    shares = np.maximum(winners.sum(axis=(3, 5)), 1).astype(np.float32)
    gradient = winners * (gradient / shares)[:, :, :, None, :, None]
    gradient = gradient.reshape(*gradient.shape[:2], -1)
    to_weight = (gradient @ columns.transpose(0, 2, 1)).sum(axis=0)
    to_bias = gradient.sum(axis=(0, 2))
    to_input = image_of(weight.reshape(len(weight), -1).T @ gradient, shape)
    return to_weight.reshape(weight.shape), to_bias, to_input


def forward(weights, x):
    first, kept1 = block_forward(x, weights["conv1.weight"], weights["conv1.bias"])
    second, kept2 = block_forward(first, weights["conv2.weight"], weights["conv2.bias"])
    flat = second.reshape(len(x), -1)
    scores = flat @ weights["dense.weight"] + weights["dense.bias"]
    return scores, (kept1, kept2, flat, second.shape)


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def gradients(weights, x, digits):
    """Returns the gradient of the mean cross entropy, by weight name."""
    scores, (kept1, kept2, flat, shape) = forward(weights, x)
    error = softmax(scores)
    error[np.arange(len(x)), digits] -= 1
    error /= len(x)
    result = {"dense.weight": flat.T @ error, "dense.bias": error.sum(axis=0)}
    error = (error @ weights["dense.weight"].T).reshape(shape)
    result["conv2.weight"], result["conv2.bias"], error = block_backward(
        error, weights["conv2.weight"], kept2)
    result["conv1.weight"], result["conv1.bias"], _ = block_backward(
        error, weights["conv1.weight"], kept1)
    return result


# ---- Training ----

class Adam:
    def __init__(self, weights):
        self.mean = {name: np.zeros_like(w) for name, w in weights.items()}
        self.square = {name: np.zeros_like(w) for name, w in weights.items()}
        self.steps = 0

    def step(self, weights, gradient, rate):
        self.steps += 1
        rate *= float(np.sqrt(1 - 0.999 ** self.steps) / (1 - 0.9 ** self.steps))
        for name, g in gradient.items():
            self.mean[name] += 0.1 * (g - self.mean[name])
            self.square[name] += 0.001 * (g * g - self.square[name])
            spread = np.sqrt(self.square[name]) + 1e-8
            weights[name] -= rate * self.mean[name] / spread


def train(seed, epochs):
    weights = initial_weights(seed)
    adam = Adam(weights)
    batches = PER_EPOCH // BATCH
    for epoch in range(epochs):
        # New pictures in each epoch, so that the network cannot memorize them.
        x, digits = picture_set(TRAINING_FONTS, PER_EPOCH, seed, TRAINING, epoch)
        for i in range(batches):
            rate = LEARNING_RATE * (1 - (epoch * batches + i) / (epochs * batches))
            some = slice(i * BATCH, (i + 1) * BATCH)
            adam.step(weights, gradients(weights, x[some], digits[some]), rate)
        print(f"epoch {epoch + 1} of {epochs}: accuracy on its last pictures "
              f"{accuracy(weights, x[-1000:], digits[-1000:]):.2%}", flush=True)
    return weights


def accuracy(weights, x, digits):
    guesses = [forward(weights, part)[0].argmax(axis=1)
               for part in np.array_split(x, -(-len(x) // 100))]
    return (np.concatenate(guesses) == digits).mean()


# ---- Writing the files ----

def choose_sample(weights, digit, seed):
    """Returns the first random picture that the network is sure of; most first attempts succeed."""
    for attempt in range(100):
        rng = np.random.default_rng([seed, SAMPLES, digit, attempt])
        picture = draw(SAMPLE_FONTS[digit], digit, rng)
        confidence = softmax(forward(weights, as_input(picture))[0])[0, digit]
        if confidence >= SAMPLE_CONFIDENCE:
            return picture
    sys.exit(f"the network recognises no sample of {digit}; train it for longer")


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


def reference(tensors, picture):
    """Computes the probabilities in double precision, from the files as written.

    Shares no code with the training above, so that a mistake in one shows in the other.
    """
    w = {name: tensor.astype(np.float64) for name, tensor in tensors.items()}
    x = picture.astype(np.float64)[None] / 255
    for layer in ("conv1", "conv2"):
        around = np.lib.stride_tricks.sliding_window_view(
            np.pad(x, ((0, 0), (1, 1), (1, 1))), (3, 3), axis=(1, 2))
        x = np.einsum("chwij,ocij->ohw", around, w[layer + ".weight"])
        x = np.maximum(x + w[layer + ".bias"][:, None, None], 0)
        x = np.max([x[:, i::2, j::2] for i in (0, 1) for j in (0, 1)], axis=0)
    scores = np.einsum("k,kn->n", x.ravel(), w["dense.weight"]) + w["dense.bias"]
    return np.exp(scores) / np.exp(scores).sum()


def write_all(out, weights, seed):
    (out / "samples").mkdir(parents=True, exist_ok=True)
    consts = [f"    {name.replace('.', '_')}: f32{list(tensor.shape)} "
              f'@weights("{name}");' for name, tensor in weights.items()]
    (out / "digits.webnn").write_text(GRAPH % "\n".join(consts))
    write_safetensors(out / "digits.safetensors", weights)
    tensors = read_safetensors(out / "digits.safetensors")
    expected = {}
    for digit in range(10):
        name = f"samples/{digit}.png"
        Image.fromarray(choose_sample(weights, digit, seed)).save(out / name)
        expected[name] = reference(tensors, np.asarray(Image.open(out / name))).tolist()
        print(f"{name}: {digit} with probability {expected[name][digit]:.4f}")
    (out / "expected.json").write_text(json.dumps(expected, indent=2) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, metavar="DIR",
                        default=pathlib.Path(__file__).parent,
                        help="where to write (default: beside this script)")
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--epochs", type=int, default=15, help="default: %(default)s")
    options = parser.parse_args()
    missing = [f for f in TRAINING_FONTS + HELD_OUT_FONTS if f not in FONTS]
    if missing:
        sys.exit("these fonts are missing (the head of this file names their "
                 "packages): " + ", ".join(missing))
    start = time.monotonic()
    weights = train(options.seed, options.epochs)
    for label, fonts, stream in (("fonts trained on", TRAINING_FONTS, VALIDATION),
                                 ("fonts held out", HELD_OUT_FONTS, HELD_OUT)):
        test = picture_set(fonts, PER_TEST, options.seed, stream)
        print(f"accuracy on {PER_TEST} new pictures, {label}: "
              f"{accuracy(weights, *test):.2%}")
    write_all(options.out, weights, options.seed)
    print(f"took {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
