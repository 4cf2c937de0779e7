// Tests messages from untrusted sources: which are refused, with which error, and limits.
#include <cstring>
#include <functional>

#include "service/message_support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using formats::kServiceLimits;
using formats::MessageLimits;
using test::EditedMessage;
using test::expectError;
using test::readMessage;
namespace schema = service::schema;

void expectDataError(const std::vector<std::string>& parts, EditedMessage& edited) {
  expectError(ErrorKind::dataError, parts, [&] { edited.read(); });
}

TEST(MessageReader, ReadsTheMessageThatTheTestsEdit) {
  EditedMessage edited;
  const Graph expected = test::graphOfText("webnn_graph \"\" v2 { inputs { x: f32[2]; } nodes { y = relu(x); } outputs { y; } }");
  EXPECT_TRUE(definitionOf(edited.read()) == definitionOf(expected));
}

TEST(MessageReader, RefusesOtherRevisions) {
  EditedMessage edited;
  edited.graph.setRevision(schema::REVISION + 1);
  expectError(ErrorKind::notSupportedError, {"needs revision 3 of the schema, which is newer than this version knows (2)"},
              [&] { edited.read(); });
  edited.graph.setRevision(0);
  expectDataError({"the message is no graph: its revision is 0"}, edited);
}

// A file may contain invalid bounds and expressions of open dimensions. Graphs of the service must not have open dimensions.
TEST(MessageReader, RefusesOpenSizesThatAreNone) {
  const auto edit = [](EditedMessage& edited) {
    auto sizes = edited.graph.initOpenSizes(2);
    sizes[0].setName("n");
    sizes[0].setMin(1);
    sizes[1].setExpression("n + 1");
    edited.graph.getInputs()[0].getShape().set(0, 0x80000001);
    return sizes;
  };
  const auto open = [](EditedMessage& edited) {
    Context context = test::makeContext();
    return formats::openGraphMessage(context, test::bytesOf(edited.message), {}, nullptr, formats::fileLimits(1000));
  };
  const auto refused = [&](ErrorKind kind, std::initializer_list<std::string> parts,
                           const std::function<void(EditedMessage&)>& damage) {
    EditedMessage edited;
    edit(edited);
    damage(edited);
    expectError(kind, parts, [&] { open(edited); });
  };
  EditedMessage good;
  edit(good);
  const auto graph = open(good);
  EXPECT_EQ(graph->sizes->text(graph->definition->outputs[0].second.shape()[0]), "n + 1");
  expectDataError({"the graph has open dimensions, which a session takes"}, good);
  refused(ErrorKind::dataError, {"inputs[0]", "2147483650 is item 2 of the open sizes, of which there are 2"},
          [](EditedMessage& edited) { edited.graph.getInputs()[0].getShape().set(0, 0x80000002); });
  refused(ErrorKind::typeError, {"openSizes[1]", "n +"},
          [](EditedMessage& edited) { edited.graph.getOpenSizes()[1].setExpression("n +"); });
  refused(ErrorKind::typeError, {"openSizes[0]"}, [](EditedMessage& edited) { edited.graph.getOpenSizes()[0].setMax(0); });
  refused(ErrorKind::typeError, {"openSizes[0]"}, [](EditedMessage& edited) { edited.graph.getOpenSizes()[0].setName(""); });
  refused(ErrorKind::dataError, {"inputs[0]", "is item 0 of the open sizes, of which there are 0"}, [](EditedMessage& edited) {
    edited.graph.initOpenSizes(0);
    auto input = edited.graph.getInputs()[0];
    input.initDimensionNames(input.getShape().size());
    input.getShape().set(0, 0x80000000);
  });
  const auto tooMany = static_cast<unsigned>(formats::fileLimits(1000).operands) + 1;
  refused(ErrorKind::dataError, {"openSizes: there are " + std::to_string(tooMany)},
          [&](EditedMessage& edited) { edited.graph.initOpenSizes(tooMany); });
}

TEST(MessageReader, RefusesNamesThatAreNotUtf8) {
  EditedMessage edited;
  edited.graph.getOutputs()[0].setName("y\xFF");
  expectDataError({"outputs[0]", "the name is not UTF-8"}, edited);
}

TEST(MessageReader, RefusesMalformedMessages) {
  const auto refused = [](std::vector<std::uint8_t> bytes, const std::string& text) {
    expectError(ErrorKind::dataError, {text}, [&] { readMessage(std::as_bytes(std::span(bytes))); });
  };
  refused({}, "the length of the message (0 bytes) is not a number of words");
  refused(std::vector<std::uint8_t>(15), "the length of the message (15 bytes) is not a number of words");
  refused(std::vector<std::uint8_t>(8, 0xFF), "the message is malformed");
  refused(std::vector<std::uint8_t>(800, 0xFF), "the message is malformed");
  refused(std::vector<std::uint8_t>(8), "the message is malformed");
  refused(std::vector<std::uint8_t>(16), "words follow the message");
  EditedMessage edited;
  std::vector<std::byte> longer = test::bytesOf(edited.message);
  longer.resize(longer.size() + 8);
  expectError(ErrorKind::dataError, {"1 words follow the message"}, [&] { readMessage(longer); });
}

// Modifies every byte of a message in turn. The result must be an error or a graph.
TEST(MessageReader, SurvivesDamage) {
  const Graph graph = test::graphOfText(
      "webnn_graph \"g\" v2 { inputs { x: f32[1, 2, 4, 4]; } consts { w: f32[2, 2, 1, 1] @scalar(1); } nodes { c = conv2d(x, w, "
      "label=\"l\"); [a, b] = split(c, splits=[1, 1], axis=1); } outputs { a; b; } }");
  const std::vector<std::byte> message = test::inlineMessage(definitionOf(graph));
  std::size_t refused = 0;
  for (std::size_t i = 0; i < message.size(); ++i) {
    for (const std::byte mask : {std::byte{0x01}, std::byte{0x80}, std::byte{0xFF}}) {
      std::vector<std::byte> damaged = message;
      damaged[i] ^= mask;
      try {
        readMessage(damaged);
      } catch (const Error&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, message.size() / 2);
}

TEST(MessageReader, ChecksOperands) {
  EditedMessage edited;
  edited.node().getOperation().initRelu();
  expectDataError({"nodes[0]: relu: the operand input is missing."}, edited);
  edited.node().getOperation().initRelu().setInput(1);
  expectDataError({"nodes[0]: relu: input (1) is not the number of an operand before, of which there are 1."}, edited);
  edited.node().getOperation().initRelu().setInput(0xFFFFFFFE);
  expectDataError({"nodes[0]: relu: input (4294967294) is not the number"}, edited);
  auto gemm = edited.node().getOperation().initGemm();
  gemm.setA(0);
  gemm.setB(0);
  gemm.setC(9);
  expectDataError({"nodes[0]: gemm: c (9) is not the number"}, edited);
  auto concat = edited.node().getOperation().initConcat();
  expectDataError({"nodes[0]: concat: the argument inputs is missing."}, edited);
  concat.initInputs(1).set(0, schema::NONE);
  expectDataError({"nodes[0]: concat: the operand inputs is missing."}, edited);
  edited.node().getOperation().initRelu().setInput(0);
  edited.graph.getOutputs()[0].setOperand(2);
  expectDataError({"outputs[0]: operand (2) is not the number"}, edited);
  edited.graph.getOutputs()[0].setOperand(schema::NONE);
  expectDataError({"outputs[0]: the operand operand is missing."}, edited);
}

TEST(MessageReader, ChecksOperations) {
  EditedMessage edited;
  edited.node().getOperation().setUnset();
  expectDataError({"nodes[0]: there is no operation."}, edited);
  edited.node().getOperation().initReshape().setInput(0);
  expectDataError({"nodes[0]: reshape: the argument newShape is missing."}, edited);
  edited.node().getOperation().getReshape().initNewShape(1).set(0, 3);
  edited.node().setLabel("wrong");
  // The error of the specification's validation must be the same as for other formats.
  try {
    test::graphOfText(
        "webnn_graph \"\" v2 { inputs { x: f32[2]; } nodes { y = reshape(x, newShape=[3], label=\"wrong\"); } "
        "outputs { y; } }");
    FAIL();
  } catch (const Error& error) {
    const std::string text = error.what();
    expectError(error.kind(), {"nodes[0]: " + text.substr(text.find("reshape"))}, [&] { edited.read(); });
  }
}

// Enumerants and union members that this version does not know must be refused. A newer writer could use them.
TEST(MessageReader, ChecksEnumerantsAndMembers) {
  EditedMessage edited;
  edited.node().getOperation().initCast().setInput(0);
  edited.node().getOperation().getCast().setDataType(static_cast<schema::OperandDataType>(10));
  expectDataError({"nodes[0]: cast: dataType (10) is not one that this version knows."}, edited);
  edited.graph.getInputs()[0].setDataType(static_cast<schema::OperandDataType>(65535));
  expectDataError({"inputs[0]: dataType (65535) is not one that this version knows."}, edited);
  edited.graph.getInputs()[0].setDataType(schema::OperandDataType::FLOAT32);

  EditedMessage unknown;
  std::vector<std::byte> message = test::bytesOf(unknown.message);
  const auto relu = static_cast<std::uint16_t>(schema::Node::Operation::RELU);
  std::size_t found = 0;
  for (std::size_t i = 0; i + 1 < message.size(); i += 2) {
    std::uint16_t value = 0;
    std::memcpy(&value, &message[i], 2);
    if (value != relu) continue;
    ++found;
    message[i] = std::byte{250};
  }
  ASSERT_EQ(found, 1u);
  expectError(ErrorKind::dataError, {"nodes[0]: the operation is not one that this version knows."},
              [&] { readMessage(message); });
}

TEST(MessageReader, ChecksResults) {
  EditedMessage edited;
  edited.node().setOutputCount(2);
  expectDataError({"nodes[0]: outputCount (2) is not the number of results (1)."}, edited);
  edited.node().setOutputCount(1);
  edited.node().initOutputNames(2);
  expectDataError({"nodes[0]: there are 2 names for 1 results."}, edited);
}

TEST(MessageReader, ChecksConstants) {
  EditedMessage edited;
  edited.addConstant();
  expectError(ErrorKind::typeError, {"constants[0]: constant: the byte length (0) is not that of uint8[2] (2)"},
              [&] { edited.read(); });
  edited.graph.getConstants()[0].initLocation();
  expectDataError({"constants[0]: its bytes are in a memory, which there is not."}, edited);
  edited.graph.getConstants()[0].setWeights("key");
  expectDataError({"constants[0]: its bytes are in a file of weights, which there is not."}, edited);
  auto shape = edited.graph.getConstants()[0].initShape(2);
  shape.set(0, 0xFFFFFFFF);
  shape.set(1, 0xFFFFFFFF);
  edited.graph.getConstants()[0].setBytes(capnp::Data::Reader());
  expectError(ErrorKind::typeError, {"constants[0]: constant: "}, [&] { edited.read(); });
}

TEST(MessageReader, ChecksNamesOfDimensions) {
  EditedMessage edited;
  edited.graph.getInputs()[0].initDimensionNames(2);
  expectDataError({"inputs[0]: there are 2 names of 1 dimensions."}, edited);
}

// The reader limits how much it reads. A text to which many pointers refer would otherwise be read many times.
TEST(MessageReader, LimitsTheNumberOfReadWords) {
  constexpr unsigned kInputs = 1000, kBytes = 40000, kWordsOfInput = 4;
  EditedMessage edited;
  auto inputs = edited.graph.initInputs(kInputs);
  inputs[0].setName(std::string(kBytes - 1, 'n').c_str());
  std::vector<std::byte> message = test::bytesOf(edited.message);
  std::vector<std::uint64_t> words(message.size() / 8);
  std::memcpy(words.data(), message.data(), message.size());
  constexpr std::uint64_t kUpper = (std::uint64_t{kBytes} << 3) | 2;  // the upper half of a pointer to a list of kBytes bytes
  std::size_t first = 0;
  while (words.at(first) >> 32 != kUpper) ++first;
  const std::size_t target = first + 1 + static_cast<std::uint32_t>(words[first]) / 4;
  for (std::size_t i = 1; i < kInputs; ++i) {
    const std::size_t at = first + i * kWordsOfInput;
    words.at(at) = kUpper << 32 | static_cast<std::uint32_t>((target - at - 1) << 2 | 1);
  }
  expectError(ErrorKind::dataError, {"inputs[", "the message is malformed: ", "traversal limit"},
              [&] { readMessage(std::as_bytes(std::span(words)), formats::fileLimits(message.size())); });
}

// The reader limits the number of structs in a list. Structs without fields take no space, so a short message could contain a
// huge number of them.
TEST(MessageReader, LimitsTheNumberOfStructs) {
  constexpr std::uint32_t kCount = 300000;
  EditedMessage edited;
  edited.graph.initInputs(kCount);
  expectError(ErrorKind::operationError, {"QuotaExceeded: inputs: there are 300000, more than 262144."}, [&] { edited.read(); });
}

TEST(MessageReader, LimitsTheMessage) {
  const auto read = [](std::size_t bytes) {
    EditedMessage edited;
    std::vector<std::byte> message = test::bytesOf(edited.message);
    const auto words = static_cast<std::uint32_t>(message.size() / 8 - 1);
    std::vector<std::byte> padded(bytes);  // gets a second segment of zeros
    const auto rest = static_cast<std::uint32_t>(bytes / 8 - 2 - words);
    const std::uint32_t table[]{1, words, rest, 0};
    std::memcpy(padded.data(), table, sizeof table);
    std::memcpy(padded.data() + sizeof table, message.data() + 8, message.size() - 8);
    return readMessage(padded);
  };
  constexpr std::size_t kLimit = std::size_t{64} << 20;
  EXPECT_EQ(kServiceLimits.messageBytes, kLimit);
  read(kLimit - 8);
  read(kLimit);
  expectError(ErrorKind::operationError, {"QuotaExceeded: the message has 67108872 bytes, more than 67108864."},
              [&] { read(kLimit + 8); });
}

TEST(MessageReader, LimitsConstantsInTheMessage) {
  const auto read = [](std::uint32_t bytes) {
    EditedMessage edited;
    auto constant = edited.addConstant();
    constant.getShape().set(0, bytes);
    constant.initBytes(bytes);
    return edited.read();
  };
  read((8 << 20) - 1);
  read(8 << 20);
  expectError(ErrorKind::operationError,
              {"constants[0]: QuotaExceeded: the constants in the message have more than 8388608 bytes."},
              [&] { read((8 << 20) + 1); });
}

TEST(MessageReader, LimitsNames) {
  const auto edit = [](std::size_t bytes, const std::function<void(EditedMessage&, const std::string&)>& set) {
    EditedMessage edited;
    set(edited, std::string(bytes, 'n'));
    return edited.read();
  };
  const std::function<void(EditedMessage&, const std::string&)> all[] = {
      [](EditedMessage& edited, const std::string& text) { edited.graph.setName(text.c_str()); },
      [](EditedMessage& edited, const std::string& text) { edited.graph.getInputs()[0].setName(text.c_str()); },
      [](EditedMessage& edited, const std::string& text) { edited.node().setLabel(text.c_str()); },
      [](EditedMessage& edited, const std::string& text) { edited.node().initOutputNames(1).set(0, text.c_str()); },
      [](EditedMessage& edited, const std::string& text) { edited.graph.getOutputs()[0].setName(text.c_str()); }};
  for (const auto& set : all) {
    edit(1023, set);
    edit(1024, set);
    expectError(ErrorKind::operationError, {"has 1025 bytes, more than 1024."}, [&] { edit(1025, set); });
  }
  EditedMessage edited;
  edited.node().setLabel(std::string(5000, 'n').c_str());
  edited.read(formats::fileLimits(6000));  // files have no limit for the length of a label
}

TEST(MessageReader, LimitsOperations) {
  const auto read = [](unsigned count) {
    EditedMessage edited;
    auto nodes = edited.graph.initNodes(count);
    for (unsigned i = 0; i < count; ++i) nodes[i].getOperation().initRelu().setInput(i);
    return edited.read();
  };
  read(65535);
  read(65536);
  expectError(ErrorKind::operationError, {"QuotaExceeded: nodes: there are 65537, more than 65536."}, [&] { read(65537); });
}

TEST(MessageReader, LimitsOperands) {
  const auto read = [](unsigned count) {
    EditedMessage edited;
    auto inputs = edited.graph.initInputs(count - 1);
    for (unsigned i = 0; i < inputs.size(); ++i) inputs[i].setName(std::to_string(i).c_str());
    edited.graph.getOutputs()[0].setOperand(count - 1);
    return edited.read();
  };
  read(262143);
  read(262144);
  expectError(ErrorKind::operationError, {"nodes[0]: QuotaExceeded: ", "more than 262144 operands, the limit of the service"},
              [&] { read(262145); });
}

// The schema does not allow messages as deep as the limit, so the test lowers the limit: 6 pointers lead to the sizes of a split.
TEST(MessageReader, LimitsNesting) {
  EXPECT_EQ(kServiceLimits.nesting, 32);
  EditedMessage edited;
  auto split = edited.node().getOperation().initSplit();
  split.setInput(0);
  split.initSplits().initSizes(1).set(0, 2);
  for (const int nesting : {7, 6}) {
    MessageLimits limits;
    limits.nesting = nesting;
    edited.read(limits);
  }
  MessageLimits limits;
  limits.nesting = 5;
  expectError(ErrorKind::dataError, {"nodes[0]: split: the message is malformed: ", "deeply"}, [&] { edited.read(limits); });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
