// Tests contexts whose graphs run in another process.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>

#include "capi_support.h"
#include "support/running_service.h"
#include "webnn/webnn.h"

namespace webnn::test {

namespace {

class Service : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("WEBNN_SERVICE_PROGRAM", WEBNN_SERVICE_PROGRAM, 1);
    ASSERT_EQ(webnnCreateInstance(nullptr, &instance, nullptr), WebnnStatus_Success);
  }
  void TearDown() override {
    webnnContextRelease(context);
    webnnInstanceRelease(instance);
  }

  WebnnStatus create(const std::string& service, const std::string& token = {}) {
    WebnnContextOptions options = WEBNN_CONTEXT_OPTIONS_INIT;
    options.service = viewOf(service);
    options.serviceToken = viewOf(token);
    WebnnError error = nullptr;
    const WebnnStatus status = webnnInstanceCreateContextSync(instance, &options, &context, &error);
    message = error ? messageOf(error) : "";
    webnnErrorRelease(error);
    return status;
  }

  // Returns -x, computed by a graph.
  float negated(float x) {
    WebnnGraphBuilder builder = nullptr;
    EXPECT_EQ(webnnContextCreateGraphBuilder(context, &builder, nullptr), WebnnStatus_Success);
    const WebnnOperand input = constantOf(builder, x);
    WebnnOperand y = nullptr;
    EXPECT_EQ(webnnGraphBuilderNeg(builder, input, nullptr, &y, nullptr), WebnnStatus_Success);
    const WebnnNamedOperand output{nullptr, WEBNN_TEXT("y"), y};
    WebnnGraph graph = nullptr;
    WebnnError error = nullptr;
    EXPECT_EQ(webnnGraphBuilderBuildSync(builder, 1, &output, &graph, &error), WebnnStatus_Success) << messageOf(error);
    WebnnTensorDescriptor descriptor = WEBNN_TENSOR_DESCRIPTOR_INIT;
    descriptor.dataType = WebnnOperandDataType_Float32;
    descriptor.shape = {0, nullptr};
    descriptor.readable = 1;
    WebnnTensor tensor = nullptr;
    EXPECT_EQ(webnnContextCreateTensor(context, &descriptor, &tensor, nullptr), WebnnStatus_Success);
    const WebnnNamedTensor bound{nullptr, WEBNN_TEXT("y"), tensor};
    EXPECT_EQ(webnnContextDispatch(context, graph, 0, nullptr, 1, &bound, nullptr), WebnnStatus_Success);
    float result = 0;
    EXPECT_EQ(webnnContextReadTensorSync(context, tensor, {&result, sizeof result}, nullptr), WebnnStatus_Success);
    webnnTensorRelease(tensor);
    webnnGraphRelease(graph);
    webnnOperandRelease(y);
    webnnOperandRelease(input);
    webnnGraphBuilderRelease(builder);
    return result;
  }

  static WebnnOperand constantOf(WebnnGraphBuilder builder, float value) {
    WebnnOperandDescriptor descriptor = WEBNN_OPERAND_DESCRIPTOR_INIT;
    descriptor.dataType = WebnnOperandDataType_Float32;
    descriptor.shape = {0, nullptr};
    WebnnOperand operand = nullptr;
    EXPECT_EQ(webnnGraphBuilderConstant(builder, &descriptor, {&value, sizeof value}, &operand, nullptr), WebnnStatus_Success);
    return operand;
  }

  WebnnInstance instance = nullptr;
  WebnnContext context = nullptr;
  std::string message;
};

const std::string kToken(32, '7');

}  // namespace

TEST_F(Service, OfTheContextAlone) {
  ASSERT_EQ(create("private"), WebnnStatus_Success) << message;
  EXPECT_EQ(textOf(webnnContextGetService(context)), "private");
  EXPECT_EQ(textOf(webnnContextGetBackend(context)), "cpu");
  EXPECT_EQ(negated(2), -2);
}

TEST_F(Service, ByTheExecution) {
  WebnnContextOptions options = WEBNN_CONTEXT_OPTIONS_INIT;
  options.execution = WebnnExecution_Service;
  ASSERT_EQ(webnnInstanceCreateContextSync(instance, &options, &context, nullptr), WebnnStatus_Success);
  EXPECT_EQ(textOf(webnnContextGetService(context)), "private");
}

TEST_F(Service, IsNoneIfNotAskedFor) {
  ASSERT_EQ(create(""), WebnnStatus_Success) << message;
  EXPECT_EQ(textOf(webnnContextGetService(context)), "");
  EXPECT_EQ(textOf(webnnContextGetService(nullptr)), "");
}

TEST_F(Service, WhoseWorkerIsKilledLosesTheContextAndSaysWhy) {
  RunningService service(WEBNN_TOOL);
  ASSERT_EQ(create(service.address()), WebnnStatus_Success) << message;
  EXPECT_EQ(textOf(webnnContextGetService(context)), service.address());
  EXPECT_EQ(negated(3), -3);
  std::promise<std::string> lost;
  WebnnContextLostCallbackInfo info = WEBNN_CONTEXT_LOST_CALLBACK_INFO_INIT;
  info.mode = WebnnCallbackMode_AllowSpontaneous;
  info.callback = [](WebnnContextLostReason reason, WebnnStringView text, void* place, void*) {
    static_cast<std::promise<std::string>*>(place)->set_value(reason == WebnnContextLostReason_Lost ? textOf(text) : "");
  };
  info.userdata1 = &lost;
  webnnContextLost(context, info);
  service.killWorker();
  EXPECT_EQ(lost.get_future().get(), "worker was killed by signal 9 (SIGKILL)");
  EXPECT_EQ(webnnContextIsLost(context), 1U);
}

TEST_F(Service, ThatIsNotThere) {
  EXPECT_EQ(create("unix:/none/such"), WebnnStatus_NotSupportedError);
  EXPECT_NE(message.find("there is no service at \"unix:/none/such\""), std::string::npos) << message;
  EXPECT_EQ(context, nullptr);
}

TEST_F(Service, WhoseProgramIsNotThere) {
  ::setenv("WEBNN_SERVICE_PROGRAM", "/none/such", 1);
  EXPECT_EQ(create("private"), WebnnStatus_NotSupportedError);
  EXPECT_NE(message.find("\"/none/such\""), std::string::npos) << message;
}

TEST_F(Service, WhoseAddressIsNone) {
  EXPECT_EQ(create("tcp:1"), WebnnStatus_TypeError);
  EXPECT_NE(message.find("\"private\" or \"unix:PATH\", not \"tcp:1\""), std::string::npos) << message;
}

TEST_F(Service, ThatDoesNotKnowTheToken) {
  RunningService service(WEBNN_TOOL);
  EXPECT_EQ(create(service.address(), kToken.substr(1)), WebnnStatus_TypeError);
  EXPECT_NE(message.find("32 hexadecimal digits"), std::string::npos) << message;
  EXPECT_EQ(create(service.address(), kToken), WebnnStatus_OperationError);
  EXPECT_NE(message.find("or not this token"), std::string::npos) << message;
  EXPECT_EQ(create(service.address()), WebnnStatus_Success) << message;  // this user needs no token
}

TEST_F(Service, IsAskedByTheStruct) {
  WebnnContextOptions options = WEBNN_CONTEXT_OPTIONS_INIT;
  options.service = {nullptr, 3};
  EXPECT_EQ(webnnInstanceCreateContextSync(instance, &options, &context, nullptr), WebnnStatus_TypeError);
  options = WEBNN_CONTEXT_OPTIONS_INIT;
  options.serviceToken = {nullptr, 3};
  EXPECT_EQ(webnnInstanceCreateContextSync(instance, &options, &context, nullptr), WebnnStatus_TypeError);
}

}  // namespace webnn::test
