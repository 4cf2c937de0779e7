"""Checks that 8-bit matrix products of ONNX models have exact sums: on several contexts, and after graphs are saved and loaded.

usage: random_products_test.py COUNT [--seed SEED]

The models (random_quantized/products.py) have MatMulInteger, MatMulIntegerToFloat, DynamicQuantizeMatMul or the chain of a dynamically
quantized model. Integer results, and their casts to float32, must be equal to those of NumPy; other floats may differ by rounding.
Results must not depend on the number of threads. MatMulInteger with more than 65,536 products in a sum must be refused.
"""

import argparse
import functools
import pathlib
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import require, require_webnn  # noqa: E402

require('numpy', 'onnx')
require_webnn()
import numpy as np  # noqa: E402
import webnn  # noqa: E402
from random_quantized.products import ProductModel  # noqa: E402

# The settings of each context. The first three contexts differ only in the number of threads.
CONTEXTS = {
    'cpu': {'backend': 'cpu', 'threads': 1},
    'cpu, 2 threads': {'backend': 'cpu', 'threads': 2},
    'cpu, 5 threads': {'backend': 'cpu', 'threads': 5},
    'cpu, isa=sse4': {'backend': 'cpu', 'threads': 1, 'backend_options': {'isa': 'sse4'}},
    'cpu, isa=avx2': {'backend': 'cpu', 'threads': 1, 'backend_options': {'isa': 'avx2'}},
    'cpu, no fuseQuantized': {'backend': 'cpu', 'threads': 1, 'backend_options': {'disable': 'fuseQuantized'}},
    'cpu, no passes': {'backend': 'cpu', 'threads': 1, 'backend_options': {'disable': 'all'}},
    'reference': {'backend': 'reference'},
}
THREADS = [label for label in CONTEXTS if label == 'cpu' or 'threads' in label]
MOST_PRODUCTS = 65536  # maximum number of products in a sum of MatMulInteger
# float32 represents every sum of this many products of 8-bit integers. Without the 8-bit GEMM, larger sums that are cast to
# float32 may be rounded more than once.
MOST_EXACT = 258
SAVED_EVERY = 4  # one model in four is also saved, loaded and run


@functools.cache
def contexts():
    """Returns the contexts by label. Those with instruction sets that the processor lacks are left out."""
    made = {}
    for label, settings in CONTEXTS.items():
        try:
            made[label] = webnn.ML().create_context(**settings)
        except webnn.Error:
            if 'isa' not in label:
                raise
    return made


def problems_of(made, results, label):
    """Yields how the results of a context differ from the expected ones."""
    without_gemm = label in ('cpu, no fuseQuantized', 'cpu, no passes')
    rounded_sums = made.depth if without_gemm or not made.has_integer_product() else 0
    for (name, expected), actual in zip(made.expected.items(), results, strict=True):
        is_cast = expected.bound is None and expected.values.dtype == np.float32
        if without_gemm and is_cast and made.depth > MOST_EXACT:
            continue
        if problem := expected.problem(actual, rounded_sums):
            yield f'{label}: {name}: {problem}'


def check_saved(made, content):
    """Saves the model as one graph in two formats, and runs the files. Returns (problems, whether the model is one graph)."""
    try:
        graph = webnn.load(content, context=contexts()['cpu'], dimensions=made.dimensions())
    except webnn.NotSupportedError:  # for example, an output is of type double
        return [], False
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ('onnx', 'webnn'):
            path = pathlib.Path(folder, f'saved.{suffix}')
            graph.save(path)
            for label in ('cpu', 'reference'):
                results = webnn.InferenceSession(path, context=contexts()[label]).run(None, made.feed)
                problems += [f'saved as {suffix}: {problem}' for problem in problems_of(made, results, label)]
    return problems, True


def check(seed):
    """Returns (problems, whether the saved model was loaded and run)."""
    made = ProductModel(seed)
    content = made.model_bytes()
    results = {}
    refused = {}
    for label, context in contexts().items():
        try:
            results[label] = webnn.InferenceSession(content, context=context).run(None, made.feed)
        except webnn.Error as error:
            refused[label] = error
    if made.has_integer_product() and made.depth > MOST_PRODUCTS:
        problems = [f'{label}: the model is not refused' for label in results]
        for label, error in refused.items():
            if not isinstance(error, webnn.NotSupportedError) or f'sums of {made.depth} integer products' not in str(error):
                problems.append(f'{label}: {type(error).__name__}: {error}')
        return problems, False
    problems = [f'{label}: {type(error).__name__}: {error}' for label, error in refused.items()]
    for label, arrays in results.items():
        problems += problems_of(made, arrays, label)
        if label in THREADS and any(not np.array_equal(a, b) for a, b in zip(arrays, results[THREADS[0]], strict=True)):
            problems.append(f'{label}: the results are not those of one thread')
    if problems or seed % SAVED_EVERY:
        return problems, False
    return check_saved(made, content)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('count', type=int)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    failed = saved = 0
    for seed in range(options.seed, options.seed + options.count):
        problems, is_saved = check(seed)
        saved += is_saved
        if problems:
            failed += 1
            print(f'--seed {seed} ({ProductModel(seed)}):', *problems[:4], sep='\n  ')
    print(f'{options.count} models on {len(contexts())} contexts, {saved} saved, {failed} failed')
    if options.count >= 50 and saved < options.count // (4 * SAVED_EVERY):
        print('too few models were saved')
        return 1
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
