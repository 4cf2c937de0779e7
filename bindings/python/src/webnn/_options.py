"""ONNX Runtime's SessionOptions and RunOptions."""

from collections.abc import Callable
from enum import IntEnum
from typing import Any, ClassVar, TypeVar

from webnn._arguments import integer, must_be, text
from webnn._errors import ArgumentError, NotSupportedError
from webnn._webnn import Cancellation


class Choice(IntEnum):
    """A base class of enumerations, whose members print as their names."""

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


class GraphOptimizationLevel(Choice):
    """The level of graph optimization. In the CPU engine, ORT_DISABLE_ALL skips all optional passes, for debugging, and
    all other levels have the same effect. The backend onnxruntime passes the level to ONNX Runtime.

    >>> options = webnn.SessionOptions()
    >>> options.graph_optimization_level = webnn.GraphOptimizationLevel.ORT_DISABLE_ALL
    """

    ORT_DISABLE_ALL = 0
    ORT_ENABLE_BASIC = 1
    ORT_ENABLE_EXTENDED = 2
    ORT_ENABLE_LAYOUT = 3
    ORT_ENABLE_ALL = 99


class ExecutionMode(Choice):
    """Accepted without effect, for programs of ONNX Runtime. Steps of a graph run one after the other, each on one or several threads.

    >>> webnn.ExecutionMode.ORT_SEQUENTIAL.name
    'ORT_SEQUENTIAL'
    """

    ORT_SEQUENTIAL = 0
    ORT_PARALLEL = 1


class ExecutionOrder(Choice):
    """Accepted without effect, for programs of ONNX Runtime.

    >>> webnn.ExecutionOrder.DEFAULT.name
    'DEFAULT'
    """

    DEFAULT = 0
    PRIORITY_BASED = 1
    MEMORY_EFFICIENT = 2


_Options = TypeVar("_Options", bound="_Checked")


def _with_defaults(options: type[_Options]) -> type[_Options]:
    """Moves the class's attribute values to `_defaults`, which each object copies, and adds properties to read and set them."""
    own = {name: vars(options)[name] for name in options.__annotations__}
    options._defaults = {**options._defaults, **own}
    for name in own:
        setattr(options, name, property(_reader_of(name), _writer_of(name)))
    return options


def _reader_of(name: str) -> Callable[["_Checked"], Any]:
    return lambda options: vars(options)[name]


def _writer_of(name: str) -> Callable[["_Checked", Any], None]:
    return lambda options, value: options.__setattr__(name, value)


class _Checked:
    """A base class of options that refuses unknown attributes and values of a wrong type. It also stores string entries by key."""

    _defaults: ClassVar[dict[str, Any]] = {}

    def __init__(self) -> None:
        vars(self).update(self._defaults, _entries={})

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._defaults:
            names = ", ".join(self._defaults)
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}; it has {names}.")
        what, default = f"{type(self).__name__}: {name}", self._defaults[name]
        if isinstance(default, bool):
            if not isinstance(value, bool):
                raise must_be(what, "a bool", value)
        elif isinstance(default, IntEnum):
            try:
                value = type(default)(value)
            except ValueError as error:
                known = ", ".join(str(member) for member in type(default))
                raise ArgumentError(f"{what} ({value!r}) is not one of {known}.") from error
        elif isinstance(default, int):
            value = integer(value, what, -1 if default < 0 or name.startswith("log_") else 0)
        else:
            value = text(value, what)
        vars(self)[name] = value

    def _add(self, key: str, value: str) -> None:
        what = type(self).__name__
        vars(self)["_entries"][text(key, f"{what}: a key")] = text(value, f"{what}: the value of {key!r}")

    def _get(self, key: str) -> str:
        entries: dict[str, str] = vars(self)["_entries"]
        if key not in entries:
            raise ArgumentError(f"{type(self).__name__}: there is no entry {key!r}.")
        return entries[key]

    def __repr__(self) -> str:
        changed = [f"{name}={value!r}" for name, value in vars(self).items() if self._defaults.get(name, value) != value]
        return f"{type(self).__name__}({', '.join(changed)})"


@_with_defaults
class SessionOptions(_Checked):
    """The options of a session. Setting an unknown attribute is an AttributeError.

    intra_op_num_threads: the maximum number of threads; 0: as many as the process may use.
    graph_optimization_level: see GraphOptimizationLevel.
    enable_profiling, profile_file_prefix: each run is measured, and end_profiling() writes a Chrome trace.
    add_free_dimension_override_by_name(name, size) does the same as dimensions={name: size} of InferenceSession.
    optimized_model_filepath: an error; use session.graph.save().
    add_free_dimension_override_by_denotation(), add_initializer() and register_custom_ops_library() raise NotSupportedError.
    All other options have no effect: the library writes no log, plans its memory, and is deterministic.

    >>> options = webnn.SessionOptions()
    >>> options.intra_op_num_threads = 1
    >>> options
    SessionOptions(intra_op_num_threads=1)
    """

    intra_op_num_threads: int = 0
    inter_op_num_threads: int = 0
    log_severity_level: int = -1
    log_verbosity_level: int = 0
    logid: str = ""
    enable_profiling: bool = False
    profile_file_prefix: str = "webnn_profile_"
    graph_optimization_level: GraphOptimizationLevel = GraphOptimizationLevel.ORT_ENABLE_ALL
    execution_mode: ExecutionMode = ExecutionMode.ORT_SEQUENTIAL
    execution_order: ExecutionOrder = ExecutionOrder.DEFAULT
    enable_cpu_mem_arena: bool = True
    enable_mem_pattern: bool = True
    enable_mem_reuse: bool = True
    use_deterministic_compute: bool = False
    use_per_session_threads: bool = True
    optimized_model_filepath: str = ""

    def __init__(self) -> None:
        super().__init__()
        vars(self)["_dimensions"] = {}

    def add_session_config_entry(self, key: str, value: str) -> None:
        """Stores an entry, which has no effect here.

        >>> options = webnn.SessionOptions()
        >>> options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        """
        self._add(key, value)

    def get_session_config_entry(self, key: str) -> str:
        """Returns the value that add_session_config_entry() has set for `key`.

        >>> options = webnn.SessionOptions()
        >>> options.add_session_config_entry("key", "value")
        >>> options.get_session_config_entry("key")
        'value'
        """
        return self._get(key)

    def add_free_dimension_override_by_name(self, dim_name: str, dim_value: int) -> None:
        """Sets the size of an open dimension.

        >>> options = webnn.SessionOptions()
        >>> options.add_free_dimension_override_by_name("batch", 1)
        """
        vars(self)["_dimensions"][text(dim_name, "SessionOptions: dim_name")] = integer(dim_value, "SessionOptions: dim_value", 0)

    def add_free_dimension_override_by_denotation(self, dim_denotation: str, dim_value: int) -> None:
        """Raises NotSupportedError: use add_free_dimension_override_by_name().

        >>> webnn.SessionOptions().add_free_dimension_override_by_denotation("DATA_BATCH", 1)
        Traceback (most recent call last):
        webnn._errors.NotSupportedError: SessionOptions: dimensions are fixed by name, not by denotation.
        """
        raise NotSupportedError("SessionOptions: dimensions are fixed by name, not by denotation.")

    def add_initializer(self, name: str, ortvalue: Any) -> None:
        """Raises NotSupportedError: webnn.onnxruntime has this function.

        >>> webnn.SessionOptions().add_initializer("w", None)
        Traceback (most recent call last):
        webnn._errors.NotSupportedError: SessionOptions: no initializer can be replaced ('w'). Use webnn.onnxruntime.
        """
        raise NotSupportedError(f"SessionOptions: no initializer can be replaced ({name!r}). Use webnn.onnxruntime.")

    def register_custom_ops_library(self, library_path: str) -> None:
        """Raises NotSupportedError: operators of other libraries cannot run here.

        >>> webnn.SessionOptions().register_custom_ops_library("ops.so")
        Traceback (most recent call last):
        webnn._errors.NotSupportedError: SessionOptions: operators of other libraries (ops.so) cannot run here.
        """
        raise NotSupportedError(f"SessionOptions: operators of other libraries ({library_path}) cannot run here.")


@_with_defaults
class RunOptions(_Checked):
    """The options of runs. `terminate = True` ends the runs with these options with an AbortError, from any thread.

    >>> options = webnn.RunOptions()
    >>> options.terminate = True
    >>> options.terminate
    True
    """

    log_severity_level: int = -1
    log_verbosity_level: int = 0
    logid: str = ""
    only_execute_path_to_fetches: bool = False
    terminate: bool = False

    def __init__(self) -> None:
        super().__init__()
        vars(self)["_cancellation"] = Cancellation()

    def __setattr__(self, name: str, value: Any) -> None:
        was_set = self.terminate
        super().__setattr__(name, value)
        if self.terminate:
            vars(self)["_cancellation"].request()
        elif was_set:
            vars(self)["_cancellation"] = Cancellation()

    def add_run_config_entry(self, key: str, value: str) -> None:
        """Stores an entry, which has no effect here.

        >>> webnn.RunOptions().add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
        """
        self._add(key, value)

    def get_run_config_entry(self, key: str) -> str:
        """Returns the value that add_run_config_entry() has set for `key`.

        >>> options = webnn.RunOptions()
        >>> options.add_run_config_entry("key", "value")
        >>> options.get_run_config_entry("key")
        'value'
        """
        return self._get(key)


def set_default_logger_severity(severity: int) -> None:
    """Checks the argument, without further effect: the library writes no log.

    >>> webnn.set_default_logger_severity(3)
    """
    integer(severity, "set_default_logger_severity: severity", 0, 4)


def set_default_logger_verbosity(verbosity: int) -> None:
    """Checks the argument, without further effect: the library writes no log.

    >>> webnn.set_default_logger_verbosity(0)
    """
    integer(verbosity, "set_default_logger_verbosity: verbosity", 0)
