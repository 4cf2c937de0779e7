"""`python -m webnn.onnxruntime`: runs a program of ONNX Runtime on webnn."""

import os
import pkgutil
import runpy
import sys
from importlib.machinery import SourceFileLoader, SourcelessFileLoader
from types import ModuleType
from typing import Any

from webnn._install import install_as_onnxruntime

USAGE = """\
usage: python -m webnn.onnxruntime PROGRAM.py [ARGUMENTS]
       python -m webnn.onnxruntime -m MODULE [ARGUMENTS]
       python -m webnn.onnxruntime -c CODE [ARGUMENTS]
       python -m webnn.onnxruntime - [ARGUMENTS]
Runs a Python program, in which `import onnxruntime` gives webnn. - is a program on standard input."""


def main() -> int:
    """Runs the program that the arguments of this process name. Returns the exit status."""
    arguments = sys.argv[1:]
    if arguments[:1] in (["-h"], ["--help"]):
        print(USAGE)
        return 0
    if not arguments or (arguments[0].startswith("-") and (arguments[0] not in ("-m", "-c", "-") or arguments in (["-m"], ["-c"]))):
        print(USAGE, file=sys.stderr)
        return 2
    kind = arguments[0]
    if kind == "-m":
        sys.argv = arguments[1:]
        _install(sys.path[0])
        _main_module()
        runpy._run_module_as_main(arguments[1])  # type: ignore[attr-defined]  # `python -m` calls it; run_module() unloads __main__
    elif kind == "-c":
        sys.argv = ["-c", *arguments[2:]]
        _install("")
        _run(arguments[1], "<string>")
    elif kind == "-":
        sys.argv = arguments
        _install("")
        _run(sys.stdin.read(), "<stdin>")
    elif os.path.isdir(kind) or _is_zip(kind):
        sys.argv = arguments
        _install(os.path.abspath(kind))
        _main_module()
        runpy._run_module_as_main("__main__", alter_argv=False)  # type: ignore[attr-defined]
    else:
        sys.argv = arguments
        return _run_file(kind)
    return 0


def _install(place: str) -> None:
    """Installs our modules, and puts `place` first on the module search path, as Python does for the program."""
    before = sys.path[:]
    install_as_onnxruntime()
    added = [entry for entry in sys.path if entry not in before]
    sys.path[:] = [*before, *added] if sys.flags.safe_path else [place, *added, *before[1:]]


def _main_module(**attributes: Any) -> dict[str, Any]:
    """Replaces the module __main__. The new one stays, because threads and pickle use it after the last line of the program."""
    module = ModuleType("__main__")
    vars(module).update(attributes, __builtins__=__builtins__, __annotations__={})
    sys.modules["__main__"] = module
    return vars(module)


def _run(code: Any, name: str, **attributes: Any) -> None:
    exec(compile(code, name, "exec") if isinstance(code, (str, bytes)) else code, _main_module(**attributes))


def _is_zip(name: str) -> bool:
    if name.endswith(".py") or not os.path.isfile(name):
        return False
    import zipfile  # noqa: PLC0415  # few programs are archives

    return zipfile.is_zipfile(name)


def _run_file(name: str) -> int:
    path = os.path.abspath(name)
    try:
        with open(name, "rb") as file:
            code = pkgutil.read_code(file)  # None: not compiled
            file.seek(0)
            source = b"" if code else file.read()
    except OSError as error:
        print(f"{sys.executable}: can't open file {name!r}: {error}", file=sys.stderr)
        return 2
    _install(os.path.dirname(os.path.realpath(name)))
    loader = (SourcelessFileLoader if code else SourceFileLoader)("__main__", path)
    _run(code or source, path, __file__=path, __cached__=None, __loader__=loader)
    return 0


if __name__ == "__main__":
    sys.exit(main())
