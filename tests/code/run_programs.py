"""Runs the programs of a folder with the package webnn, and saves each graph: run_programs.py FOLDER."""

import importlib.util
import sys
from pathlib import Path

import webnn

context = webnn.ML().create_context(backend="reference")
for path in sorted(Path(sys.argv[1]).glob("*.py")):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.build(context).save(path.with_suffix(".py.json"), weights="inline")
