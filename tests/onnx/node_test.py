"""Checks that every node test of ONNX passes, or is listed with a reason in node_expectations.tsv.

usage: node_test.py WEBNN FOLDER      (FOLDER keeps the tests between runs)
"""
import importlib.metadata
import pathlib
import shutil
import subprocess
import sys

from verify import require, verify

webnn, folder = sys.argv[1], pathlib.Path(sys.argv[2])
here = pathlib.Path(__file__).resolve().parent
require('onnx', 'onnxruntime')
version = importlib.metadata.version('onnx')
written = folder / 'version.txt'
if not written.exists() or written.read_text() != version:
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, here.parents[1] / 'scripts/onnx_node_tests.py', folder], check=True)
    written.write_text(version)
sys.exit(verify(webnn, folder, '--expectations', here / 'node_expectations.tsv'))
