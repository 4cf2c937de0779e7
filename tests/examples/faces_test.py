"""Checks that the example `faces` finds the clear faces of two photos, and no other clear faces. Needs ../shared/models.

faces_NAME.txt contains the expected faces, found by ONNX Runtime and a non-maximum suppression in NumPy: score, left, top, right,
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


def is_same(a, b):
    return abs(a[0] - b[0]) < 0.03 and all(abs(p - q) <= 2 for p, q in zip(a[1:], b[1:]))


def require_all(faces, others, what):
    """Asserts that each face with a score from 0.75 is in `others`. Less clear faces may be missing: JPEG decoders differ."""
    for face in faces:
        assert face[0] < 0.75 or any(is_same(face, other) for other in others), f'{what}: {face}'


for photo in ('photo1', 'photo25'):
    expected = read((here / f'faces_{photo}.txt').read_text())
    with tempfile.TemporaryDirectory() as folder:
        picture = pathlib.Path(folder) / 'out.png'
        command = [sys.argv[1], models / 'version-RFB-320.onnx', models / f'{photo}.jpg', picture]
        found = read(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        width, height = struct.unpack('>II', picture.read_bytes()[16:24])
    assert (width, height) == {'photo1': (720, 478), 'photo25': (1024, 675)}[photo], (width, height)
    require_all(expected, found, f'{photo}: not found')
    require_all(found, expected, f'{photo}: not a face')
    print(f'{photo}: {len(found)} faces')
