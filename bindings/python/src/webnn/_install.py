"""install_as_onnxruntime(): makes `import onnxruntime` import webnn.onnxruntime."""

import importlib
import os
import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import TYPE_CHECKING, Any

from webnn._errors import InvalidStateError

if TYPE_CHECKING:
    from importlib.metadata import Distribution, DistributionFinder
    from pathlib import Path

_NAME = "onnxruntime"
_OURS = "webnn.onnxruntime"
_MODULES = (  # the modules of onnxruntime that webnn.onnxruntime replaces, without the name of the package
    "",
    ".capi",
    ".capi._ld_preload",
    ".capi._pybind_state",
    ".capi.build_and_package_info",
    ".capi.onnxruntime_inference_collection",
    ".capi.onnxruntime_pybind11_state",
    ".capi.onnxruntime_validation",
)
_TOOLS = ("backend", "datasets", "quantization", "tools", "transformers")  # packages that only the real onnxruntime has
_STAND_IN = os.path.join(os.path.dirname(__file__), "onnxruntime", "_path")


def _distribution() -> "Distribution":
    """Returns the metadata that importlib.metadata gives for onnxruntime if the real package is not installed."""
    from importlib.metadata import Distribution  # noqa: PLC0415  # takes longer to import than webnn's own modules
    from pathlib import Path  # noqa: PLC0415

    class _Distribution(Distribution):
        def read_text(self, filename: str) -> str | None:
            version = importlib.import_module(_OURS).__version__
            return f"Metadata-Version: 2.1\nName: {_NAME}\nVersion: {version}\n" if filename == "METADATA" else None

        def locate_file(self, path: Any) -> Path:
            return Path(_STAND_IN, path)

    return _Distribution()


class _LastFinder:
    """Finds subpackages of the real onnxruntime for webnn.onnxruntime. Raises an error for one of _TOOLS if the real package is
    not installed. Also finds the metadata of _distribution()."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        parent, _, name = fullname.partition(".")
        if parent != _NAME or not name:
            return None
        found = PathFinder.find_spec(fullname, [str(folder) for folder in real_packages()])
        if found is None and name in _TOOLS:
            raise ModuleNotFoundError(
                f"{fullname} belongs to the real package onnxruntime, which is not installed beside webnn: pip install onnxruntime",
                name=fullname,
            )
        return found

    def find_distributions(self, context: "DistributionFinder.Context") -> "Iterable[Distribution]":
        return [_distribution()] if context.name == _NAME else []


def install_as_onnxruntime() -> None:
    """Makes `import onnxruntime` import webnn.onnxruntime in this process, and in processes that multiprocessing starts.
    Subpackages that webnn.onnxruntime lacks, such as `onnxruntime.quantization`, come from the real onnxruntime, if it is installed.

    Raises InvalidStateError if the real onnxruntime is already imported.

    >>> webnn.install_as_onnxruntime()
    >>> import onnxruntime
    >>> onnxruntime.InferenceSession("examples/digits/digits.webnn").get_inputs()[0].name
    'image'
    """
    imported = sys.modules.get(_NAME)
    if imported is None:
        replace_onnxruntime()
    elif imported is not importlib.import_module(_OURS):
        place = getattr(imported, "__file__", None) or "another package"
        raise InvalidStateError(f"install_as_onnxruntime: onnxruntime ({place}) is already imported; call this before its import.")


def replace_onnxruntime() -> None:
    """Puts our modules into sys.modules under the names of onnxruntime."""
    for name in _MODULES:
        sys.modules[_NAME + name] = importlib.import_module(_OURS + name)
    importlib.import_module(f"{_OURS}._errors").show_as_onnxruntime()
    sys.path.insert(0, _STAND_IN)  # multiprocessing passes sys.path to the processes that it starts
    sys.meta_path.append(_LastFinder())


def real_packages() -> "list[Path]":
    """Returns the directories of the real onnxruntime on the module search path."""
    from pathlib import Path  # noqa: PLC0415  # takes longer to import than webnn's own modules

    folders = [(Path(entry) / _NAME).absolute() for entry in sys.path]
    return [folder for folder in folders if (folder / "quantization").is_dir()]
