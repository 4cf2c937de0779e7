"""Reads and writes weights as safetensors: the header's length, the header as JSON, the bytes. Weights are stored as float16."""

import json
from pathlib import Path
from typing import Any

import numpy as np

Weights = dict[str, np.ndarray[Any, Any]]


def load_weights(path: Path) -> tuple[Weights, str]:
    """Returns the arrays as float32, and the model's alphabet."""
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    characters = header.pop("__metadata__")["characters"]
    weights: Weights = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        weights[name] = np.frombuffer(content[start + begin : start + end], "<f2").reshape(entry["shape"]).astype(np.float32)
    return weights, characters


def save_weights(weights: Weights, characters: str, path: Path) -> None:
    """Writes a file that load_weights() reads."""
    header: dict[str, Any] = {"__metadata__": {"characters": characters}}
    data = b""
    for name, array in weights.items():
        part = array.astype("<f2").tobytes()
        header[name] = {"dtype": "F16", "shape": array.shape, "data_offsets": [len(data), len(data) + len(part)]}
        data += part
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
