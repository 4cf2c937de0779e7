"""Multiplies matrices with tensors that stay in the context: write, dispatch, read. Compares the product with NumPy's."""

import numpy as np
import webnn

context = webnn.ML().create_context()
builder = webnn.MLGraphBuilder(context)
graph = builder.build({"c": builder.matmul(builder.input("a", [200, 300]), builder.input("b", [300, 100]))})

a = context.create_tensor([200, 300], "float32", writable=True)
b = context.create_tensor([300, 100], "float32", writable=True)
c = context.create_tensor([200, 100], "float32", readable=True)

random = np.random.default_rng(1)
left, right = random.random((200, 300), np.float32), random.random((300, 100), np.float32)
context.write_tensor(a, left)
context.write_tensor(b, right)
context.dispatch(graph, {"a": a, "b": b}, {"c": c})  # returns at once
product = context.read_tensor(c)  # waits

print("shape", product.shape, "type", product.dtype)
print("equal to NumPy within 1e-5:", np.allclose(product, left @ right, rtol=1e-5))
