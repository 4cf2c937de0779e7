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
    """Matches a difference in results if the model's values contain infinities, NaN or magnitudes of 1e18 and above."""
    return finding['kind'] == 'differs' and finding['special']


def tiny(finding):
    """Matches a difference in results if the model's values contain magnitudes below 1e-18, whose squares underflow in float32."""
    return finding['kind'] == 'differs' and finding['tiny']


def of_largest(part):
    """Matches if the model's largest magnitude exceeds 1e6, and no element is off by more than `part` times this magnitude."""
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
        'CDist',
        'the square of a distance is computed as a difference of larger squares, which cancel if points are near and coordinates large',
        when=of_largest(2.0**-10),
    ),
    Row(
        'ReduceProd',
        'the product is NaN if it overflows before it is multiplied by 0: ONNX does not define the order of multiplication',
        when=special,
    ),
    Row(
        'OneHot',
        'in operator sets 9 and 10, a negative index is out of range; the evaluator and ONNX Runtime count it from the end, as in '
        'later sets',
        when=lambda finding: finding['kind'] == 'differs' and finding['opset'] < 11,
    ),
    Row(
        'QuantizeLinear DequantizeLinear',
        'ONNX Runtime fuses an operator between DequantizeLinear and QuantizeLinear into an integer operator, whose rounding '
        'differs by one unit',
        paths=THROUGH_ONNXRUNTIME,
        when=within(1),
    ),
    Row(
        'BlackmanWindow HammingWindow HannWindow',
        'the formula for a window of one element divides 0 by 0; webnn returns the limit',
        when=special,
    ),
    Row(
        'Softmax LogSoftmax Gelu',
        'if ONNX Runtime has no float16 kernels for adjacent nodes, it keeps float32 between them, where fewer values overflow',
        when=lambda finding: special(finding) and 'float16' in finding['types'],
    ),
    Row(
        'DynamicQuantizeMatMul MatMulIntegerToFloat QAttention MatMulNBits',
        'the rounding difference of these operators (see their rows) becomes large after a steep or discontinuous function',
        paths=THROUGH_ONNXRUNTIME,
        when=steep,
    ),
    Row(
        'Cast',
        'Cast turns every number except 0 into true: ONNX Runtime gives 0 where our gelu or sigmoid is close to 0',
        paths=THROUGH_ONNXRUNTIME,
        when=lambda finding: finding['kind'] == 'differs' and 'bool' in finding['types'],
    ),
    Row(
        'ReduceLogSumExp ReduceLogSum',
        'of integers: the logarithm is so close to a whole number that rounding decides to which integer it is truncated',
        when=lambda finding: within(1)(finding) and bool({'int32', 'uint32', 'int64', 'uint64'} & set(finding['types'])),
    ),
    Row(
        'QuantizeLinear',
        'for a float16 infinity of either sign, ONNX Runtime gives the smallest integer; it saturates float32 infinities',
        when=lambda finding: special(finding) and 'float16' in finding['types'],
    ),
    Row(
        'Reciprocal',
        'in float16, a number near 0 is rounded differently before its reciprocal is taken',
        when=lambda finding: finding['kind'] == 'differs' and 'float16' in finding['types'] and len(finding['operators']) > 1,
    ),
    Row(
        'Softmax',
        'ONNX Runtime fuses DequantizeLinear, Softmax and QuantizeLinear into an integer operator whose probabilities are '
        'off by a hundredth: 0.5 becomes 0 instead of 1 with the scale 0.98855954; without optimizations, its results are ours',
        paths=THROUGH_ONNXRUNTIME,
        when=lambda finding: finding['kind'] == 'differs' and {'QuantizeLinear', 'DequantizeLinear'} <= set(finding['operators']),
    ),
    Row(
        'Dropout',
        'before operator set 12, the mask in inference is undefined; ONNX Runtime returns 0, webnn the mask of later sets',
        when=lambda finding: finding['kind'] == 'differs' and finding['opset'] < 12,
    ),
    Row(
        'Shrink',
        'ONNX Runtime computes integers in float32, which cannot hold all 64-bit integers; webnn computes them exactly',
        when=lambda finding: overflow(finding) or (finding['kind'] == 'differs' and bool({'int64', 'uint64'} & set(finding['types']))),
    ),
    Row(
        'Resize Upsample',
        'linear interpolation of integers: ONNX Runtime truncates; the evaluator and webnn round',
        when=lambda finding: within(1)(finding) and {'int8', 'uint8', 'int32'} & set(finding['types']),
    ),
    Row(
        'Resize',
        'align_corners with scales that give fractional sizes: the text of ONNX, and ONNX Runtime, use the output size; ONNX\'s '
        'tests and evaluator use the size before it is rounded down, and so does webnn for sizes that shrink',
        when=lambda finding: finding['kind'] == 'differs' and 'align_corners' in finding['texts'],
    ),
    Row(
        'Resize',
        'tf_crop_and_resize: ONNX Runtime ignores the region if no size changes and, in mode nearest, along each axis that keeps '
        'its size',
        when=lambda finding: finding['kind'] == 'differs'
        and 'tf_crop_and_resize' in finding['texts']
        and (finding['copied'] or not {'linear', 'cubic'} & set(finding['texts'])),
    ),
    Row(
        'Resize',
        'ONNX Runtime ignores keep_aspect_ratio_policy if one axis is negative and another is not',
        when=lambda finding: finding['kind'] == 'differs' and bool({'not_larger', 'not_smaller'} & set(finding['texts'])),
    ),
    Row(
        'Resize',
        'with antialias, ONNX Runtime copies an axis that keeps its size, whatever the scale',
        when=lambda finding: finding['kind'] == 'differs' and 'antialias' in finding['flags'],
    ),
    Row(
        'MaxPool',
        'a window that contains only padding gives -Infinity; ONNX Runtime and the evaluator give the lowest float, which the next '
        'operator then reads',
        when=lambda finding: finding['kind'] == 'differs'
        and len(finding['operators']) > 1
        and any(text in finding['text'].split(' instead')[0] for text in ('nan', 'inf')),
    ),
    Row(
        'LayerNormalization SkipLayerNormalization EmbedLayerNormalization',
        'a normalized value is rounded to float32; a large scale multiplies the rounding error, and the bias cancels the value',
        when=of_largest(2**-22),
    ),
    Row(
        'Resize',
        'an infinity times a weight of 0 is NaN, unless the implementation skips weights of 0',
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
        'MatMul FusedMatMul TransposeMatMul',
        'ONNX Runtime moves a scalar factor or divisor of an operand into alpha (MatMulScaleFusion): (x * -inf) @ w becomes '
        '-inf * (x @ w), which is not NaN',
        paths=THROUGH_ONNXRUNTIME,
        when=lambda finding: special(finding) and bool({'Mul', 'Div'} & set(finding['operators'])),
    ),
    Row(
        'QAttention',
        'its scores differ for the reason given above, and softmax amplifies the difference',
        paths=('export',),
    ),
    Row(
        'DynamicQuantizeMatMul MatMulIntegerToFloat QAttention',
        'ONNX Runtime adds integers; webnn adds the dequantized numbers in float32, where sums may cancel',
        when=within(512),
    ),
    Row(
        'InstanceNormalization BatchNormalization',
        'ONNX Runtime computes x * s + (b - mean * s) with s = scale / deviation, where the terms may cancel',
        when=within(4096),
    ),
    Row(
        'InstanceNormalization BatchNormalization LayerNormalization GroupNormalization SkipLayerNormalization',
        'whether a 0 is multiplied by an infinite scale, which gives NaN, depends on the order of operations',
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
        'the evaluator computes 1 - beta^t in float32, where the terms nearly cancel; webnn computes it in double',
        when=within(16),
    ),
    Row(
        'MaxPool GlobalMaxPool ReduceMax ReduceMin ArgMax ArgMin TopK Hardmax Max Min Clip Relu',
        'ONNX does not say how NaN compares; ONNX Runtime drops it in some kernels and not in others, WebNN lets it through',
        when=special,
    ),
    Row(
        'ScatterND ScatterElements',
        'the reductions min and max treat NaN differently, as in the row above',
        when=lambda finding: special(finding) and bool({'min', 'max'} & set(finding['texts'])),
    ),
    Row(
        'PRelu',
        'WebNN defines prelu as max(0, x) + slope * min(0, x), which is NaN for an infinite slope',
        when=special,
    ),
    Row(
        'LpNormalization LpPool GlobalLpPool ReduceL2 GlobalAveragePool AveragePool',
        'ONNX Runtime adds powers in float32, which may overflow although the result does not',
        when=special,
    ),
    Row(
        'Gemm',
        'if beta is 0, ONNX Runtime ignores C; ONNX and WebNN multiply it, so that NaN stays NaN',
        when=special,
    ),
    Row(
        'Loop',
        'the evaluator treats an absent condition as false, and runs no iteration',
        when=lambda finding: finding['kind'] == 'differs' and finding['by'] == 'onnx',
    ),
    Row(
        'QLinearSoftmax',
        'ONNX Runtime does not saturate: the probability 1 with the scale 1/256 is 256, which becomes 0 instead of 255',
    ),
    Row(
        'QLinearAdd QLinearMul QLinearAveragePool QLinearGlobalAveragePool QLinearReduceMean QLinearSigmoid QLinearLeakyRelu '
        'QLinearWhere QLinearConcat QGemm QLinearConv QLinearMatMul',
        'ties: ONNX Runtime adds the zero point before it rounds, or multiplies by a rounded quotient of scales; the '
        'rounding of these operators is not specified',
        when=within(1),
    ),
    Row(
        'QLinearAdd QLinearMul QLinearAveragePool QLinearGlobalAveragePool QLinearReduceMean QLinearSigmoid QLinearLeakyRelu '
        'QLinearWhere QLinearConcat QGemm QLinearConv QLinearMatMul',
        'a difference of one unit in these operators (see their rows) becomes several units of a smaller scale, or another bit '
        'pattern or index',
        when=lambda finding: finding['kind'] == 'differs' and len(finding['operators']) > 1,
    ),
    Row(
        'LpNormalization LpPool GlobalLpPool ReduceL2',
        'ONNX Runtime adds squares in float32, which may underflow although their root does not',
        when=tiny,
    ),
    Row(
        'Conv NhwcConv ConvTranspose FusedConv MatMul FusedMatMul FusedMatMulActivation Gemm Resize Upsample DFT STFT RoiAlign '
        'BlackmanWindow HammingWindow HannWindow',
        'sums are rounded differently before a steep or discontinuous function',
        when=steep,
    ),
    Row(
        'Sinh Cosh Exp',
        'a large number is rounded differently by one unit before a sine or cosine',
        when=lambda finding: within(2**14)(finding) and bool({'Cos', 'Sin'} & set(finding['operators'])),
    ),
    Row(
        'InstanceNormalization',
        'if a channel has one element, the element minus its mean is 0 or a rounding error, which a small variance makes large',
        when=lambda finding: finding['kind'] == 'differs' and 'RoiAlign' in finding['operators'],
    ),
    Row(
        'BiasSplitGelu BiasGelu FastGelu Gelu QuickGelu Sigmoid',
        "gelu and sigmoid of large negative numbers: ONNX Runtime's results are off by the rounding error of 1 - 1, or by about "
        '1e-5 of the result (1 / sigmoid(-5.957) is 387.449, not 387.447), before a steep or discontinuous function',
        when=steep,
    ),
    Row(
        'GRU LSTM RNN',
        "ONNX Runtime's sigmoid of large negative numbers is off by about 1e-9, which a large state multiplies (webnn's results "
        'equal those in float64)',
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
        '# Nodes of random models that the import refuses: the operator, a tab, the reason. "…", […] and # stand for names, lists and\n'
        '# numbers. Written by random_models_test.py with --write-unsupported. ONNX does not say how erf of integers is rounded,\n'
        '# and ONNX Runtime lacks it; WebNN interpolates floats, and float32 does not hold all int32; WebNN has no empty tensors.\n'
    )
    UNSUPPORTED.write_text(head + ''.join(f'{operator}\t{reason}\n' for operator, reason in sorted(kinds)))
