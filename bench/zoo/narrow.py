"""Makes forms of a model with 8-bit and 4-bit weights by onnxruntime.quantization."""

import pathlib
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

SAMPLES = 4
LARGEST_SHARE = 0.8  # maximum size of a narrow model, relative to the float32 file


def random_inputs(path, generator):
    """Returns a session of the model, and inputs like those of `webnn bench`: floats from 0 to 1, integers from 0 to 7."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(path), options, providers=['CPUExecutionProvider'])
    kinds = {'tensor(float)': np.float32, 'tensor(int64)': np.int64, 'tensor(int32)': np.int32, 'tensor(bool)': bool}
    values = {}
    for one in session.get_inputs():
        kind = np.dtype(kinds[one.type])
        made = generator.random(one.shape) if kind.kind == 'f' else generator.integers(0, 2 if kind == bool else 8, one.shape)
        values[one.name] = made.astype(kind)
    return session, values


class Samples(CalibrationDataReader):
    def __init__(self, path):
        generator = np.random.default_rng(1)
        self.samples = iter([random_inputs(path, generator)[1] for _ in range(SAMPLES)])

    def get_next(self):
        return next(self.samples, None)


def static(source, target, layout):
    quantize_static(
        source, target, Samples(source), layout, per_channel=True, weight_type=QuantType.QInt8, activation_type=QuantType.QUInt8
    )


def qdq(source, target):
    """Pairs of QuantizeLinear and DequantizeLinear around float operators."""
    static(source, target, QuantFormat.QDQ)


def qoperator(source, target):
    """Operators on 8 bits: QLinearConv, QLinearAdd and others."""
    static(source, target, QuantFormat.QOperator)


def dynamic(source, target):
    """8-bit weights; activations are quantized during the run: DynamicQuantizeLinear and MatMulInteger."""
    quantize_dynamic(source, target, weight_type=QuantType.QInt8, op_types_to_quantize=['MatMul', 'Gemm'])


def four_bits(source, target, layout):
    from onnxruntime.quantization.matmul_nbits_quantizer import DefaultWeightOnlyQuantConfig, MatMulNBitsQuantizer

    config = DefaultWeightOnlyQuantConfig(
        block_size=32,
        is_symmetric=True,
        quant_format=layout,
        **({'op_types_to_quantize': ('MatMul',)} if layout == QuantFormat.QDQ else {}),
    )
    maker = MatMulNBitsQuantizer(onnx.load(source), algo_config=config)
    maker.process()
    onnx.save(maker.model.model, target)


def int4(source, target):
    """4-bit weights in blocks of 32, as MatMulNBits."""
    four_bits(source, target, QuantFormat.QOperator)


def int4_qdq(source, target):
    """4-bit weights in blocks of 32, as DequantizeLinear and MatMul."""
    four_bits(source, target, QuantFormat.QDQ)


FORMS = {make.__name__: make for make in (qdq, qoperator, dynamic, int4, int4_qdq)}
BITS = {'qdq': 8, 'qoperator': 8, 'dynamic': 8, 'int4': 4, 'int4_qdq': 4}


def narrow(source, form, target):
    with tempfile.TemporaryDirectory() as folder:
        prepared, made = pathlib.Path(folder) / 'prepared.onnx', pathlib.Path(folder) / 'made.onnx'
        if BITS[form] == 8:
            quant_pre_process(str(source), str(prepared), skip_symbolic_shape=True)
        FORMS[form](prepared if prepared.exists() else source, made)
        onnx.save(onnx.load(made), target)
    if target.stat().st_size > LARGEST_SHARE * source.stat().st_size:
        raise ValueError(f'{form} leaves most weights as they were')
