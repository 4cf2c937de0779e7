"""Makes the inputs of the programs: pictures, sounds, signals and texts. Equal arguments give equal inputs in every process."""

import io
import shutil
import subprocess
import tempfile
import wave
from pathlib import Path

import numpy as np

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
WORDS = ["invoice", "Total 1842", "harbour", "Pier 39", "summer", "READ ME", "kettle", "window", "42 euros", "north", "Qualle", "zebra"]


def font(size):
    from PIL import ImageFont

    return ImageFont.truetype(FONT, size) if Path(FONT).exists() else ImageFont.load_default(size)


def page(seed, width, height):
    """Draws lines of words at random positions on white paper, and returns an RGB array."""
    from PIL import Image, ImageDraw

    random = np.random.default_rng(seed)
    picture = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(picture)
    for y in range(12, height - 40, 58):
        line = " ".join(random.choice(WORDS, 1 + int(random.integers(0, 3))))
        draw.text((int(random.integers(8, 60)), y), line, fill=tuple(int(v) for v in random.integers(0, 90, 3)), font=font(26))
    return np.array(picture)


def word_picture(seed, text, width=160, height=60, noise=200):
    """Draws a word with speckles, as a captcha, and returns the content of a PNG file."""
    from PIL import Image, ImageDraw

    random = np.random.default_rng(seed)
    picture = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(picture)
    draw.text((14, 8), text, fill=(20, 30, 120), font=font(34))
    for _ in range(noise):
        draw.point((int(random.integers(0, width)), int(random.integers(0, height))), fill=(120, 120, 120))
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def scene(seed, width, height):
    """Draws a figure with a face and a body in skin colours on a coloured background, and returns an RGB array."""
    from PIL import Image, ImageDraw, ImageFilter

    random = np.random.default_rng(seed)
    picture = Image.new("RGB", (width, height), tuple(int(v) for v in random.integers(60, 200, 3)))
    draw = ImageDraw.Draw(picture)
    x, y, r = width // 2 + int(random.integers(-20, 20)), height // 4, height // 9
    skin = (226, 176, 148)
    draw.ellipse((x - 2 * r, y + r, x + 2 * r, height + 4 * r), fill=skin)
    draw.ellipse((x - r, y - int(1.3 * r), x + r, y + int(1.3 * r)), fill=skin)
    draw.pieslice((x - r, y - int(1.5 * r), x + r, y + r), 180, 360, fill=(60, 40, 30))
    for side in (-1, 1):
        draw.ellipse((x + side * r // 2 - r // 6, y - r // 8, x + side * r // 2 + r // 6, y + r // 8), fill=(250, 250, 250))
        draw.ellipse((x + side * r // 2 - r // 12, y - r // 12, x + side * r // 2 + r // 12, y + r // 12), fill=(40, 30, 30))
        draw.ellipse((x + side * r - r // 3, y + 4 * r - r // 3, x + side * r + r // 3, y + 4 * r + r // 3), fill=(190, 110, 100))
    draw.arc((x - r // 2, y, x + r // 2, y + int(0.8 * r)), 20, 160, fill=(160, 40, 50), width=max(2, r // 8))
    return np.array(picture.filter(ImageFilter.GaussianBlur(1.5)))


def speech(rate=16000):
    """Returns float32 samples of a spoken sentence between pauses: from espeak-ng, or vowels of a synthetic voice without it."""
    pause = np.zeros(rate, np.float32)
    return np.concatenate([pause, _spoken(rate, "The quick brown fox jumps over the lazy dog"), pause,
                           _spoken(rate, "and the harbour is calm tonight"), pause])  # fmt: skip


def _spoken(rate, text):
    program = shutil.which("espeak-ng")
    if program is None:
        return _vowels(rate, len(text) / 14)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "speech.wav")
        subprocess.run([program, "-v", "en", "-s", "150", "-w", str(path), text], check=True)
        with wave.open(str(path)) as file:
            samples = np.frombuffer(file.readframes(file.getnframes()), np.int16).astype(np.float32) / 32768
            own_rate = file.getframerate()
    places = np.arange(int(len(samples) * rate / own_rate)) * own_rate / rate
    return np.interp(places, np.arange(len(samples)), samples).astype(np.float32)


def _vowels(rate, seconds):
    time = np.arange(int(rate * seconds)) / rate
    pitch = 120 + 15 * np.sin(2 * np.pi * 1.5 * time)
    phase = 2 * np.pi * np.cumsum(pitch) / rate
    formants = [(700, 1100), (300, 2300), (400, 800)]
    sound = np.zeros_like(time)
    for harmonic in range(1, 30):
        for index, (low, high) in enumerate(formants):
            here = (time * 3).astype(int) % 3 == index
            gain = sum(np.exp(-(((harmonic * pitch - formant) / 150) ** 2)) for formant in (low, high)) + 0.02
            sound += here * gain * np.sin(harmonic * phase)
    return (0.2 * sound / np.abs(sound).max() * (0.6 + 0.4 * np.sin(2 * np.pi * 4 * time))).astype(np.float32)


def melody(seconds, rate=22050):
    """Returns float32 samples of plucked notes of a scale."""
    sound = np.zeros(int(seconds * rate), np.float32)
    for index, note in enumerate([60, 64, 67, 72, 71, 67, 65, 62] * 8):
        start = int(index * 0.45 * rate)
        if start >= len(sound):
            break
        time = np.arange(min(int(0.6 * rate), len(sound) - start)) / rate
        pitch = 440 * 2 ** ((note - 69) / 12)
        tone = sum(np.sin(2 * np.pi * pitch * k * time) / k for k in (1, 2, 3, 4))
        sound[start : start + len(time)] += (0.2 * tone * np.exp(-5 * time)).astype(np.float32)
    return sound


def write_wave(path, samples, rate):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes((np.clip(samples, -1, 1) * 32767).astype(np.int16).tobytes())


def brain_waves(seconds, rate, seed=1):
    """Returns a signal in microvolts: noise that falls with the frequency, and a spindle of 13 Hz every seven seconds."""
    random = np.random.default_rng(seed)
    count = int(seconds * rate)
    spectrum = np.fft.rfft(random.standard_normal(count))
    spectrum /= np.maximum(np.fft.rfftfreq(count, 1 / rate), 0.5) ** 0.8
    signal = np.fft.irfft(spectrum, count)
    signal *= 20 / signal.std()
    for start in np.arange(3, seconds - 2, 7):
        time = np.arange(int(1.2 * rate)) / rate
        place = int(start * rate)
        signal[place : place + len(time)] += 45 * np.sin(2 * np.pi * 13 * time) * np.hanning(len(time))
    return signal


def files():
    """Returns contents of files of several kinds, by name."""
    picture = word_picture(1, "abc")
    return {
        "program.py": b"import sys\n\n\ndef main(names):\n    for name in names:\n        print(name.upper())\n\n\nmain(sys.argv)\n" * 4,
        "page.html": b"<!DOCTYPE html><html><head><title>A page</title></head><body><p>Hello</p></body></html>" * 6,
        "data.json": b'{"name": "kettle", "sizes": [1, 2, 3], "open": true, "inner": {"a": null}}\n' * 8,
        "picture.png": picture,
        "text.txt": b"The harbour is calm tonight, and the lamps along the pier are lit one after the other. " * 9,
        "query.sql": b"SELECT name, COUNT(*) FROM orders WHERE price > 10 GROUP BY name ORDER BY 2 DESC;\n" * 6,
        "unit.c": b"#include <stdio.h>\nint main(void) { for (int i = 0; i < 9; ++i) printf(\"%d\\n\", i); return 0; }\n" * 4,
    }
