"""Checks that models of ../shared/bench/make_models.py and ../shared/models have the results of ONNX Runtime.

The tolerance is 1e-4 of the largest element, or 1e-2 for float16.

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


def saturates(path):
    """Returns whether the model uses ONNX Runtime's 8-bit GEMM, whose sums of two products saturate at 16 bits on processors
    without VNNI."""
    return path.stem.endswith('qdq')


def inputs_of(session):
    generator = np.random.default_rng(1)
    return {one.name: generator.standard_normal(one.shape).astype(np.float32) for one in session.get_inputs()}


def run_webnn(path, inputs, output, backend):
    arguments = [webnn, 'run', path, '--quiet', '--backend', backend]
    if backend == 'onnxruntime' and saturates(path):
        arguments += ['--backend-option', 'optimization=none']
    with tempfile.TemporaryDirectory() as values:
        for name, value in inputs.items():
            np.save(f'{values}/{name}.npy', value)
            arguments += ['--input', f'{name}={values}/{name}.npy']
        subprocess.run([*arguments, '--output', f'{output}={values}/output.npy'], check=True, stdout=subprocess.DEVNULL, env=environment())
        return np.load(f'{values}/output.npy')


def models():
    """Yields (name, file) of the models."""
    folder.mkdir(parents=True, exist_ok=True)
    for make in make_models.MODELS:
        path = folder / f'{make.__name__}.onnx'
        if not path.exists():
            make().save(str(path))
        yield make.__name__, path
    for path in sorted((maker.parents[1] / 'models').glob('*/*.onnx')):
        yield path.stem, path


wrong = []
for name, path in models():
    if sys.argv[3:] and name not in sys.argv[3:]:
        continue
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    if saturates(path):
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(str(path), options, providers=['CPUExecutionProvider'])
    inputs = inputs_of(session)
    output = session.get_outputs()[0].name
    expected = session.run([output], inputs)[0]
    for backend in ('reference', 'onnxruntime'):
        actual = run_webnn(path, inputs, output, backend)
        error = np.abs(actual - expected).max() / np.abs(expected).max()
        limit = 1e-2 if name.endswith('fp16') else 1e-4
        print(f'{name:18s} {backend:12s} relative error {error:.2e}', flush=True)
        if not error <= limit:
            wrong.append(f'{name} on {backend}: {error:.2e} > {limit}')
sys.exit('\n'.join(wrong) or 0)
