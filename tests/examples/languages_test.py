"""Builds an example in another language, and compares its results for ten pictures with examples/digits/expected.json.

usage: languages_test.py go|csharp DIRECTORY_OF_LIBWEBNN_C WORK_DIRECTORY. Exit status 77: the compiler is not there.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[2]
language, library, work = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
work.mkdir(parents=True, exist_ok=True)
source = root / 'examples' / language
environment = os.environ | {'LD_LIBRARY_PATH': f'{library}:{os.environ.get("LD_LIBRARY_PATH", "")}'.rstrip(':')}


def require(*programs):
    for program in programs:
        if not shutil.which(program):
            print(f'skipped: {program} is not there')
            sys.exit(77)


if language == 'go':
    require('go', 'gcc')
    program = [work / 'digits']
    environment |= {
        'CGO_ENABLED': '1',
        'CGO_CFLAGS': f'-I{root / "include"}',
        'CGO_LDFLAGS': f'-L{library}',
        'GOCACHE': str(work / 'cache'),
        'GOFLAGS': '-mod=mod',
        'GOTOOLCHAIN': 'local',
    }
    builds = [['go', 'vet', '.'], ['go', 'build', '-o', program[0], '.']]
else:
    require('mcs', 'mono')
    program = ['mono', work / 'Digits.exe']
    builds = [['mcs', '-unsafe', '-warnaserror', f'-out:{program[1]}', 'Digits.cs', 'Webnn.cs']]
for build in builds:
    subprocess.run(build, check=True, cwd=source, env=environment)

digits = root / 'examples/digits'
output = subprocess.run([*program, digits], check=True, env=environment, capture_output=True, text=True).stdout
found = re.findall(r'^(\S+): (\d) \(([0-9.]+) %\)$', output, re.MULTILINE)
expected = json.loads((digits / 'expected.json').read_text())
assert [name for name, _, _ in found] == list(expected), output
for name, digit, percent in found:
    assert digit == name[-5], f'{name}: {digit}'
    assert abs(float(percent) - 100 * expected[name][int(digit)]) < 0.0006, f'{name}: {percent}'  # printed with 3 decimals

# A failed call must give the whole message. A copy of the weights has a bias of 15 elements for 16 filters.
broken = work / 'broken'
shutil.copytree(digits, broken, dirs_exist_ok=True)
weights = (digits / 'digits.safetensors').read_bytes()
old, new = b'"shape":[16],"data_offsets":[576,640]', b'"shape":[15],"data_offsets":[576,636]'
assert old in weights
(broken / 'digits.safetensors').write_bytes(weights.replace(old, new))
failed = subprocess.run([*program, broken], check=False, env=environment, capture_output=True, text=True)
assert failed.returncode != 0, failed.stdout
assert 'conv2d' in failed.stderr and '[15]' in failed.stderr and '[16]' in failed.stderr, failed.stderr
print(f'{len(found)} passed, 0 failed')
