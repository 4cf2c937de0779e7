"""Checks that the com.microsoft operators that libwebnn imports have the results of ONNX Runtime.

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
import contrib_attention  # noqa: E402  (the import replaces contrib_models.OPERATORS by the attention operators)

contrib_attention.main(folder / 'attention')
# libwebnn imports a quantized operator as dequantize, compute, quantize. ONNX Runtime 1.31 fuses these steps again; then some results are
# off by one unit, and two models with QLinearAveragePool are refused as invalid. Without optimizations, all results are right.
status = verify(webnn, folder / 'plain', backends=('reference',))
status = verify(webnn, folder / 'plain', '--backend-option', 'optimization=none', backends=('onnxruntime',)) or status
sys.exit(verify(webnn, folder / 'attention') or status)
