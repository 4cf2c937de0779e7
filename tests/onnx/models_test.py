"""Models of ../shared/bench/make_models.py give what ONNX Runtime gives: within 1e-4 of the largest element, 1e-2 for float16.

usage: models_test.py WEBNN FOLDER [NAME...]      (FOLDER keeps the models between runs)
"""
import pathlib
import subprocess
import sys
import tempfile

from verify import SKIPPED, environment, require

webnn, folder = sys.argv[1], pathlib.Path(sys.argv[2])
maker = pathlib.Path(__file__).resolve().parents[3] / 'shared/bench/make_models.py'
require('onnx', 'onnxruntime')
import numpy as np  # noqa: E402
import onnxruntime  # noqa: E402

if not maker.exists():
    print(f'skipped: {maker} is not there')
    sys.exit(SKIPPED)

sys.path.insert(0, str(maker.parent))
sys.dont_write_bytecode = True
import make_models  # noqa: E402


def inputs_of(session):
    generator = np.random.default_rng(1)
    return {one.name: generator.standard_normal(one.shape).astype(np.float32) for one in session.get_inputs()}


def run_webnn(path, inputs, backend):
    arguments = [webnn, 'run', path, '--quiet', '--backend', backend]
    with tempfile.TemporaryDirectory() as values:
        for name, value in inputs.items():
            np.save(f'{values}/{name}.npy', value)
            arguments += ['--input', f'{name}={values}/{name}.npy']
        subprocess.run([*arguments, '--output', f'output={values}/output.npy'], check=True, stdout=subprocess.DEVNULL, env=environment())
        return np.load(f'{values}/output.npy')


folder.mkdir(parents=True, exist_ok=True)
wrong = []
for make in make_models.MODELS:
    name = make.__name__
    if sys.argv[3:] and name not in sys.argv[3:]:
        continue
    path = folder / f'{name}.onnx'
    if not path.exists():
        make().save(str(path))
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(path), options, providers=['CPUExecutionProvider'])
    inputs = inputs_of(session)
    expected = session.run(['output'], inputs)[0]
    for backend in ('reference', 'onnxruntime'):
        actual = run_webnn(path, inputs, backend)
        error = np.abs(actual - expected).max() / np.abs(expected).max()
        limit = 1e-2 if name.endswith('fp16') else 1e-4
        print(f'{name:16s} {backend:12s} relative error {error:.2e}', flush=True)
        if not error <= limit:
            wrong.append(f'{name} on {backend}: {error:.2e} > {limit}')
sys.exit('\n'.join(wrong))
