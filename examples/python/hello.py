"""The smallest program: computes c = a * b + 1."""

import webnn

context = webnn.ML().create_context()
builder = webnn.MLGraphBuilder(context)
a, b = builder.input("a", [3], "float32"), builder.input("b", [3], "float32")
one = builder.constant("float32", 1)
graph = builder.build({"c": builder.add(builder.mul(a, b), one)})
print(context.compute(graph, {"a": [1, 2, 3], "b": [4, 5, 6]})["c"])
