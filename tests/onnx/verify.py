"""Shared code of the tests of ONNX models."""
import argparse
import os
import pathlib
import subprocess
import sys

SKIPPED = 77


def require(*packages):
    """Skips the test if a package is missing."""
    for package in packages:
        try:
            __import__(package)
        except ImportError as missing:
            print(f'skipped: {missing}; scripts/setup/setup_python.sh installs it')
            sys.exit(SKIPPED)


def python_package():
    """Returns the folder with the Python package: WEBNN_PYTHON, or the folder of scripts/setup/setup_python_package.sh."""
    if 'WEBNN_PYTHON' in os.environ:
        return pathlib.Path(os.environ['WEBNN_PYTHON'])
    root = pathlib.Path(__file__).resolve().parents[2]
    return next((path.parent for path in root.glob('build/python-package/lib/python3.*/site-packages/webnn')), None)


def require_webnn():
    """Makes the package webnn importable. Skips the test if the package is not built."""
    folder = python_package()
    if not folder:
        print('skipped: the Python package is not built; scripts/setup/setup_python_package.sh does that')
        sys.exit(SKIPPED)
    sys.path.append(str(folder))


def run_seeds(description, problems):
    """Calls problems(seed) for COUNT seeds from --seed, and prints what it yields. Returns the exit status."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('count', type=int)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    wrong = [f'--seed {seed}: {text}' for seed in range(options.seed, options.seed + options.count) for text in problems(seed)]
    print('\n'.join([*wrong[:20], f'{options.count} models, {len(wrong)} problems']))
    return 1 if wrong else 0


def difference(actual, expected, rtol=1e-4, atol=1e-5):
    """Returns how the results of a session differ from the expected ones; '' if they do not. Integers and strings must be equal."""
    import numpy as np

    if isinstance(expected, list):
        if not isinstance(actual, list) or len(actual) != len(expected):
            return f'{actual!r}, not the list {expected!r}'
        return next(filter(None, (difference(a, b, rtol, atol) for a, b in zip(actual, expected, strict=True))), '')
    a, b = np.asarray(actual), np.asarray(expected)
    if a.shape != b.shape or a.dtype != b.dtype:
        return f'{a.dtype}{list(a.shape)}, not {b.dtype}{list(b.shape)}'
    if np.allclose(a, b, rtol=rtol, atol=atol, equal_nan=True) if b.dtype.kind == 'f' else np.array_equal(a, b):
        return ''
    return f'{a.ravel()[:8].tolist()}, not {b.ravel()[:8].tolist()}, of shape {list(b.shape)}'


def reference_session(content):
    """Returns a session of ONNX Runtime without optimizations."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(content, options, providers=['CPUExecutionProvider'])


def environment():
    """Returns the tool's environment. Sets WEBNN_ONNXRUNTIME to the library of the package onnxruntime, unless it is set."""
    import onnxruntime

    library = next((pathlib.Path(onnxruntime.__file__).parent / 'capi').glob('libonnxruntime.so*'), None)
    return {'WEBNN_ONNXRUNTIME': str(library), **os.environ} if library else dict(os.environ)


def verify(webnn, folder, *options, backends=('reference', 'onnxruntime')):
    """Runs `webnn verify` on each of `backends`; returns the exit status, which is 0 if all pass."""
    status = 0
    for backend in backends:
        print(f'backend {backend}', flush=True)
        command = [webnn, 'verify', folder, '--backend', backend, '--quiet', '--list-failures', *options]
        status = subprocess.run(command, env=environment()).returncode or status
    return status
