"""The example `faces` finds every face of two photos, where ../shared/models is beside the repository.

faces_NAME.txt: what ONNX Runtime, NumPy and a non-maximum suppression of their own found there: score, left, top, right,
bottom. usage: faces_test.py PROGRAM
"""
import pathlib
import struct
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
models = here.parents[2] / 'shared/models/ultraface'
if not models.exists():
    print(f'skipped: {models} is not there')
    sys.exit(77)


def read(text):
    return [[float(number) for number in line.split()] for line in text.splitlines()]


def is_same(found, expected):
    return abs(found[0] - expected[0]) < 0.005 and all(abs(a - b) <= 1 for a, b in zip(found[1:], expected[1:]))


for photo in ('photo1', 'photo25'):
    expected = read((here / f'faces_{photo}.txt').read_text())
    with tempfile.TemporaryDirectory() as folder:
        picture = pathlib.Path(folder) / 'out.png'
        command = [sys.argv[1], models / 'version-RFB-320.onnx', models / f'{photo}.jpg', picture]
        found = read(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        width, height = struct.unpack('>II', picture.read_bytes()[16:24])
    assert (width, height) == {'photo1': (720, 478), 'photo25': (1024, 675)}[photo], (width, height)
    assert len(found) == len(expected), f'{photo}: {len(found)} faces instead of {len(expected)}'
    for face in expected:
        assert any(is_same(other, face) for other in found), f'{photo}: the face {face} is not found'
    print(f'{photo}: {len(found)} faces')
