"""Stands in for ONNX Runtime's module of the same name, which checks the installation and describes the package."""

from webnn.onnxruntime._environment import VERSION


def check_distro_info() -> None:
    """Does nothing: the package webnn was installed for this system."""


def get_package_name_and_version_info() -> tuple[str, str, str]:
    """Returns the package's name and version, and "" in place of the version of CUDA."""
    return "onnxruntime", VERSION, ""


def check_training_module() -> tuple[bool, str, str, str]:
    """Returns False, because training is not available, followed by the items of get_package_name_and_version_info()."""
    return False, *get_package_name_and_version_info()
