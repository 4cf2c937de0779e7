"""Code that the tests with `webnn verify` share."""
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


def environment():
    """With the library of the package onnxruntime, unless another one is asked for."""
    import onnxruntime

    library = next((pathlib.Path(onnxruntime.__file__).parent / 'capi').glob('libonnxruntime.so*'), None)
    return {'WEBNN_ONNXRUNTIME': str(library), **os.environ} if library else dict(os.environ)


def verify(webnn, folder, *options, backends=('reference', 'onnxruntime')):
    """On the reference backend, and on ONNX Runtime, which gets what we export. The exit status."""
    status = 0
    for backend in backends:
        print(f'backend {backend}', flush=True)
        command = [webnn, 'verify', folder, '--backend', backend, '--quiet', '--list-failures', *options]
        status = subprocess.run(command, env=environment()).returncode or status
    return status
