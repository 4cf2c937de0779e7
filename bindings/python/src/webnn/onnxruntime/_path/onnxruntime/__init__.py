"""Stands in for the package onnxruntime: `import onnxruntime` gives webnn.onnxruntime."""

from webnn._install import replace_onnxruntime

replace_onnxruntime()
