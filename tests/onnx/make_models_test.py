"""Checks that bench/make_models.py makes valid models with the same bytes each time, and refuses unknown names."""
import pathlib
import subprocess
import sys
import tempfile

from verify import require

require('onnx', 'onnxruntime')
import onnx  # noqa: E402

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / 'bench/make_models.py'
NAMES = ['detector', 'mobilenet_v2_qdq']  # two small models; the second is quantized


def make(folder, *names):
    return subprocess.run([sys.executable, SCRIPT, folder, *names], capture_output=True, text=True, check=False)


with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
    for folder in (first, second):
        made = make(folder, *NAMES)
        assert made.returncode == 0, made.stderr
        assert sorted(path.stem for path in pathlib.Path(folder).iterdir()) == NAMES
    for name in NAMES:
        models = [pathlib.Path(folder, f'{name}.onnx').read_bytes() for folder in (first, second)]
        assert models[0] == models[1], f'{name} is another one the second time'
        onnx.checker.check_model(models[0], full_check=True)
    unknown = make(first, 'no_such_model')
    assert unknown.returncode == 1 and 'detector' in unknown.stderr, unknown.stderr
