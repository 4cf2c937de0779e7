"""Checks that dependencies point one way: in includes, in object files (which use only functions and variables of their own folder
or of folders before it in ORDER), and in the imports of Python and JavaScript. Also checks that
docs/reference/layout.md names these folders.

usage: layers_test.py [BUILD]   (the object files are those of BUILD)
"""

import ast
import collections
import graphlib
import pathlib
import posixpath
import re
import subprocess
import sys

# A directory may use itself and the directories before it. A directory that is not listed belongs to its parent.
ORDER = """
src/base src/ops src/graph src/service src/backends/reference
src/compiler/ir src/compiler/passes src/compiler/plan src/compiler/verify src/compiler
src/backends/cpu/runtime src/backends/cpu/simd src/backends/cpu/elements src/backends/cpu/gemm src/backends/cpu/conv src/backends/cpu/ops
src/backends/cpu/compile/passes src/backends/cpu/compile src/backends/cpu
src/onnx src/onnx/write src/coreml src/backends/coreml src/backends/onnxruntime src/backends/openvino src/backends/webgpu src/backends/service
src/context src/builder src/onnx/read src/onnx/program
src/formats/document src/formats/npy src/formats/text src/formats/json src/formats/dot src/formats/svg src/formats/manifest
src/formats/safetensors src/formats/code src/formats/capnp src/formats
src/capi tools/worker tools/broker tools/random tools/describe tools/measure tools/cli
""".split()
ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOTS = ('src', 'tools')


def folder_of(path):
    """Returns the folder of ORDER that contains a path such as src/base/budget.cpp, or None."""
    parts = pathlib.PurePosixPath(path).parts[:-1]
    names = ['/'.join(parts[:count]) for count in range(len(parts), 0, -1)]
    return next((name for name in names if name in ORDER), None)


def included_files(path):
    """Yields the headers below src/ and tools/ that a file includes, as paths in the repository."""
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
        # GCC links such a call by chance: to the copy of fmt that it inlined in src/base/format.cpp. Clang does not.
        if not path.stem.startswith('format') and re.search(r'\bfmt::v?(format|format_to|print|to_string|join)\(', path.read_text()):
            yield f'{path.relative_to(ROOT)}: calls fmt, which only src/base/format.cpp compiles; call formatText()'
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
            # The Python package contains the command line tool, so it may include these headers of the tool. No binding may
            # include other headers of tools/cli, tools/random or tools/measure.
            allowed = ('tools/cli/command.h', 'tools/cli/bench/bench_process.h', 'tools/cli/view/view.h') if 'python' in path.parts else ()
            for included in included_files(path):
                if folder_of(included) in ('tools/cli', 'tools/random', 'tools/measure') and included not in allowed:
                    yield f'{path.relative_to(ROOT)} includes {included}'


def source_of(object_file, build):
    """Returns the source of an object file: src/CMakeFiles/webnn.dir/base/budget.cpp.o -> src/base/budget.cpp. For a unit of a
    unity build, the unit's first source, because all its sources are in one folder."""
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
            continue  # an object file of another build, or a source outside of the directories
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


def wrong_imports(folders, sources, imports):
    """Yields a message for each import that `folders` does not allow, for each file whose folder is not in `folders`, and for one
    cycle of imports if there is any. `folders` maps each folder to the folders that it may import from, `sources` maps paths to
    texts, and imports(path, text) returns the imported paths."""
    graph = {own: list(imports(own, text)) for own, text in sources.items()}
    for own, found in graph.items():
        folder = posixpath.dirname(own)
        if folder not in folders:
            yield f'{own}: its folder is not in the list of this test'
            continue
        for imported in found:
            if posixpath.dirname(imported) not in (folder, *folders[folder]):
                yield f'{own} imports {imported}'
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        yield f'imports in a circle: {" <- ".join(error.args[1])}'


def sources_of(folders, pattern):
    paths = [path for folder in folders for path in sorted((ROOT / folder).glob(pattern))]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding='utf-8') for path in paths}


def javascript_imports(path, text):
    """Yields the imported JavaScript files; not packages and JSON. A build copies bindings/js to bindings/node/lib/js."""
    for name in re.findall(r"""(?:\brequire\(|\bfrom |^import |\bimport\()'([^']+)'""", text, re.MULTILINE):
        if re.fullmatch(r'\..*js', name):
            resolved = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
            yield resolved.replace('bindings/node/lib/js/', 'bindings/js/')


JAVASCRIPT = {'bindings/js': (), 'bindings/node/lib': ('bindings/js',), 'bindings/web/lib': ('bindings/js',)}
PACKAGE = 'bindings/python/src/webnn'
MODULE = f'{PACKAGE}/onnxruntime'
PYTHON = {PACKAGE: (), f'{PACKAGE}/ray': (PACKAGE,), MODULE: (PACKAGE, f'{MODULE}/capi'), f'{MODULE}/capi': (PACKAGE, MODULE),
          f'{MODULE}/_path/onnxruntime': (PACKAGE,)}


def python_imports(path, text):
    """Yields the package's files that a file imports, including imports in functions and imports for type checking only."""
    own = path.removeprefix(posixpath.dirname(PACKAGE) + '/').removesuffix('.py').split('/')
    for node in ast.walk(ast.parse(text)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = [*(own[:-node.level] if node.level else ()), *([node.module] if node.module else ())]
            names = ['.'.join([*module, alias.name]) for alias in node.names]
        for name in names:
            if name.split('.')[0] == 'webnn':
                yield from python_file(name)


def python_file(name):
    """Yields the file of the module `name`, or of the module that defines `name`. Yields nothing for the module in C++."""
    place = posixpath.join(posixpath.dirname(PACKAGE), name.replace('.', '/'))
    for file in (f'{place}.py', f'{place}/__init__.py', f'{posixpath.dirname(place)}.py', f'{posixpath.dirname(place)}/__init__.py'):
        if (ROOT / file).is_file():
            yield file
            return
        if (ROOT / file).with_suffix('.pyi').is_file():
            return


def wrong_scripts():
    yield from wrong_imports(JAVASCRIPT, sources_of(JAVASCRIPT, '*.*js'), javascript_imports)
    python = sources_of([PACKAGE], '**/*.py')
    yield from wrong_imports(PYTHON, python, python_imports)
    # Tests this test: it must find wrong imports.
    lower, ray = f'{PACKAGE}/_errors.py', f'{PACKAGE}/ray/_model.py'
    for path, line, expected in (
        (lower, 'from webnn._session import InferenceSession', 'imports in a circle'),
        (lower, 'def late():\n    from webnn import _session', 'imports in a circle'),
        (lower, 'if TYPE_CHECKING:\n    import webnn._session', 'imports in a circle'),
        (lower, 'from webnn import InferenceSession', 'imports in a circle'),
        (lower, 'from . import _session', 'imports in a circle'),
        (ray, 'from .. import InferenceSession\nfrom . import Model', 'imports in a circle'),
        (ray, 'from webnn.ray import Predictor', 'imports in a circle'),
        (lower, 'from webnn.ray._model import Model', f'{lower} imports {ray}'),
    ):
        changed = python | {path: f'{python[path]}\n{line}\n'}
        if not any(found.startswith(expected) for found in wrong_imports(PYTHON, changed, python_imports)):
            yield f'this test finds nothing wrong in {path} with {line!r}'


def wrong_layout():
    """Checks that docs/reference/layout.md names exactly the folders of ORDER, and that these exist."""
    listed = set(re.findall(r'`((?:src|tools)/[\w/]+)/`', (ROOT / 'docs/reference/layout.md').read_text(encoding='utf-8')))
    if listed != set(ORDER):
        yield f'docs/reference/layout.md and this test differ in {sorted(listed ^ set(ORDER))}'
    for name in ORDER:
        if not (ROOT / name).is_dir():
            yield f'there is no folder {name}'


wrong = [*wrong_includes(), *wrong_scripts(), *wrong_layout()]
if len(sys.argv) > 1:
    wrong += wrong_definitions(pathlib.Path(sys.argv[1]).resolve())
print('\n'.join(wrong))
sys.exit(1 if wrong else 0)
