"""`python -m webnn.onnxruntime`: runs a program of ONNX Runtime on webnn."""

import runpy
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from webnn._install import install_as_onnxruntime

USAGE = """\
usage: python -m webnn.onnxruntime PROGRAM.py [ARGUMENTS]
       python -m webnn.onnxruntime -m MODULE [ARGUMENTS]
       python -m webnn.onnxruntime -c CODE [ARGUMENTS]
Runs a Python program, in which `import onnxruntime` gives webnn."""


def main() -> int:
    """Runs the program that the arguments of this process name. Returns the exit status."""
    arguments = sys.argv[1:]
    if arguments[:1] in (["-h"], ["--help"]):
        print(USAGE)
        return 0
    if not arguments or (arguments[0].startswith("-") and (arguments[0] not in ("-m", "-c") or len(arguments) == 1)):
        print(USAGE, file=sys.stderr)
        return 2
    if arguments[0] == "-m":
        install_as_onnxruntime()
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return 0
    if not sys.flags.safe_path:
        sys.path[0] = "" if arguments[0] == "-c" else str(Path(arguments[0]).resolve().parent)  # as Python does for such a program
    install_as_onnxruntime()
    if arguments[0] == "-c":
        sys.argv = ["-c", *arguments[2:]]
        _run(arguments[1], "<string>")
    elif Path(arguments[0]).is_dir():
        sys.argv = arguments
        runpy.run_path(arguments[0], run_name="__main__")
    else:
        sys.argv = arguments
        try:
            source = Path(arguments[0]).read_bytes()
        except OSError as error:
            print(f"{sys.executable}: can't open file {arguments[0]!r}: {error}", file=sys.stderr)
            return 2
        _run(source, arguments[0], __file__=arguments[0])
    return 0


def _run(source: str | bytes, name: str, **attributes: Any) -> None:
    """Runs a program in a new module __main__, which stays, because threads and pickle use it after the last line."""
    module = ModuleType("__main__")
    vars(module).update(attributes, __builtins__=__builtins__)
    sys.modules["__main__"] = module
    exec(compile(source, name, "exec"), vars(module))


if __name__ == "__main__":
    sys.exit(main())
