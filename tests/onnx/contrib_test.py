"""The com.microsoft operators that we import compute what ONNX Runtime computes.

usage: contrib_test.py WEBNN FOLDER
"""
import pathlib
import shutil
import sys

from verify import require, verify

webnn, folder = sys.argv[1], pathlib.Path(sys.argv[2])
require('onnx', 'onnxruntime')

shutil.rmtree(folder, ignore_errors=True)
import contrib_models  # noqa: E402

contrib_models.main(folder / 'plain')
import contrib_attention  # noqa: E402  (which registers its operators instead of those)

contrib_attention.main(folder / 'attention')
# Quantized operators become dequantize, compute, quantize. ONNX Runtime (1.31) fuses those again; then 2 of the 52 models are
# off by one unit, and 2 (QLinearAveragePool) are refused as invalid. Without its optimizations all are right.
status = verify(webnn, folder / 'plain', backends=('reference',))
status = verify(webnn, folder / 'plain', '--backend-option', 'optimization=none', backends=('onnxruntime',)) or status
sys.exit(verify(webnn, folder / 'attention') or status)
