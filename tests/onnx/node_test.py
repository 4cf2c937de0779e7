"""Every node test of ONNX passes, or is listed in node_expectations.tsv as what WebNN cannot express.

usage: node_test.py WEBNN FOLDER [OPTION...]      (FOLDER keeps the tests between runs; options are those of `webnn verify`)
"""
import importlib.metadata
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77
webnn, folder, options = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
here = pathlib.Path(__file__).resolve().parent
try:
    version = importlib.metadata.version('onnx')
except importlib.metadata.PackageNotFoundError as missing:
    print(f'skipped: {missing}; scripts/setup_python.sh installs it')
    sys.exit(SKIPPED)

written = folder / 'version.txt'
if not written.exists() or written.read_text() != version:
    shutil.rmtree(folder, ignore_errors=True)
    status = subprocess.run([sys.executable, here.parents[1] / 'scripts/onnx_node_tests.py', folder]).returncode
    if status != 0:
        sys.exit(status)
    written.write_text(version)

command = [webnn, 'verify', folder, '--backend', 'reference', '--list-failures', '--expectations', here / 'node_expectations.tsv']
sys.exit(subprocess.run([*command, *options]).returncode)
