"""The name and the version of the package."""

from webnn.onnxruntime._environment import VERSION as __version__

__all__ = ["__version__", "package_name"]
package_name = "onnxruntime"
