"""Checks that random ONNX models have the results of ONNX Runtime or of ONNX's reference evaluator.

usage: random_models_test.py COUNT [--seed SEED] [--first NUMBER] [--only OPERATOR...] [--keep FOLDER] [--write-unsupported]

Each model is imported and runs on the backends cpu, reference and onnxruntime; it is also exported, and runs in ONNX Runtime
with default options. random_models/explained.py lists the known differences, random_models/unsupported.tsv the nodes that WebNN
cannot express. Exit status: 0 if nothing else is found, 1 if something is, 77 if a package is missing. The same seed makes the
same models.
"""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import require, require_webnn  # noqa: E402

require('onnx', 'onnxruntime')
require_webnn()
from random_models import supervisor  # noqa: E402

sys.exit(supervisor.main(pathlib.Path(__file__).read_text().split('"""')[1]))
