"""Checks that dependencies point one way: in includes, in definitions (a folder's headers declare only functions of that folder or
a lower one) and in the imports of Python and JavaScript.

usage: layers_test.py [BUILD]   (definitions are checked with the object files of BUILD)
"""

import collections
import graphlib
import pathlib
import posixpath
import re
import subprocess
import sys

# A folder may use itself and the folders before it. A folder that is not listed belongs to its parent.
ORDER = """
src/base src/ops src/graph src/service src/backends/reference
src/compiler/ir src/compiler/passes src/compiler/plan src/compiler/verify src/compiler
src/backends/cpu/runtime src/backends/cpu/simd src/backends/cpu/elements src/backends/cpu/gemm src/backends/cpu/conv src/backends/cpu/ops
src/backends/cpu/compile/passes src/backends/cpu/compile src/backends/cpu
src/onnx src/onnx/write src/coreml src/backends/coreml src/backends/onnxruntime src/backends/openvino src/backends/service
src/context src/builder src/onnx/read
src/formats/document src/formats/npy src/formats/text src/formats/json src/formats/dot src/formats/svg src/formats/manifest
src/formats/safetensors src/formats/code src/formats/capnp src/formats
src/capi tools/worker tools/broker tools/random tools/describe tools/measure tools/cli
""".split()
ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOTS = ('src', 'tools')


def folder_of(path):
    """Returns the folder of ORDER that contains a path such as src/cpu/conv.cpp, or None."""
    parts = pathlib.PurePosixPath(path).parts[:-1]
    names = ['/'.join(parts[:count]) for count in range(len(parts), 0, -1)]
    return next((name for name in names if name in ORDER), None)


def included_files(path):
    """Yields the repository's paths of the headers that a file includes by a path below src/ or tools/."""
    for included in re.findall(r'#include "([\w/]+/[\w-]+\.h)"', path.read_text(encoding='utf-8')):
        for root in ROOTS:
            if (ROOT / root / included).exists():
                yield f'{root}/{included}'


def is_upwards(user, used):
    return ORDER.index(used) > ORDER.index(user)


def wrong_includes():
    for path in sorted(path for root in ROOTS for path in (ROOT / root).rglob('*.*')):
        if path.suffix not in ('.h', '.cpp', '.mm'):
            continue
        own = folder_of(path.relative_to(ROOT).as_posix())
        if own is None:
            yield f'{path.relative_to(ROOT)}: its folder is not in the list of this test'
            continue
        for included in included_files(path):
            used = folder_of(included)
            if used and is_upwards(own, used):
                yield f'{path.relative_to(ROOT)} includes {included}'
    for path in sorted((ROOT / 'include').rglob('*.h*')):
        for included in re.findall(r'#include [<"](\w+)/', path.read_text(encoding='utf-8')):
            if included != 'webnn':
                yield f'{path.relative_to(ROOT)} includes {included}/'
    for path in sorted((ROOT / 'bindings').rglob('*.*')):
        if path.suffix in ('.h', '.cpp'):
            # The Python package contains the command line tool; a binding takes nothing else from it.
            allowed = ('tools/cli/command.h', 'tools/cli/bench/bench_process.h', 'tools/cli/view/view.h') if 'python' in path.parts else ()
            for included in included_files(path):
                if folder_of(included) in ('tools/cli', 'tools/random', 'tools/measure') and included not in allowed:
                    yield f'{path.relative_to(ROOT)} includes {included}'


def source_of(object_file, build):
    """src/CMakeFiles/webnn.dir/cpu/conv.cpp.o -> src/cpu/conv.cpp. For a unit of a unity build: its first source, since all are of one
    folder."""
    if object_file.name.endswith('.cxx.o'):
        return re.search(r'#include ".*?/((?:src|tools)/[^"]+)"', object_file.with_suffix('').read_text(encoding='utf-8'))[1]
    folder, name = re.fullmatch(r'((?:\w+/)*)CMakeFiles/\w+\.dir/(.+)\.o', object_file.relative_to(build).as_posix()).groups()
    return folder + name


def wrong_definitions(build):
    defined, used = {}, collections.defaultdict(set)
    objects = sorted(path for root in ROOTS for pattern in ('*.cpp.o', 'unity_*.cxx.o') for path in (build / root).rglob(pattern))
    for object_file in objects:
        source = source_of(object_file, build)
        if folder_of(source) is None or not (ROOT / source).exists():
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
        yield f'{source} uses {sorted(symbols)[0]}, which {definition} defines'


def wrong_imports(folders, names, resolve):
    """Yields the imports of other folders than `folders` allows, and one circle of imports. `folders` maps each folder to those it may
    import from, `names` matches an import in a source, and resolve(path, name) returns the imported path, or None for a package."""
    graph = {}
    for folder, allowed in folders.items():
        for path in sorted((ROOT / folder).glob('*.*js')):
            own = path.relative_to(ROOT).as_posix()
            found = [resolve(own, name) for name in names.findall(path.read_text(encoding='utf-8'))]
            graph[own] = [imported for imported in found if imported]
            for imported in graph[own]:
                if posixpath.dirname(imported) not in (folder, *allowed):
                    yield f'{own} imports {imported}'
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        yield f'imports in a circle: {" <- ".join(error.args[1])}'


def resolve_javascript(path, name):
    """Returns None for packages and JSON. A build copies bindings/js to bindings/node/lib/js."""
    if not re.fullmatch(r'\..*js', name):
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), name)).replace('bindings/node/lib/js/', 'bindings/js/')


def wrong_javascript():
    names = re.compile(r"""(?:\brequire\(|\bfrom |^import |\bimport\()'([^']+)'""", re.MULTILINE)
    yield from wrong_imports({'bindings/js': (), 'bindings/node/lib': ('bindings/js',), 'bindings/web/lib': ('bindings/js',)},
                             names, resolve_javascript)


def wrong_layout():
    """docs/reference/layout.md names every folder."""
    listed = set(re.findall(r'`((?:src|tools)/[\w/]+)/`', (ROOT / 'docs/reference/layout.md').read_text(encoding='utf-8')))
    if listed != set(ORDER):
        yield f'docs/reference/layout.md and this test differ in {sorted(listed ^ set(ORDER))}'
    for name in ORDER:
        if not (ROOT / name).is_dir():
            yield f'there is no folder {name}'


wrong = [*wrong_includes(), *wrong_javascript(), *wrong_layout()]
if len(sys.argv) > 1:
    wrong += wrong_definitions(pathlib.Path(sys.argv[1]).resolve())
print('\n'.join(wrong))
sys.exit(1 if wrong else 0)
