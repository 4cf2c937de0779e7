"""Dependencies between the folders of src/ point one way: in includes, and in definitions (what a folder's headers declare is
defined in that folder or a lower one).

usage: layers_test.py [BUILD]   (definitions are checked with the object files of BUILD)
"""

import collections
import pathlib
import re
import subprocess
import sys

# Each folder, and folders inside of it that are not named, may use itself and those before it.
ORDER = """
base ops graph service reference
cpu/runtime cpu/simd cpu/ir cpu/elements cpu/gemm cpu/conv cpu/ops cpu/compile/passes cpu/compile cpu
onnx onnx/write coreml coreml/executor onnxruntime openvino service/client context builder onnx/read
formats/document formats/npy formats/text formats/json formats/dot formats/svg formats/manifest formats/safetensors formats/code formats/capnp formats
service/worker service/broker random describe measure capi cli
""".split()
ROOT = pathlib.Path(__file__).resolve().parents[2]


def folder_of(path):
    """The folder of ORDER that a path below src/ lies in; None for one that ORDER does not name."""
    parts = pathlib.PurePosixPath(path).parts[:-1]
    names = ['/'.join(parts[:count]) for count in range(len(parts), 0, -1)]
    return next((name for name in names if name in ORDER), None)


def is_upwards(user, used):
    return ORDER.index(used) > ORDER.index(user)


def wrong_includes():
    for path in sorted((ROOT / 'src').rglob('*.*')):
        if path.suffix not in ('.h', '.cpp', '.mm'):
            continue
        own = folder_of(path.relative_to(ROOT / 'src').as_posix())
        if own is None:
            yield f'{path.relative_to(ROOT)}: its folder is not in the list of this test'
            continue
        for included in re.findall(r'#include "([\w/]+/\w+\.h)"', path.read_text(encoding='utf-8')):
            used = folder_of(included)
            if used and is_upwards(own, used):
                yield f'{path.relative_to(ROOT)} includes {included}'
    for path in sorted((ROOT / 'include').rglob('*.h*')):
        for included in re.findall(r'#include [<"](\w+)/', path.read_text(encoding='utf-8')):
            if included != 'webnn':
                yield f'{path.relative_to(ROOT)} includes {included}/'
    for path in sorted((ROOT / 'bindings').rglob('*.*')):
        if path.suffix in ('.h', '.cpp'):
            for included in re.findall(r'#include "([\w/]+/\w+\.h)"', path.read_text(encoding='utf-8')):
                # The Python package brings the command line tool, which is all that a binding takes of it.
                allowed = ('cli/command.h', 'cli/bench_process.h', 'cli/view.h') if 'python' in path.parts else ()
                if folder_of(included) in ('cli', 'random', 'measure') and included not in allowed:
                    yield f'{path.relative_to(ROOT)} includes {included}'


def source_of(object_file, build):
    """src/CMakeFiles/webnn.dir/cpu/conv.cpp.o -> cpu/conv.cpp; of a unity build's unit, its first source, as all are of one folder"""
    if object_file.name.endswith('.cxx.o'):
        return re.search(r'#include ".*?/src/([^"]+)"', object_file.with_suffix('').read_text(encoding='utf-8'))[1]
    folder, name = re.fullmatch(r'src/((?:\w+/)*)CMakeFiles/\w+\.dir/(.+)\.o', object_file.relative_to(build).as_posix()).groups()
    return folder + name


def wrong_definitions(build):
    defined, used = {}, collections.defaultdict(set)
    for object_file in sorted([*(build / 'src').rglob('*.cpp.o'), *(build / 'src').rglob('unity_*.cxx.o')]):
        source = source_of(object_file, build)
        if folder_of(source) is None or not (ROOT / 'src' / source).exists():
            continue  # of another build, or of no folder
        for line in subprocess.run(['nm', object_file], capture_output=True, text=True, check=True).stdout.splitlines():
            *_, kind, symbol = line.split()
            if kind in 'TDRB':
                defined[symbol] = source
            elif kind == 'U':
                used[symbol].add(source)
    arrows = collections.defaultdict(set)
    for symbol, sources in used.items():
        for source in sources:
            if symbol in defined and is_upwards(folder_of(source), folder_of(defined[symbol])):
                arrows[source, defined[symbol]].add(symbol)
    for (source, definition), symbols in sorted(arrows.items()):
        yield f'src/{source} uses {sorted(symbols)[0]}, which src/{definition} defines'


def wrong_layout():
    """docs/layout.md lists the folders, from the lowest to the highest."""
    listed = re.findall(r'^\| `src/([\w/]+)/` \|', (ROOT / 'docs/layout.md').read_text(encoding='utf-8'), re.MULTILINE)
    if listed != ORDER:
        yield f'docs/layout.md lists {listed}, not {ORDER}'
    for name in ORDER:
        if not (ROOT / 'src' / name).is_dir():
            yield f'there is no folder src/{name}'


wrong = [*wrong_includes(), *wrong_layout()]
if len(sys.argv) > 1:
    wrong += wrong_definitions(pathlib.Path(sys.argv[1]).resolve())
print('\n'.join(wrong))
sys.exit(1 if wrong else 0)
