"""Implements, for the evaluator, com.microsoft operators that ONNX Runtime documents but its CPU provider lacks or computes wrongly."""

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


class QLinearConv(OpRun):
    """On x86 without VNNI, ONNX Runtime saturates sums of two products of bytes to 16 bits."""

    op_domain = DOMAIN

    def _run(self, x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, b=None, channels_last=0, **given):
        image = np.moveaxis(x, -1, 1) if channels_last else x
        kernel = w.shape[2:]
        window = dict(auto_pad='NOTSET', dilations=[1, 1], group=1, kernel_shape=kernel, pads=[0] * 4, strides=[1, 1])
        window |= {name: value for name, value in given.items() if value is not None}
        filters = w.astype(np.float64) - w_zero.reshape(-1, *[1] * (w.ndim - 1))
        bias = None if b is None else b.astype(np.float64)
        sums = _conv_implementation(image.astype(np.float64) - x_zero, filters, bias, **window)
        scale = (np.float64(x_scale) * w_scale / y_scale).reshape(-1, *[1] * len(kernel))
        codes = np.clip(np.rint(sums * scale) + y_zero, 0, 255).astype(np.uint8)
        return (np.moveaxis(codes, 1, -1) if channels_last else codes,)


class QLinearReduceMean(OpRun):
    op_domain = DOMAIN

    def _run(self, x, scale, zero, y_scale, y_zero, axes=None, keepdims=1):
        mean = ((x.astype(np.float64) - zero) * scale).mean(axis=tuple(axes), keepdims=bool(keepdims))
        info = np.iinfo(x.dtype)
        return (np.clip(np.rint(mean / y_scale) + y_zero, info.min, info.max).astype(x.dtype),)


OPERATORS = [BiasAdd, BiasSplitGelu, FusedMatMulActivation, NhwcConv, QLinearConv, QLinearReduceMean]
