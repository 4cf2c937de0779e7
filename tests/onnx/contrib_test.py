"""The com.microsoft operators that we import compute what ONNX Runtime computes.

usage: contrib_test.py WEBNN FOLDER
"""
import pathlib
import shutil
import sys

from verify import require, verify

webnn, folder = sys.argv[1], pathlib.Path(sys.argv[2])
require('onnx', 'onnxruntime')
import contrib_attention  # noqa: E402  (it has all operators: it adds its own to those of contrib_models)

shutil.rmtree(folder, ignore_errors=True)
contrib_attention.main(folder)
sys.exit(verify(webnn, folder))
