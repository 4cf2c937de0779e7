"""Tasks in C++. An attempt is a program, which may have a line with a shell command before it. The program is saved as
task.cpp, and the command runs. If the attempt begins with #, it has no command, and COMPILE runs."""

import models
import numpy as np
from task import Outcome, Task, close, shows

COMPILE = "g++ -std=c++20 task.cpp $(pkg-config --cflags --libs webnn) -o task && ./task"
HEAD = "#include <webnn/webnn.hpp>\n#include <iostream>\n\n"
PRINT = """
template <typename Values>
void print(const Values& values) {
  std::cout.precision(9);
  const char* separator = "[";
  for (auto value : values) std::cout << std::exchange(separator, ", ") << value;
  std::cout << "]" << std::endl;
}
"""

PROGRAM = (
    HEAD
    + PRINT
    + """
int main() {
  auto context = webnn::Context::create();
  auto graph = webnn::load(context, "linear.onnx");
  auto x = context.createTensor({.shape = {1, 4}, .writable = true});
  auto y = context.createTensor({.shape = {1, 3}, .readable = true});
  std::vector<float> data = {0.5f, -0.25f, 0.125f, 1};
  context.write<float>(x, data);
  context.dispatch(graph, {{"x", x}}, {{"y", y}});
  print(context.read<float>(y));
}
"""
)
CMAKE = """: > out.txt && printf '%s\\n' 'cmake_minimum_required(VERSION 3.20)' 'project(app CXX)' 'find_package(WebNN CONFIG REQUIRED)' \
'add_executable(app task.cpp)' 'target_link_libraries(app PRIVATE WebNN::webnn)' > CMakeLists.txt && \
cmake -S . -B cmake -DCMAKE_PREFIX_PATH=$PREFIX > out.txt && cmake --build cmake > out.txt && cmake/app
"""

SESSION = (
    HEAD
    + PRINT
    + """
int main() {
  webnn::Session session("cnn.onnx");
  std::vector<float> pixels(3 * 8 * 8, 0.5f);
  auto outputs = session.run({{"input", pixels}});
  print(outputs.at("logits").as<float>());
}
"""
)

EXCEPTIONS = (
    HEAD
    + """
int main() {
  for (const char* file : {"missing.onnx", "photo.png", "classical.onnx", "pieces.onnx"}) {
    try {
      auto graph = webnn::load(webnn::Context::create(), file, {.dimensions = {}});
    } catch (const std::exception& error) {
      std::cout << error.what() << std::endl;
    }
  }
}
"""
)

WRONG_TYPE = (
    HEAD
    + PRINT
    + """
int main() {
  auto context = webnn::Context::create();
  auto y = context.createTensor({.dataType = webnn::DataType::int64, .shape = {2}, .readable = true, .writable = true});
  context.write<int64_t>(y, {1, 9007199254740993});
  print(context.read<float>(y));
}
"""
)

OPEN = (
    HEAD
    + PRINT
    + """
int main() {
  auto context = webnn::Context::create();
  auto graph = webnn::load(context, "cnn.onnx");
  print(graph.inputs()[0].second.shape);
}
"""
)

MISTYPED = (
    HEAD
    + """
int main() {
  webnn::Session session("cnn.onnx", {.load = {.dimensions = {{"N", 1}}}});
  std::cout << session.inputs()[0].name << std::endl;
}
"""
)

THREADS = (
    HEAD
    + PRINT
    + """#include <thread>

int main() {
  auto context = webnn::Context::create({.threads = 2});
  auto graph = webnn::load(context, "linear.onnx");
  std::vector<std::thread> threads;
  std::vector<std::vector<float>> results(4);
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i, x = context.createTensor({.shape = {1, 4}, .writable = true})] {
      for (int n = 0; n < 50; ++n) {
        auto y = context.createTensor({.shape = {1, 3}, .readable = true});
        std::vector<float> data(4, float(i));
        context.write<float>(x, data);
        context.dispatch(graph, {{"x", x}}, {{"y", y}});
        results[i] = context.read<float>(y);
      }
    });
  for (auto& thread : threads) thread.join();
  std::vector<float> all;
  for (auto& result : results) all.insert(all.end(), result.begin(), result.end());
  print(all);
}
"""
)

IDS = (
    HEAD
    + PRINT
    + """
int main() {
  webnn::Session session("tokens.onnx");
  std::vector<int> ids = {1, 7, 42, 2}, mask = {1, 1, 1, 0};
  auto outputs = session.run({{"input_ids", {ids, {1, 4}}}, {"attention_mask", {mask, {1, 4}}}});
  print(outputs.at("embedding").as<float>());
}
"""
)

OWN_GRAPH = (
    HEAD
    + PRINT
    + """
int main() {
  auto context = webnn::Context::create();
  webnn::GraphBuilder builder(context);
  auto x = builder.input("x", {webnn::DataType::float32, {1, 4}});
  std::vector<float> weights = {1, 2, 3, 4, 5, 6, 7, 8};
  auto w = builder.constant({webnn::DataType::float32, {4, 2}}, weights);
  auto y = builder.softmax(builder.matmul(x, w), 1);
  webnn::save(builder.build({{"y", y}}), "own.webnn");
  webnn::Session session("own.webnn");
  std::vector<float> data = {0.1f, -0.2f, 0.3f, -0.4f};
  print(session.run({{"x", {data, {1, 4}}}}).at("y").as<float>());
}
"""
)

FORK = (
    HEAD
    + PRINT
    + """#include <sys/wait.h>
#include <unistd.h>

int main() {
  webnn::Session session("linear.onnx");
  std::vector<float> data = {0.5f, -0.25f, 0.125f, 1};
  session.run({{"x", {data, {1, 4}}}});
  if (fork() == 0) {
    print(session.run({{"x", {data, {1, 4}}}}).at("y").as<float>());
    _exit(0);
  }
  int status = 0;
  wait(&status);
  return status != 0;
}
"""
)

LINEAR = np.array([0.5, -0.25, 0.125, 1])


def expect_linear(outcome: Outcome) -> None:
    close(outcome.numbers(), models.linear_of(LINEAR))


def expect_own(outcome: Outcome) -> None:
    powers = np.exp(np.array([0.1, -0.2, 0.3, -0.4]) @ np.arange(1.0, 9).reshape(4, 2))
    close(outcome.numbers(), powers / powers.sum())


def expect_threads(outcome: Outcome) -> None:
    close(outcome.numbers(), np.concatenate([models.linear_of(np.full(4, i)) for i in range(4)]))


TASKS = [
    Task("a project of CMake's", [CMAKE + PROGRAM], [], expect_linear),
    Task("one command with pkg-config", [PROGRAM], [], expect_linear),
    Task(
        "a session on a vector",
        [SESSION, SESSION.replace("pixels}}", "{pixels, {1, 3, 8, 8}}}}")],
        [r'the shape of input "input" is \[192\], not \[batch, 3, 8, 8\]; values without a shape have one dimension'],
        lambda outcome: close(outcome.numbers(), models.logits_of(np.full((1, 3, 8, 8), 0.5))[0]),
    ),
    Task(
        "catch what is wrong with files",
        [EXCEPTIONS],
        [],
        shows(
            r'"missing\.onnx" cannot be opened',
            r"photo\.png: the file is a PNG picture; a graph .* is expected",
            r'classical\.onnx: the dimension "rows" has no size',
            r'pieces\.onnx: WebNN cannot express:\n  output "pieces": WebNN has tensors only',
        ),
    ),
    Task(
        "read what is there",
        [WRONG_TYPE, WRONG_TYPE.replace("read<float>", "read<int64_t>")],
        [r"elements of float are not int64"],
        shows(r"\[1, 9007199254740993\]"),
    ),
    Task(
        "load a model of any batch",
        [OPEN, OPEN.replace('"cnn.onnx"', '"cnn.onnx", {.dimensions = {{"batch", 3}}}')],
        [r'the dimension "batch" has no size: none is given in "dimensions"'],
        shows(r"\[3, 3, 8, 8\]"),
    ),
    Task(
        "fix a dimension by its name",
        [MISTYPED, MISTYPED.replace('"N"', '"batch"')],
        [r'the dimension "N" is not in the model\. The model\'s dynamic dimensions: "batch"'],
        shows(r"^input\n$"),
    ),
    Task("threads that share a graph", [THREADS], [], expect_threads),
    Task(
        "token ids",
        [IDS, IDS.replace("vector<int>", "vector<int64_t>")],
        [r'input "(attention_mask|input_ids)" is int32, not int64'],
        lambda outcome: close(outcome.numbers(), models.embedding_of(np.array([[1, 7, 42, 2]]), np.array([[1, 1, 1, 0]]))[0]),
    ),
    Task("a graph of one's own", [OWN_GRAPH], [], expect_own),
]
FORK_ANEW = FORK.replace("if (fork() == 0) {", 'if (fork() == 0) {\n    webnn::Session session("linear.onnx");')
ADDITIONAL = [Task("a forked process", [FORK, FORK_ANEW], [r"of the process that forked this one; create one here"], expect_linear)]
