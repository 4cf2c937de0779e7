"""Random models with bodies and functions, whose nodes are in order or shuffled."""

import copy

import numpy as np

from onnx import AttributeProto, TensorProto, helper, numpy_helper

node, info = helper.make_node, helper.make_tensor_value_info
UNARY, BINARY = ["Relu", "Neg", "Tanh", "Abs", "Sigmoid"], ["Add", "Sub", "Mul", "Max"]
DOMAIN = "local"
FUNCTIONS = 3
OPSETS = [helper.make_opsetid("", 18), helper.make_opsetid(DOMAIN, 1)]


class Steps:
    """Makes nodes. All values have the shape of the inputs, so that a Loop's states and results keep their shapes."""

    def __init__(self, random, width):
        self.random, self.width, self.count = random, width, 0

    def pick(self, choices):
        return choices[self.random.integers(len(choices))]

    def value(self, values):
        """Returns one of `values`, most often one of the last."""
        return self.pick(values[-4:] if self.random.random() < 0.7 else values)

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def constant(self, array):
        name = self.name()
        return node("Constant", [], [name], value=numpy_helper.from_array(np.asarray(array))), name

    def nodes(self, values, depth):
        """Returns nodes that read `values` or each other. Appends their results to `values`."""
        made = []
        kinds = [self.unary, self.binary, self.binary, self.shift, self.center]
        for _ in range(self.random.integers(2, 9)):
            kind = self.pick([*kinds, self.call, self.branch, self.loop] if depth else kinds)
            made += kind(values, depth)
            values.append(made[-1].output[0])
        return made

    def unary(self, values, _):
        return [node(self.pick(UNARY), [self.value(values)], [self.name()])]

    def binary(self, values, _):
        return [node(self.pick(BINARY), [self.value(values), self.value(values)], [self.name()])]

    def shift(self, values, _):
        constant, name = self.constant(self.random.standard_normal(self.width).astype(np.float32))
        return [constant, node("Add", [self.value(values), name], [self.name()])]

    def center(self, values, _):
        mean = self.name()
        return [node("ReduceMean", [self.value(values)], [mean]), node("Sub", [self.value(values), mean], [self.name()])]

    def call(self, values, _):
        operands = [self.value(values), self.value(values)]
        return [node(f"function{self.random.integers(FUNCTIONS)}", operands, [self.name()], domain=DOMAIN)]

    def branch(self, values, depth):
        """Returns an If on the sum of an input, which is exact: rounding must not decide between the branches."""
        limit, limit_name = self.constant(np.float32(self.random.integers(-2, 3)))
        total, condition, branches = self.name(), self.name(), {}
        for name in ("then_branch", "else_branch"):
            inner = list(values)
            nodes = self.nodes(inner, depth - 1)
            nodes.append(node("Identity", [inner[-1]], [self.name()]))
            branches[name] = helper.make_graph(nodes, name, [], [info(nodes[-1].output[0], TensorProto.FLOAT, None)])
        test = [node("ReduceSum", ["x"], [total], keepdims=0), node("Greater", [total, limit_name], [condition])]
        return [limit, *test, node("If", [condition], [self.name()], **branches)]

    def loop(self, values, depth):
        """Returns a Loop of at most 3 iterations, and the addition of the sum of its scan output."""
        i, going, state, still, result, scanned = (self.name() for _ in range(6))
        inner = [*values, state]
        body = self.nodes(inner, depth - 1)
        half, half_name = self.constant(np.float32(0.5))
        body += [half, node("Mul", [inner[-1], half_name], [result]), node("Identity", [going], [still]), node("Neg", [state], [scanned])]
        inputs = [info(i, TensorProto.INT64, []), info(going, TensorProto.BOOL, []), info(state, TensorProto.FLOAT, None)]
        outputs = [info(still, TensorProto.BOOL, []), info(result, TensorProto.FLOAT, None), info(scanned, TensorProto.FLOAT, None)]
        graph = helper.make_graph(body, "body", inputs, outputs)
        count, count_name = self.constant(np.array(self.random.integers(0, 4)))
        last, scans, total = self.name(), self.name(), self.name()
        made = [count, node("Loop", [count_name, "", self.value(values)], [last, scans], body=graph)]
        return [*made, node("ReduceSum", [scans], [total], keepdims=0), node("Add", [last, total], [self.name()])]


def function_bodies(random, width):
    """Returns the nodes of the functions; function 0 may call function 1."""
    bodies = []
    for i in range(FUNCTIONS):
        values = ["a", "b"]
        body = Steps(random, width).nodes(values, 0)
        if i == 0 and random.random() < 0.4:
            body.append(node("function1", ["a", values[-1]], ["called"], domain=DOMAIN))
            values.append("called")
        bodies.append([*body, node("Identity", [values[-1]], ["result"])])
    return bodies


def shuffled(random, nodes):
    """Returns copies of nodes in any order, with bodies in any order."""
    copies = [copy.deepcopy(one) for one in nodes]
    for one in copies:
        for attribute in one.attribute:
            if attribute.type == AttributeProto.GRAPH:
                inner = shuffled(random, attribute.g.node)
                del attribute.g.node[:]
                attribute.g.node.extend(inner)
    return [copies[i] for i in random.permutation(len(copies))]


def shuffled_pair(seed):
    """Returns a model whose nodes are in order, the same model with nodes and functions in any order, and inputs."""
    random = np.random.default_rng(seed)
    rows, width = int(random.integers(1, 4)), int(random.choice([1, 3, 8]))
    values = ["x", "y"]
    steps = Steps(random, width)
    nodes = steps.nodes(values, 2) + steps.nodes(values, 1)
    outputs = list(dict.fromkeys([values[-1], steps.pick(values[2:])]))
    shape = ["n" if random.random() < 0.5 else rows, width]
    bodies = function_bodies(random, width)

    def content(nodes, bodies):
        functions = [helper.make_function(DOMAIN, name, ["a", "b"], ["result"], body, OPSETS) for name, body in bodies]
        results = [info(name, TensorProto.FLOAT, None) for name in outputs]
        graph = helper.make_graph(nodes, "orders", [info(name, TensorProto.FLOAT, shape) for name in "xy"], results)
        return helper.make_model(graph, opset_imports=OPSETS, functions=functions, ir_version=10).SerializeToString()

    named = [(f"function{i}", body) for i, body in enumerate(bodies)]
    mixed = [(name, shuffled(random, body)) for name, body in named]
    mixed = [mixed[i] for i in random.permutation(FUNCTIONS)]
    # Multiples of 1/4 have exact sums.
    feed = {name: (random.integers(-8, 9, (rows, width)) / 4).astype(np.float32) for name in "xy"}
    return content(nodes, named), content(shuffled(random, nodes), mixed), feed
