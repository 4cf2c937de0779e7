"""Random ONNX models compute what ONNX Runtime computes, or the reference evaluator of ONNX where the two differ.

usage: random_models_test.py COUNT [--seed SEED] [--first NUMBER] [--only OPERATOR...] [--keep FOLDER] [--write-unsupported]

Each model is imported, and runs on the backends cpu, reference and onnxruntime, and exported, in ONNX Runtime with its
default options. Differences that are explained are in random_models/explained.py, what WebNN cannot express in
random_models/unsupported.tsv: exit status 0 if that is all, 1 if not, 77 if a package is missing. A seed
makes the same models each time.
"""

import pathlib
import sys

from verify import SKIPPED, require

require('onnx', 'onnxruntime')
from random_models import supervisor  # noqa: E402

if not supervisor.python_package():
    print('skipped: the Python package is not built; scripts/setup/setup_python_package.sh does that')
    sys.exit(SKIPPED)
sys.exit(supervisor.main(pathlib.Path(__file__).read_text().split('"""')[1]))
