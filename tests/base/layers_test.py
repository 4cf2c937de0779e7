"""Dependencies between the layers of src/ point one way: each layer may include only itself and those before it."""
import pathlib
import re
import sys

ORDER = ['base', 'ops', 'graph', 'reference', 'cpu', 'onnx', 'onnxruntime', 'context', 'random', 'formats', 'capi', 'cli']

root = pathlib.Path(__file__).resolve().parents[2]
wrong = []
for path in sorted((root / 'src').rglob('*.*')):
    if path.suffix not in ('.h', '.cpp'):
        continue
    layer = path.relative_to(root / 'src').parts[0]
    for included in re.findall(r'#include "(\w+)/', path.read_text(encoding='utf-8')):
        if included in ORDER and ORDER.index(included) > ORDER.index(layer):
            wrong.append(f'{path.relative_to(root)} includes {included}/')
for path in sorted((root / 'include').rglob('*.h*')):
    for included in re.findall(r'#include [<"](\w+)/', path.read_text(encoding='utf-8')):
        if included != 'webnn':
            wrong.append(f'{path.relative_to(root)} includes {included}/')
print('\n'.join(wrong))
sys.exit(1 if wrong else 0)
