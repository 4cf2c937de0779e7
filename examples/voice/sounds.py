"""Makes speech and noises for training the network of this example.

Speech comes from synthesizers (see train.py for the packages), noises from
NumPy. All sounds are mono, at RATE.
"""

import io
import pathlib
import subprocess
import wave

import numpy as np

RATE = 16000

# Languages of espeak-ng, and variants of its voice.
TRAINING_LANGUAGES = """
    af ar bg bn ca cmn cs cy da el en-gb en-gb-scotland en-us es es-419 et eu fa fi
    fr-fr ga gu hr hu hy id is it ka kn ko lt lv mk ml ms nb nl pa pl pt-br ro ru sk
    sl sq sr sw ta te tr uk ur vi yue
""".split()
TRAINING_VARIANTS = """
    Alex Alicia Andrea Andy Annie Denis Diogo Gene Henrique Hugo Jacky Lee Mario
    Michael Storm adam anika aunty belinda benjamin boris caleb croak david ed edward
    f1 f2 f4 grandpa iven iven2 john kaukovalta klatt klatt2 klatt3 linda m1 m2 m3 m4
    m6 marcelo max miguel norbert pablo paul pedro quincy rob robert sandro steph
    steph2 travis victor whisper whisperf zac
""".split()
# Kept out of training, for validation.
HELD_OUT_LANGUAGES = "de fr-be gd hi ja pt sv".split()
HELD_OUT_VARIANTS = "Marco Nguyen antonio f3 f5 grandma klatt4 m5 m7 michel shelby steph3".split()

# Voices of flite; three of them were made from recordings of people.
TRAINING_FLITE, HELD_OUT_FLITE = ("kal16", "rms", "slt"), ("awb",)
FLITE_SHARE = 0.4


# ---- Speech ----

def made_up_text(rng):
    """Returns numbers, which each language reads out in its own words, and words that exist in no language."""
    def word():
        return "".join(rng.choice(list("bcdfghjklmnprstvwz")) + rng.choice(list("aeiou"))
                       + ("" if rng.random() < 0.6 else rng.choice(list("lmnrst")))
                       for _ in range(rng.integers(1, 4)))

    return " ".join(str(rng.integers(10 ** rng.integers(1, 5))) if rng.random() < 0.3 else word()
                    for _ in range(rng.integers(1, 8)))


def speech(rng, languages, variants, flite):
    """Returns one utterance by a random one of the given voices, synthesized by espeak-ng or flite."""
    text = made_up_text(rng)
    if rng.random() < FLITE_SHARE:
        # Vary pitch and speed, because flite has only a few voices.
        sound = program_output("flite", "-voice", rng.choice(flite), "-t", text, "-o", "/dev/stdout")
        return resampled(sound, rng.uniform(0.85, 1.2))
    return program_output(
        "espeak-ng", "--stdout", "-v", f"{rng.choice(languages)}+{rng.choice(variants)}",
        "-s", str(rng.integers(110, 260)), "-p", str(rng.integers(10, 90)), text)


def program_output(*command):
    return read_wav(subprocess.run(command, check=True, capture_output=True).stdout)


def read_wav(source):
    """Returns the first channel of a WAV file, or of its bytes, with 8 or 16 bits per sample."""
    data = source if isinstance(source, bytes) else pathlib.Path(source).read_bytes()
    with wave.open(io.BytesIO(data)) as file:
        width, channels, rate = file.getsampwidth(), file.getnchannels(), file.getframerate()
        # A header that was written before the length was known may claim more frames than there are.
        frames = file.readframes(min(file.getnframes(), len(data) // (width * channels)))
    if width == 1:
        sound = (np.frombuffer(frames, np.uint8).astype(np.float32) - 128) / 128
    else:
        sound = np.frombuffer(frames[:len(frames) // 2 * 2], "<i2").astype(np.float32) / 32768
    return resampled(sound[::channels], RATE / rate)


def resampled(sound, factor):
    """Returns the sound resampled to `factor` times its length."""
    count = round(len(sound) * factor)
    if count == len(sound):
        return sound
    spectrum = np.fft.rfft(sound)
    wanted = np.zeros(count // 2 + 1, complex)
    both = min(len(wanted), len(spectrum))
    wanted[:both] = spectrum[:both]
    return (np.fft.irfft(wanted, count) * count / len(sound)).astype(np.float32)


# ---- Noises: each takes a random generator and a number of samples ----

def coloured(rng, count, slope=None):
    """Returns noise of power proportional to frequency ** slope: blue (1), white (0), pink (-1), brown (-2); None: random."""
    spectrum = np.fft.rfft(rng.normal(size=count))
    frequency = np.maximum(np.fft.rfftfreq(count, 1 / RATE), 20)
    return np.fft.irfft(spectrum * frequency ** ((rng.uniform(-3, 1) if slope is None else slope) / 2), count)


def band(rng, count):
    """Returns noise in a band of frequencies, like wind, fans or water."""
    low, high = np.sort(np.exp(rng.uniform(np.log(80), np.log(8000), 2)))
    spectrum = np.fft.rfft(rng.normal(size=count))
    frequency = np.fft.rfftfreq(count, 1 / RATE)
    spectrum *= 1 / (1 + (low / np.maximum(frequency, 1)) ** 4) / (1 + (frequency / high) ** 4)
    return np.fft.irfft(spectrum, count) * (1 + rng.uniform(0, 0.9) * slow_wave(rng, count, 0.2, 8))


def slow_wave(rng, count, low, high):
    time = np.arange(count) / RATE
    return np.sin(2 * np.pi * (rng.uniform(low, high) * time + rng.random()))


def hum(rng, count):
    """Returns steady harmonics, like mains hum or motors."""
    base, time = rng.choice([50, 60, rng.uniform(30, 400)]), np.arange(count) / RATE
    sound = 0.02 * coloured(rng, count, -1)
    for harmonic in range(1, rng.integers(2, 25)):
        if base * harmonic < RATE / 2:
            sound += rng.random() / harmonic * np.sin(2 * np.pi * (base * harmonic * time + rng.random()))
    return sound


def struck(rng, count, per_second, low, high, shortest, longest):
    """Returns short resonances at random times."""
    sound = np.zeros(count)
    for begin in rng.integers(0, count, rng.poisson(per_second * count / RATE)):
        length = rng.uniform(shortest, longest)
        time = np.arange(min(count - begin, int(6 * length * RATE))) / RATE
        ring = np.sin(2 * np.pi * np.exp(rng.uniform(np.log(low), np.log(high))) * time) + rng.normal(size=len(time))
        sound[begin:begin + len(time)] += rng.uniform(0.1, 1) * np.exp(-time / length) * ring
    return sound


def clicks(rng, count):
    """Returns clicks, as of keyboards, mice and switches."""
    return struck(rng, count, rng.uniform(1, 12), 800, 7000, 0.0005, 0.01)


def knocks(rng, count):
    """Returns knocks, as of steps, doors and cups."""
    return struck(rng, count, rng.uniform(0.5, 5), 60, 2500, 0.01, 0.06)


def rain(rng, count):
    return struck(rng, count, rng.uniform(50, 400), 1500, 7500, 0.0005, 0.003) + 0.1 * coloured(rng, count, -0.5)


def notes(rng, count, harmonics, longest):
    """Returns overlapping tones that swell and fade."""
    sound, root = np.zeros(count), np.exp(rng.uniform(np.log(80), np.log(500)))
    begin = rng.integers(RATE // 4)
    while begin < count:
        length = int(rng.uniform(0.08, longest) * RATE)
        time = np.arange(min(length, count - begin)) / RATE
        fade = np.minimum(1, np.minimum(time / rng.uniform(0.003, 0.05), (length / RATE - time) / 0.02))
        fade = fade * np.exp(-time * rng.uniform(0, 5))
        for _ in range(rng.integers(1, 5)):
            pitch = root * 2 ** (rng.integers(25) / 12)
            for harmonic in range(1, harmonics + 1):
                if pitch * harmonic < RATE / 2:
                    strength = rng.uniform(0.3, 1) / harmonic ** rng.uniform(0.8, 2)
                    sound[begin:begin + len(time)] += strength * fade * np.sin(
                        2 * np.pi * (pitch * harmonic * time + rng.random()))
        begin += int(length * rng.uniform(0.4, 1.3))
    return sound


def chords(rng, count):
    """Returns chords, like music of strings, organs and pianos."""
    return notes(rng, count, rng.integers(3, 12), 1.2)


def beeps(rng, count):
    return notes(rng, count, 1, 0.4) * (1 if rng.random() < 0.5 else 1 + slow_wave(rng, count, 3, 30))


def sweeps(rng, count):
    """Returns gliding pitches, like sirens, whistles and squeaking chairs."""
    steps = rng.integers(2, 12)
    pitch = np.exp(np.interp(np.arange(count), np.linspace(0, count, steps), rng.uniform(np.log(200), np.log(4000), steps)))
    phase = np.cumsum(pitch) / RATE
    sound = sum(rng.random() / h * np.sin(2 * np.pi * h * phase) * (h * pitch < RATE / 2) for h in range(1, rng.integers(2, 5)))
    return sound * np.maximum(0, 0.5 + slow_wave(rng, count, 0.2, 3))


TRAINING_NOISES = (coloured, coloured, band, band, hum, clicks, knocks, rain, chords, chords, beeps, sweeps)


# These noises are kept out of training, for validation.

def engine(rng, count):
    """Returns the noise of an engine: ignition pulses whose rate rises and falls, filtered by a resonance."""
    rate = np.interp(np.arange(count), np.linspace(0, count, 5), rng.uniform(15, 90, 5))
    pulses = np.diff(np.floor(np.cumsum(rate) / RATE), prepend=0)
    time = np.arange(RATE // 10) / RATE
    ring = np.exp(-time * rng.uniform(60, 200)) * np.sin(2 * np.pi * rng.uniform(80, 600) * time)
    return filtered(pulses, ring) + 0.05 * coloured(rng, count, -1)


def birds(rng, count):
    """Returns trills of short falling and rising tones."""
    sound, begin = 0.002 * rng.normal(size=count), 0
    while begin < count:
        length = int(rng.uniform(0.03, 0.15) * RATE)
        time = np.linspace(0, 1, length)[:count - begin]
        low, span = rng.uniform(2000, 4000), rng.uniform(-1500, 3000)
        tone = np.sin(2 * np.pi * (low * time + span * time ** 2 / 2) * length / RATE) * np.sin(np.pi * time)
        sound[begin:begin + len(time)] += tone
        begin += length + int(rng.exponential(0.15) * RATE)
    return sound


def applause(rng, count):
    return struck(rng, count, rng.uniform(30, 150), 700, 1500, 0.003, 0.008)


def vacuum_cleaner(rng, count):
    return hum(rng, count) + 0.3 * band(rng, count) + coloured(rng, count, -0.5) * 0.2


HELD_OUT_NOISES = (engine, birds, applause, vacuum_cleaner)


# ---- Rooms and microphones ----

def filtered(sound, response):
    size = len(sound) + len(response)
    return np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(response, size), size)[:len(sound)]


def room(rng, sound):
    """Returns the sound with the fading echoes of a random room."""
    length = rng.uniform(0.05, 0.5)
    time = np.arange(int(length * RATE)) / RATE
    response = rng.normal(size=len(time)) * np.exp(-time * 6.9 / length) * rng.uniform(0.01, 0.08)
    response[0] = 1
    return filtered(sound, response)


def microphone(rng, sound):
    """Returns the sound as a random microphone records it: duller, sharper, or limited to a telephone's band."""
    frequency = np.fft.rfftfreq(len(sound), 1 / RATE)
    gain = (np.maximum(frequency, 50) / 1000) ** rng.uniform(-0.4, 0.4)
    gain *= 1 / (1 + (rng.uniform(20, 250) / np.maximum(frequency, 1)) ** 4)
    if rng.random() < 0.3:
        gain *= 1 / (1 + (frequency / rng.uniform(3000, 7000)) ** 24)
    return np.fft.irfft(np.fft.rfft(sound) * gain, len(sound))
