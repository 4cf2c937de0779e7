"""Implements, for the evaluator, com.microsoft operators that ONNX Runtime documents but its CPU provider lacks."""

import math

import numpy as np
from onnx.reference.op_run import OpRun
from onnx.reference.ops.op_conv import _conv_implementation

DOMAIN = 'com.microsoft'


def gelu(x):
    erf = np.vectorize(math.erf, otypes=[np.float64])
    return x * 0.5 * (1 + erf(x.astype(np.float64) / math.sqrt(2)))


class BiasAdd(OpRun):
    op_domain = DOMAIN

    def _run(self, x, bias, skip):
        return (x + bias + skip,)


class BiasSplitGelu(OpRun):
    op_domain = DOMAIN

    def _run(self, x, bias):
        left, right = np.split(x + bias, 2, axis=-1)
        return ((left * gelu(right)).astype(x.dtype),)


class FusedMatMulActivation(OpRun):
    op_domain = DOMAIN

    def _run(self, a, b, activation=None):
        functions = {'Relu': lambda x: np.maximum(x, 0), 'Tanh': np.tanh, 'Sigmoid': lambda x: 1 / (1 + np.exp(-x))}
        return (functions[activation](np.matmul(a, b)).astype(a.dtype),)


class NhwcConv(OpRun):
    op_domain = DOMAIN

    def _run(self, x, w, b=None, auto_pad=None, dilations=None, group=None, pads=None, strides=None):
        first, filters = np.moveaxis(x, -1, 1), np.moveaxis(w, -1, 1)
        kernel = filters.shape[2:]
        result = _conv_implementation(
            first, filters, b, auto_pad or 'NOTSET', dilations or [1, 1], group or 1, kernel, pads or [0] * 4, strides or [1, 1]
        )
        return (np.moveaxis(result, 1, -1).astype(x.dtype),)


class QLinearReduceMean(OpRun):
    op_domain = DOMAIN

    def _run(self, x, scale, zero, y_scale, y_zero, axes=None, keepdims=1):
        mean = ((x.astype(np.float64) - zero) * scale).mean(axis=tuple(axes), keepdims=bool(keepdims))
        info = np.iinfo(x.dtype)
        return (np.clip(np.rint(mean / y_scale) + y_zero, info.min, info.max).astype(x.dtype),)


OPERATORS = [BiasAdd, BiasSplitGelu, FusedMatMulActivation, NhwcConv, QLinearReduceMean]
