"""The generators of the operators. Importing this package fills registry.OPERATORS."""

from . import (  # noqa: F401
    contrib,
    contrib_attention,
    control,
    elementwise,
    gather,
    normalization,
    product,
    quantized,
    recurrent,
    reduction,
    resample,
    sequence,
    shape,
    window,
)
