"""Generates tokens with a decoder whose cache grows by one entry at each step.

usage: decode.py [MODEL.onnx] [TOKEN...]
"""

import sys
from pathlib import Path

import webnn

path = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1] / "generation/decoder.onnx"
prompt = [int(token) for token in sys.argv[2:]] or [1, 2, 3]
decoder = webnn.Decoder(path)
for token in decoder.generate(prompt, max_tokens=8):
    print(token, end=" ")
print()
print("at random:", *decoder.generate([4], max_tokens=8, temperature=0.7, top_k=8, seed=1))
print(decoder.length, "tokens")
