// Measures how long a cancelled call takes to stop. For each family of kernels, it cancels a run that would take seconds; it also
// cancels builds with large constants and loads of large files.
// cancel_latency [THREADS [BACKEND [FILTER]]]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "webnn/context.h"
#include "webnn/formats.h"
#include "webnn/graph_builder.h"

namespace {

using namespace webnn;
using Clock = std::chrono::steady_clock;
using Make = std::function<Operand(GraphBuilder&)>;

constexpr int kRepeats = 5;
constexpr std::chrono::milliseconds kBefore{150};  // from the start of a run to the request to cancel it
constexpr std::chrono::milliseconds kBeforeBuild{60};

struct Case {
  const char* name;
  Make make;
};

Operand input(GraphBuilder& builder, const char* name, Shape shape, DataType type = DataType::float32) {
  return builder.input(name, {type, std::move(shape)});
}

// Returns graphs whose single step takes some seconds on one thread.
std::vector<Case> cases() {
  const auto f = DataType::float32;
  return {
      {"matmul 6000^3",
       [](GraphBuilder& b) {
         return b.matmul(input(b, "a", {6000, 6000}), input(b, "b", {6000, 6000}));
       }},
      {"matmul deep",
       [](GraphBuilder& b) {
         return b.matmul(input(b, "a", {64, 3'000'000}), input(b, "b", {3'000'000, 64}));
       }},
      {"matmul batches",
       [](GraphBuilder& b) {
         return b.matmul(input(b, "a", {100'000, 64, 64}), input(b, "b", {100'000, 64, 64}));
       }},
      {"conv2d 3x3",
       [](GraphBuilder& b) {
         return b.conv2d(input(b, "x", {1, 256, 512, 512}), input(b, "w", {256, 256, 3, 3}), {.padding = {{1, 1, 1, 1}}});
       }},
      {"conv2d 31x31",
       [](GraphBuilder& b) {
         return b.conv2d(input(b, "x", {1, 64, 256, 256}), input(b, "w", {64, 64, 31, 31}));
       }},
      {"conv2d whole image",
       [](GraphBuilder& b) {
         return b.conv2d(input(b, "x", {1, 8, 1500, 1500}), input(b, "w", {8, 8, 700, 700}));
       }},
      {"conv2d grouped",
       [](GraphBuilder& b) {
         return b.conv2d(input(b, "x", {1, 256, 512, 512}), input(b, "w", {256, 64, 7, 7}), {.groups = 4});
       }},
      {"conv2d depthwise large",
       [](GraphBuilder& b) {
         return b.conv2d(input(b, "x", {1, 16, 1500, 1500}), input(b, "w", {16, 1, 500, 500}), {.groups = 16});
       }},
      {"convTranspose2d",
       [](GraphBuilder& b) {
         return b.convTranspose2d(input(b, "x", {1, 128, 256, 256}), input(b, "w", {128, 128, 5, 5}), {.strides = {{2, 2}}});
       }},
      {"maxPool2d large window",
       [](GraphBuilder& b) {
         return b.maxPool2d(input(b, "x", {4, 1, 4000, 4000}), {.windowDimensions = {{2000, 2000}}});
       }},
      {"averagePool2d wide window",
       [](GraphBuilder& b) {
         return b.averagePool2d(input(b, "x", {1, 1, 20, 120'000}), {.windowDimensions = {{10, 60'000}}});
       }},
      {"maxPool2d nhwc",
       [](GraphBuilder& b) {
         return b.maxPool2d(input(b, "x", {1, 800, 800, 16}),
                            {.windowDimensions = {{300, 300}}, .layout = InputOperandLayout::nhwc});
       }},
      {"lstm",
       [](GraphBuilder& b) {
         return b.lstm(input(b, "x", {500, 8, 1024}), input(b, "w", {1, 8192, 1024}), input(b, "r", {1, 8192, 2048}), 500,
                       2048)[0];
       }},
      {"lstm wide",
       [](GraphBuilder& b) {
         return b.lstm(input(b, "x", {20, 1, 64}), input(b, "w", {1, 32768, 64}), input(b, "r", {1, 32768, 8192}), 20, 8192)[0];
       }},
      {"gru",
       [](GraphBuilder& b) {
         return b.gru(input(b, "x", {2000, 1, 1024}), input(b, "w", {1, 6144, 1024}), input(b, "r", {1, 6144, 2048}), 2000,
                      2048)[0];
       }},
      {"softmax rows",
       [](GraphBuilder& b) {
         return b.softmax(input(b, "x", {20, 20'000'000}), 1);
       }},
      {"softmax columns",
       [](GraphBuilder& b) {
         return b.softmax(input(b, "x", {2'000'000, 200}), 0);
       }},
      {"layerNormalization rows",
       [](GraphBuilder& b) {
         return b.layerNormalization(input(b, "x", {20, 20'000'000}));
       }},
      {"layerNormalization first axis",
       [](GraphBuilder& b) {
         return b.layerNormalization(input(b, "x", {2'000'000, 200}), {.axes = {{0}}});
       }},
      {"instanceNormalization",
       [](GraphBuilder& b) {
         return b.instanceNormalization(input(b, "x", {1, 4, 10'000, 10'000}));
       }},
      {"reduceSum",
       [](GraphBuilder& b) {
         return b.reduceSum(input(b, "x", {1'000, 400'000}));
       }},
      {"reduceLogSumExp rows",
       [](GraphBuilder& b) {
         return b.reduceLogSumExp(input(b, "x", {20, 20'000'000}), {.axes = {{1}}});
       }},
      {"reduceLogSumExp columns",
       [](GraphBuilder& b) {
         return b.reduceLogSumExp(input(b, "x", {2'000'000, 200}), {.axes = {{0}}});
       }},
      {"reduceProduct columns",
       [](GraphBuilder& b) {
         return b.reduceProduct(input(b, "x", {2'000'000, 200}), {.axes = {{0}}});
       }},
      {"reduceSum int32",
       [](GraphBuilder& b) {
         return b.reduceSum(input(b, "x", {2'000'000, 200}, DataType::int32), {.axes = {{0}}});
       }},
      {"argMax rows",
       [](GraphBuilder& b) {
         return b.argMax(input(b, "x", {4, 100'000'000}), 1);
       }},
      {"reduceSumSquare exactly",
       [](GraphBuilder& b) {  // All inputs are 0: each sum looks like an underflow and is computed again in double.
         return b.reduceSumSquare(input(b, "x", {2'000'000, 200}), {.axes = {{0}}});
       }},
      {"matmul of many rows",
       [](GraphBuilder& b) {
         return b.matmul(input(b, "a", {20'000'000, 16}), input(b, "b", {16, 16}));
       }},
      {"argMax columns",
       [](GraphBuilder& b) {
         return b.argMax(input(b, "x", {2'000'000, 200}), 0);
       }},
      {"cumulativeSum", [](GraphBuilder& b) { return b.cumulativeSum(input(b, "x", {400'000'000}), 0); }},
      {"cumulativeSum columns",
       [](GraphBuilder& b) {
         return b.cumulativeSum(input(b, "x", {2'000'000, 200}), 0);
       }},
      {"chain", [](GraphBuilder& b) { return b.tan(b.sin(b.erf(b.exp(input(b, "x", {400'000'000}))))); }},
      {"pow",
       [](GraphBuilder& b) {
         return b.pow(input(b, "x", {20'000, 20'000}), input(b, "y", {20'000}));
       }},
      {"integer division",
       [](GraphBuilder& b) { return b.div(input(b, "x", {300'000'000}, DataType::int64), input(b, "y", {1}, DataType::int64)); }},
      {"transpose",
       [](GraphBuilder& b) {
         return b.transpose(input(b, "x", {20'000, 20'000}));
       }},
      {"transpose 5-D",
       [](GraphBuilder& b) {
         return b.transpose(input(b, "x", {50, 50, 50, 50, 50}), {.permutation = {{4, 2, 0, 3, 1}}});
       }},
      {"gather",
       [](GraphBuilder& b) {
         return b.gather(input(b, "x", {1'000'000, 64}), input(b, "i", {6'000'000}, DataType::int32));
       }},
      {"gatherElements",
       [](GraphBuilder& b) {
         return b.gatherElements(input(b, "x", {300'000'000}), input(b, "i", {300'000'000}, DataType::int32));
       }},
      {"scatterElements",
       [](GraphBuilder& b) {
         return b.scatterElements(input(b, "x", {300'000'000}), input(b, "i", {300'000'000}, DataType::int32),
                                  input(b, "u", {300'000'000}));
       }},
      {"scatterND",
       [](GraphBuilder& b) {
         return b.scatterND(input(b, "x", {300'000'000}), input(b, "i", {100'000'000, 1}, DataType::int32),
                            input(b, "u", {100'000'000}));
       }},
      {"resample2d",
       [](GraphBuilder& b) {
         return b.resample2d(input(b, "x", {1, 1, 2000, 2000}), {.mode = InterpolationMode::linear, .sizes = {{20'000, 20'000}}});
       }},
      {"quantizeLinear",
       [f](GraphBuilder& b) {
         return b.quantizeLinear(input(b, "x", {400'000'000}), b.constant<float>({f, {1}}, {0.1F}),
                                 b.constant<std::int8_t>({DataType::int8, {1}}, {0}));
       }},
      {"attention",
       [](GraphBuilder& b) {
         const Operand q = input(b, "q", {1, 16, 8192, 64}), k = input(b, "k", {1, 16, 64, 8192}),
                       v = input(b, "v", {1, 16, 8192, 64});
         return b.matmul(b.softmax(b.matmul(q, k), 3), v);
       }},
      {"attention of one query",
       [](GraphBuilder& b) {
         const Operand q = input(b, "q", {1, 4, 1, 128}), k = input(b, "k", {1, 4, 128, 400'000}),
                       v = input(b, "v", {1, 4, 400'000, 128});
         return b.matmul(b.softmax(b.matmul(q, k), 3), v);
       }},
      {"gather large blocks",
       [](GraphBuilder& b) {
         return b.gather(input(b, "x", {2, 200'000'000}), input(b, "i", {2}, DataType::int32));
       }},
      {"pad",
       [](GraphBuilder& b) {
         return b.pad(input(b, "x", {15'000, 15'000}), {2500, 2500}, {2500, 2500});
       }},
      {"tile",
       [](GraphBuilder& b) {
         return b.tile(input(b, "x", {1000, 1}), {1, 400'000});
       }},
      {"triangular",
       [](GraphBuilder& b) {
         return b.triangular(input(b, "x", {20'000, 20'000}));
       }},
      {"where",
       [](GraphBuilder& b) {
         return b.where(input(b, "c", {400'000'000}, DataType::uint8), input(b, "x", {400'000'000}),
                        b.constant(DataType::float32, 0));
       }},
  };
}

// A named call that builds a graph or loads a file. It takes at least about 100 milliseconds.
struct Call {
  const char* name;
  std::function<void(Context&, std::stop_token)> run;
};

std::shared_ptr<const std::vector<std::byte>> zeros(std::size_t bytes) {
  return std::make_shared<const std::vector<std::byte>>(bytes);
}

// Returns a call that builds the graph make(builder, w), where w is a constant with this descriptor.
Call build(const char* name, OperandDescriptor descriptor, std::function<Operand(GraphBuilder&, const Operand&)> make) {
  return {name, [=, memory = zeros(byteLength(descriptor))](Context& context, std::stop_token stop) {
            GraphBuilder builder(context);
            const Operand y = make(builder, builder.constant(descriptor, ExternalBytes{*memory, memory}));
            builder.build({{"y", y}}, {.stop = std::move(stop)});
          }};
}

Call loadOf(const char* name, std::string text) {
  const auto content = std::make_shared<const std::string>(std::move(text));
  return {name, [=](Context& context, std::stop_token stop) {
            LoadOptions options;
            options.call.stop = std::move(stop);
            load(context, ExternalBytes{std::as_bytes(std::span(*content)), content}, options);
          }};
}

std::string repeated(std::string_view item, std::size_t count) {
  std::string text;
  text.reserve(item.size() * count);
  for (std::size_t i = 0; i < count; ++i) text += item;
  return text;
}

// Encodes a length-delimited field of a protobuf message.
std::string field(int number, const std::string& value) {
  std::string bytes(1, static_cast<char>(number << 3 | 2));
  for (std::size_t length = value.size(); bytes += static_cast<char>(length & 0x7F | (length > 0x7F ? 0x80 : 0)), length >>= 7;) {
  }
  return bytes + value;
}

// Returns an ONNX model: Identity of a constant whose `count` elements are encoded as int32_data, one byte each.
std::string onnxModel(std::size_t count) {
  std::string dims(1, 8);
  for (std::size_t rest = count; dims += static_cast<char>(rest & 0x7F | (rest > 0x7F ? 0x80 : 0)), rest >>= 7;) {
  }
  const std::string tensor = dims + std::string("\x10\x06", 2) + field(5, std::string(count, '\1')) + field(8, "w");
  const std::string node = field(1, "w") + field(2, "y") + field(4, "Identity");
  const std::string graph = field(1, node) + field(5, tensor) + field(12, field(1, "y"));
  return std::string("\x08\x08", 2) + field(7, graph) + field(8, std::string("\x10\x0D", 2));
}

std::vector<Call> calls(const std::string& filter) {
  const auto f = DataType::float32;
  std::vector<Call> all;
  const auto wants = [&](std::string_view name) { return name.find(filter) != std::string_view::npos; };
  const auto addBuild = [&](const char* name, OperandDescriptor w,
                            const std::function<Operand(GraphBuilder&, const Operand&)>& make) {
    if (wants(name)) all.push_back(build(name, std::move(w), make));
  };
  addBuild("build matmul", {f, {16'000, 16'000}}, [](GraphBuilder& b, const Operand& w) {
    return b.matmul(input(b, "x", {32, 16'000}), w);
  });
  addBuild("build transposed matmul", {f, {16'000, 16'000}}, [](GraphBuilder& b, const Operand& w) {
    return b.matmul(input(b, "x", {32, 16'000}), b.transpose(w));
  });
  addBuild("build float16 matmul", {DataType::float16, {16'000, 16'000}}, [](GraphBuilder& b, const Operand& w) {
    return b.matmul(input(b, "x", {32, 16'000}, DataType::float16), w);
  });
  addBuild("build conv2d", {f, {2048, 2048, 7, 7}}, [](GraphBuilder& b, const Operand& w) {
    return b.conv2d(input(b, "x", {1, 2048, 32, 32}), w);
  });
  addBuild("build conv2d 3x3", {f, {4096, 4096, 3, 3}}, [](GraphBuilder& b, const Operand& w) {
    return b.conv2d(input(b, "x", {1, 4096, 32, 32}), w, {.padding = {{1, 1, 1, 1}}});
  });
  addBuild("build float16 conv2d", {DataType::float16, {2048, 2048, 7, 7}}, [](GraphBuilder& b, const Operand& w) {
    return b.conv2d(input(b, "x", {1, 2048, 32, 32}, DataType::float16), w);
  });
  addBuild("build lstm", {f, {1, 16'384, 4096}}, [](GraphBuilder& b, const Operand& w) {
    return b.lstm(input(b, "x", {4, 1, 4096}), w, w, 4, 4096)[0];
  });
  addBuild("build 4-bit matmul", {DataType::uint4, {16'000, 16'000}}, [f](GraphBuilder& b, const Operand& w) {
    const Operand scale = b.constant({f, {125, 16'000}}, std::as_bytes(std::span(*zeros(8'000'000))));
    const Operand zero = b.constant({DataType::uint4, {125, 16'000}}, std::as_bytes(std::span(*zeros(1'000'000))));
    return b.matmul(input(b, "x", {1, 16'000}), b.dequantizeLinear(w, scale, zero));
  });
  addBuild("build of folded operations", {f, {16'000, 8'000}},
           [](GraphBuilder& b, const Operand& w) { return b.add(input(b, "x", {1}), b.reduceMax(b.tan(b.erf(b.exp(w))))); });
  addBuild("build batchNormalization", {f, {50'000'000}}, [](GraphBuilder& b, const Operand& w) {
    return b.batchNormalization(input(b, "x", {1, 50'000'000}), w, w);
  });
  if (wants("load text"))
    all.push_back(loadOf("load text", "webnn_graph \"g\" v2 { inputs { x: f32[4]; } consts { w: u8[30000001] @bytes([1" +
                                          repeated(",7", 30'000'000) + "]); } nodes { y = relu(x); } outputs { y; } }"));
  if (wants("load JSON"))
    all.push_back(
        loadOf("load JSON", R"({"format":"webnn-graph-json","version":2,"inputs":{},"nodes":[],"outputs":{},"consts":{"w":
      {"dataType":"uint8","shape":[30000001],"init":{"kind":"inlineBytes","bytes":[1)" +
                                repeated(",7", 30'000'000) + "]}}}}"));
  if (wants("load base64"))
    all.push_back(loadOf("load base64", R"({"operands":[{"kind":"constant","name":"w","descriptor":{"data_type":"uint8","shape":
      [75000000]}}],"constant_operand_ids_to_handles":{"0":{"data":")" +
                                            std::string(100'000'000, 'A') + R"("}}})"));
  if (wants("load ONNX")) all.push_back(loadOf("load ONNX", onnxModel(100'000'000)));
  return all;
}

double milliseconds(Clock::duration duration) { return std::chrono::duration<double, std::milli>(duration).count(); }

// Returns the longest time in milliseconds from the request to cancel until the run has stopped. The result is negative if all
// runs finished before the request.
double measure(Context& context, const Graph& graph) {
  std::vector<NamedTensor> inputs, outputs;
  for (const auto& [name, descriptor] : graph.inputs())
    inputs.emplace_back(
        name,
        context.createTensor({.dataType = descriptor.dataType, .shape = descriptor.shape, .readable = false, .writable = true}));
  for (const auto& [name, descriptor] : graph.outputs())
    outputs.emplace_back(
        name,
        context.createTensor({.dataType = descriptor.dataType, .shape = descriptor.shape, .readable = true, .writable = false}));
  const Tensor first = context.createTensor({.shape = {1}, .readable = true});
  double longest = -1;
  for (int i = 0; i < kRepeats; ++i) {
    std::stop_source source;
    context.dispatch(graph, inputs, outputs, {.stop = source.get_token()});
    auto read = context.readTensor(first);  // ready as soon as the dispatch has ended
    if (read.wait_for(kBefore) == std::future_status::ready) continue;
    const Clock::time_point requested = Clock::now();
    source.request_stop();
    read.get();
    longest = std::max(longest, milliseconds(Clock::now() - requested));
  }
  return longest;
}

// Returns the longest time in milliseconds from the request to cancel until the call has stopped. The result is negative if no
// call was cancelled.
double measure(Context& context, const Call& call) {
  double longest = -1;
  for (int i = 0; i < kRepeats; ++i) {
    std::stop_source source;
    Clock::time_point requested;
    std::thread other([&] {
      std::this_thread::sleep_for(kBeforeBuild);
      requested = Clock::now();
      source.request_stop();
    });
    bool isEnded = false;
    Clock::time_point end;
    try {
      call.run(context, source.get_token());
    } catch (const Error& error) {
      end = Clock::now();
      isEnded = error.kind() == ErrorKind::abortError;
      if (!isEnded) std::printf("%s\n", error.what());
    }
    other.join();
    if (isEnded) longest = std::max(longest, milliseconds(end - requested));
  }
  return longest;
}

void print(const char* name, double longest) {
  std::printf("%-32s %s\n", name, longest < 0 ? "ends by itself" : (std::to_string(longest) + " ms").c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const auto threads = static_cast<std::uint32_t>(argc > 1 ? std::atoi(argv[1]) : 1);
  const std::string backend = argc > 2 ? argv[2] : "cpu", filter = argc > 3 ? argv[3] : "";
  for (const Case& one : cases()) {
    if (std::string(one.name).find(filter) == std::string::npos) continue;
    try {
      ContextOptions options;
      options.backend = backend;
      options.threads = threads;
      Context context = Context::create(std::move(options));
      GraphBuilder builder(context);
      const Operand output = one.make(builder);
      const Graph graph = builder.build({{"y", output}});
      print(one.name, measure(context, graph));
    } catch (const Error& error) {
      std::printf("%-32s %s\n", one.name, error.what());
    }
  }
  ContextOptions options;
  options.backend = backend;
  options.threads = threads;
  Context context = Context::create(std::move(options));
  for (const Call& call : calls(filter)) print(call.name, measure(context, call));
}
