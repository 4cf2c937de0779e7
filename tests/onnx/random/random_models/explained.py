"""The table of explained differences, and the table of operators that are known to be unsupported."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

UNSUPPORTED = Path(__file__).with_name('unsupported.tsv')
EVERYWHERE = ('cpu', 'reference', 'export', 'onnxruntime')
THROUGH_ONNXRUNTIME = ('export', 'onnxruntime')


@dataclasses.dataclass(frozen=True)
class Row:
    operators: str  # the reduced model contains at least one of these operators; empty: any model
    reason: str  # why the results differ, and how this was found
    paths: tuple = EVERYWHERE
    when: Callable = lambda finding: finding['kind'] == 'differs'


def within(units):
    """Matches float differences of at most `units` units in the last place of max(1, the largest element), and integer differences
    of at most `units`."""
    return lambda finding: finding['kind'] == 'differs' and finding['scaled'] <= units


def special(finding):
    """Matches if the model's values contain infinities, NaN or numbers of 1e18 and above."""
    return finding['kind'] == 'differs' and finding['special']


def tiny(finding):
    """Matches if the model's values contain numbers below 1e-18, whose squares underflow in float32."""
    return finding['kind'] == 'differs' and finding['tiny']


def of_largest(part):
    """Matches if the model's largest number exceeds 1e6, and no element is off by more than `part` times that number."""
    return lambda finding: finding['kind'] == 'differs' and 1e6 < finding['largest'] and finding['apart'] <= part * finding['largest']


# Operators that are steep or discontinuous somewhere.
STEEP = set(
    'Acos Acosh Asin Asinh ArgMax ArgMin Atanh Binarizer Ceil Cos Cosh Div Equal Erf Exp Floor Greater Less Log Mod Not Pow '
    'Reciprocal ReduceLogSum Round Sigmoid Sign Sin Sinh Softmax Sqrt Tan Tanh'.split()
)


def steep(finding):
    """Matches if a steep or discontinuous function amplifies a difference in rounding. Reducing the model would have removed this
    function if the values before it differed by more than the tolerance."""
    return finding['kind'] == 'differs' and bool(STEEP & set(finding['operators'])) and len(finding['operators']) > 1


def denormal(finding):
    return finding['kind'] == 'differs' and finding['apart'] < 2.0**-126


def overflow(finding):
    """Matches if the model's integers are near the limits of their type."""
    return finding['kind'] == 'differs' and finding['extreme']


ROWS = (
    Row(
        'ReduceSum ReduceProd ReduceSumSquare ReduceL1 ReduceL2 ReduceLogSum ReduceMean MatMul CumSum CumProd ScatterElements '
        'ScatterND Sum Mul Pow ReduceLogSumExp',
        'ONNX does not say what integers that overflow become; ONNX Runtime wraps in some kernels and saturates in others',
        when=overflow,
    ),
    Row(
        'ReduceProd',
        'a product overflows before it meets a zero, or after: ONNX does not say in which order it multiplies',
        when=special,
    ),
    Row(
        'OneHot',
        'operator sets 9 and 10: an index below 0 is outside; the evaluator and ONNX Runtime count it from the end, as later '
        'sets do',
        when=lambda finding: finding['kind'] == 'differs' and finding['opset'] < 11,
    ),
    Row(
        'QuantizeLinear DequantizeLinear',
        'ONNX Runtime fuses what is dequantized and quantized into integer operators of its own, which round otherwise by a unit',
        paths=THROUGH_ONNXRUNTIME,
        when=within(1),
    ),
    Row(
        'BlackmanWindow HammingWindow HannWindow',
        'the formula of a window of one element divides 0 by 0; we give its limit',
        when=special,
    ),
    Row(
        'Softmax LogSoftmax Gelu',
        'ONNX Runtime keeps float32 between nodes of float16 for which it has no kernels, where less overflows',
        when=lambda finding: special(finding) and 'float16' in finding['types'],
    ),
    Row(
        'DynamicQuantizeMatMul MatMulIntegerToFloat QAttention MatMulNBits',
        'what ONNX Runtime rounds in these (see there) becomes large after a function that is steep or jumps',
        paths=THROUGH_ONNXRUNTIME,
        when=steep,
    ),
    Row(
        'Cast',
        'true is what is not 0: ONNX Runtime has 0 where a gelu or sigmoid of ours is next to it',
        paths=THROUGH_ONNXRUNTIME,
        when=lambda finding: finding['kind'] == 'differs' and 'bool' in finding['types'],
    ),
    Row(
        'ReduceLogSumExp ReduceLogSum',
        'of integers: the logarithm is within its rounding of a whole number, below or above which the result is cut',
        when=lambda finding: within(1)(finding) and bool({'int32', 'uint32', 'int64', 'uint64'} & set(finding['types'])),
    ),
    Row(
        'QuantizeLinear',
        'ONNX Runtime gives the least integer for an infinity of float16, whatever its sign; it saturates those of float32',
        when=lambda finding: special(finding) and 'float16' in finding['types'],
    ),
    Row(
        'Reciprocal',
        'in float16, what is nearly 0 is rounded otherwise before its reciprocal is taken',
        when=lambda finding: finding['kind'] == 'differs' and 'float16' in finding['types'] and len(finding['operators']) > 1,
    ),
    Row(
        'Softmax',
        'ONNX Runtime fuses a Softmax of what is dequantized, quantized again, into an integer operator whose probabilities are '
        'off by a hundredth: 0.5 becomes 0 instead of 1 with the scale 0.98855954; without optimizations it does as we do',
        paths=THROUGH_ONNXRUNTIME,
        when=lambda finding: finding['kind'] == 'differs' and {'QuantizeLinear', 'DequantizeLinear'} <= set(finding['operators']),
    ),
    Row(
        'Dropout',
        'before operator set 12 nothing says what the mask of inference is; ONNX Runtime leaves it 0, we give that of later ones',
        when=lambda finding: finding['kind'] == 'differs' and finding['opset'] < 12,
    ),
    Row(
        'Shrink',
        'ONNX Runtime computes integers in float32, which does not hold those of 64 bits; we compute them exactly',
        when=lambda finding: overflow(finding) or (finding['kind'] == 'differs' and bool({'int64', 'uint64'} & set(finding['types']))),
    ),
    Row(
        'Resize Upsample',
        'linear interpolation of integers: ONNX Runtime truncates, the evaluator rounds and so do we',
        when=lambda finding: within(1)(finding) and {'int8', 'uint8', 'int32'} & set(finding['types']),
    ),
    Row(
        'Resize',
        'align_corners with scales by which no size becomes whole: the text of ONNX takes the resulting size, as ONNX Runtime '
        'does; its tests and its evaluator take the size before it is rounded down, as we do where sizes shrink',
        when=lambda finding: finding['kind'] == 'differs' and 'align_corners' in finding['texts'],
    ),
    Row(
        'Resize',
        'tf_crop_and_resize: ONNX Runtime leaves the region out where no size changes and, to the nearest, along each axis that '
        'keeps its size',
        when=lambda finding: finding['kind'] == 'differs'
        and 'tf_crop_and_resize' in finding['texts']
        and (finding['copied'] or not {'linear', 'cubic'} & set(finding['texts'])),
    ),
    Row(
        'Resize',
        'ONNX Runtime leaves keep_aspect_ratio_policy out where one axis is counted from the end and another is not',
        when=lambda finding: finding['kind'] == 'differs' and bool({'not_larger', 'not_smaller'} & set(finding['texts'])),
    ),
    Row(
        'Resize',
        'with antialias, ONNX Runtime leaves an axis that keeps its size as it is, whatever the scale',
        when=lambda finding: finding['kind'] == 'differs' and 'antialias' in finding['flags'],
    ),
    Row(
        'MaxPool',
        'a window of nothing but padding is -Infinity; ONNX Runtime and the evaluator give the lowest float, which is what the '
        'next function takes',
        when=lambda finding: finding['kind'] == 'differs'
        and len(finding['operators']) > 1
        and any(text in finding['text'].split(' instead')[0] for text in ('nan', 'inf')),
    ),
    Row(
        'LayerNormalization SkipLayerNormalization EmbedLayerNormalization',
        'a normalized value is rounded to float32; a large scale multiplies that, and a bias cancels the rest',
        when=of_largest(2**-22),
    ),
    Row(
        'Resize',
        'what infinities make of weights that are 0 depends on which are left out',
        when=special,
    ),
    Row(
        'MatMul Gemm FusedMatMul FusedGemm DynamicQuantizeMatMul MatMulIntegerToFloat QAttention MatMulNBits DequantizeLinear',
        'ONNX Runtime rewrites a product with dequantized constants as MatMulNBits of accuracy level 4, which quantizes the '
        'other factor to 8 bits (session.qdq_matmulnbits_accuracy_level; our backend asks for the exact one)',
        paths=('export',),
        when=within(2**18),
    ),
    Row(
        'QAttention',
        'the same of its scores, whose softmax makes large what that rounds',
        paths=('export',),
    ),
    Row(
        'DynamicQuantizeMatMul MatMulIntegerToFloat QAttention',
        'ONNX Runtime adds integers, we what they are dequantized to, in float32, where sums cancel',
        when=within(512),
    ),
    Row(
        'InstanceNormalization BatchNormalization',
        'ONNX Runtime computes x * s + (b - mean * s) with s = scale / deviation, which cancels',
        when=within(4096),
    ),
    Row(
        'InstanceNormalization BatchNormalization LayerNormalization GroupNormalization SkipLayerNormalization',
        'what infinite scales make of a 0 depends on the order of operations',
        when=special,
    ),
    Row(
        'MeanVarianceNormalization',
        'ONNX Runtime and the evaluator compute the variance as E(x * x) - E(x) * E(x), which cancels; its root may be NaN',
    ),
    Row(
        'Conv ConvTranspose DeformConv FusedConv NhwcConv Col2Im AveragePool LpPool',
        'padding adds nothing in WebNN (docs/reference/specification_notes.md); ONNX Runtime multiplies its zeros by infinite weights',
        when=special,
    ),
    Row(
        'Adam',
        'the evaluator computes 1 - beta^t in float32, where it cancels; we in double',
        when=within(16),
    ),
    Row(
        'MaxPool GlobalMaxPool ReduceMax ReduceMin ArgMax ArgMin TopK Hardmax Max Min Clip Relu',
        'ONNX does not say how NaN compares; ONNX Runtime drops it in some kernels and not in others, WebNN lets it through',
        when=special,
    ),
    Row(
        'ScatterND ScatterElements',
        'the same, of the reductions min and max',
        when=lambda finding: special(finding) and bool({'min', 'max'} & set(finding['texts'])),
    ),
    Row(
        'PRelu',
        'WebNN defines prelu as max(0, x) + slope * min(0, x), which is NaN for an infinite slope',
        when=special,
    ),
    Row(
        'LpNormalization LpPool GlobalLpPool ReduceL2 GlobalAveragePool AveragePool',
        'ONNX Runtime adds powers in float32, which overflow where the result does not',
        when=special,
    ),
    Row(
        'Gemm',
        'ONNX Runtime ignores C where beta is 0; ONNX and WebNN multiply it, so that NaN stays NaN',
        when=special,
    ),
    Row(
        'Loop',
        'the evaluator takes a condition that is absent for false, and runs no iteration',
        when=lambda finding: finding['kind'] == 'differs' and finding['by'] == 'onnx',
    ),
    Row(
        'QLinearSoftmax',
        'ONNX Runtime does not saturate: the probability 1 with the scale 1/256 is 256, which becomes 0 instead of 255',
    ),
    Row(
        'QLinearAdd QLinearMul QLinearAveragePool QLinearGlobalAveragePool QLinearReduceMean QLinearSigmoid QLinearLeakyRelu '
        'QLinearWhere QLinearConcat QGemm QLinearConv QLinearMatMul',
        'ties: ONNX Runtime adds the zero point before it rounds, or multiplies by a rounded quotient of scales; what these '
        'operators do then is not specified',
        when=within(1),
    ),
    Row(
        'QLinearAdd QLinearMul QLinearAveragePool QLinearGlobalAveragePool QLinearReduceMean QLinearSigmoid QLinearLeakyRelu '
        'QLinearWhere QLinearConcat QGemm QLinearConv QLinearMatMul',
        'a unit of these (see there) is several of what is quantized with a smaller scale, or another bit pattern or index',
        when=lambda finding: finding['kind'] == 'differs' and len(finding['operators']) > 1,
    ),
    Row(
        'LpNormalization LpPool GlobalLpPool ReduceL2',
        'ONNX Runtime adds squares in float32, which underflow where their root does not',
        when=tiny,
    ),
    Row(
        'Conv NhwcConv ConvTranspose FusedConv MatMul FusedMatMul FusedMatMulActivation Gemm Resize Upsample DFT STFT RoiAlign '
        'BlackmanWindow HammingWindow HannWindow',
        'sums are rounded otherwise, before a function that is steep or jumps',
        when=steep,
    ),
    Row(
        'Sinh Cosh Exp',
        'a large number is rounded otherwise by a unit, before a function that turns',
        when=lambda finding: within(2**14)(finding) and bool({'Cos', 'Sin'} & set(finding['operators'])),
    ),
    Row(
        'InstanceNormalization',
        'the only element of a channel less its mean is 0, or what rounding leaves of it, which a small variance makes large',
        when=lambda finding: finding['kind'] == 'differs' and 'RoiAlign' in finding['operators'],
    ),
    Row(
        'BiasSplitGelu BiasGelu FastGelu Gelu QuickGelu Sigmoid',
        "gelu and sigmoid of large negative numbers: ONNX Runtime's are off by what is left of 1 - 1, or by some 1e-5 of the result "
        '(1 / sigmoid(-5.957) is 387.449, not 387.447); then a function that is steep or jumps',
        when=steep,
    ),
    Row(
        'GRU LSTM RNN',
        "ONNX Runtime's sigmoid of large negative numbers is off by some 1e-9, which a large state multiplies (in float64 the "
        'results are ours)',
        when=of_largest(2e-9),
    ),
    Row(
        'Sinh Sin Tan Tanh Asinh Atanh Asin Atan',
        "ONNX Runtime's functions lose digits of denormal numbers",
        paths=THROUGH_ONNXRUNTIME,
        when=denormal,
    ),
)


def explanation_of(finding):
    """Returns the reason of the first row that matches `finding`, or None."""
    for row in ROWS:
        names = set(row.operators.split())
        if finding['path'] in row.paths and (not names or names & set(finding['operators'])) and row.when(finding):
            return row.reason
    return None


def load_unsupported():
    """Returns the set of (operator, reason) that unsupported.tsv lists."""
    if not UNSUPPORTED.exists():
        return set()
    lines = UNSUPPORTED.read_text().splitlines()
    return {tuple(line.split('\t')) for line in lines if line and not line.startswith('#')}


def save_unsupported(kinds):
    head = (
        '# What the import refuses of random models: the operator, a tab, and why. "…", […] and # stand for names, lists and\n'
        '# numbers. Written by random_models_test.py with --write-unsupported. ONNX does not say how erf of integers is rounded,\n'
        '# and ONNX Runtime lacks it; WebNN interpolates floats, and float32 does not hold all int32; WebNN has no empty tensors.\n'
    )
    UNSUPPORTED.write_text(head + ''.join(f'{operator}\t{reason}\n' for operator, reason in sorted(kinds)))
