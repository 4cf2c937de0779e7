// Calls Core ML without automatic reference counting. Autoreleased objects, such as an NSError, live until guarded() drains its
// pool. guarded() therefore returns a failure as a C++ value; C++ exceptions are only thrown outside guarded().
#import <CoreML/CoreML.h>
#import <Foundation/Foundation.h>

#include <optional>
#include <system_error>
#include <utility>

#include "backends/coreml/failure.h"
#include "backends/coreml/framework.h"

namespace webnn::coreml {

namespace {

std::string textOf(NSString* text) {
  const char* const bytes = text ? text.UTF8String : nullptr;
  return bytes ? bytes : "";
}

// Returns an autoreleased NSString, which is empty if `text` is invalid UTF-8.
NSString* stringOf(const std::string& text) {
  NSString* const made = [NSString stringWithUTF8String:text.c_str()];
  return made ? made : [NSString string];
}

Failure failureOf(NSError* error) {
  if (!error) return {.domain = "com.apple.CoreML", .code = 0, .text = ""};
  return {.domain = textOf(error.domain), .code = error.code, .text = textOf(error.localizedDescription)};
}

// Calls `work` in an autorelease pool and returns its failure, if any. An Objective-C exception also becomes a failure.
template <typename Work>
std::optional<Failure> guarded(Work work) {
  std::optional<Failure> failure;
  @autoreleasepool {
    @try {
      failure = work();
    } @catch (NSException* exception) {
      failure = Failure{.domain = textOf(exception.name), .code = 0, .text = textOf(exception.reason)};
    }
  }
  return failure;
}

NSArray<NSNumber*>* numbersOf(const std::vector<std::int64_t>& values) {
  NSMutableArray<NSNumber*>* const numbers = [NSMutableArray arrayWithCapacity:values.size()];
  for (const std::int64_t value : values) [numbers addObject:[NSNumber numberWithLongLong:value]];
  return numbers;
}

std::vector<std::int64_t> valuesOf(NSArray<NSNumber*>* numbers) {
  std::vector<std::int64_t> values;
  for (NSUInteger i = 0; i < numbers.count; ++i) values.push_back([numbers objectAtIndex:i].longLongValue);
  return values;
}

// Wraps the caller's memory without copying it. Returns nil and sets `error` if Core ML refuses it.
MLMultiArray* multiArrayOver(const Array& array, NSError** error) {
  return [[[MLMultiArray alloc] initWithDataPointer:array.data
                                              shape:numbersOf(array.shape)
                                           dataType:static_cast<MLMultiArrayDataType>(array.type)
                                            strides:numbersOf(array.strides)
                                        deallocator:nil
                                              error:error] autorelease];
}

// If Core ML returned an array other than `wanted`, copies that array to `to`. Returns the failure, if any.
std::optional<Failure> takeOutput(MLMultiArray* made, MLMultiArray* wanted, const Array& to) {
  std::string_view wrong;
  if (!made) {
    wrong = "it is no array";
  } else if (made != wanted) {
    ForeignArray from{.type = made.dataType, .shape = valuesOf(made.shape), .strides = valuesOf(made.strides), .bytes = {}};
    ForeignArray* const array = &from;
    const Array* const output = &to;
    std::string_view* const result = &wrong;
    *result = "its memory is not to be had";
    [made getBytesWithHandler:^(const void* bytes, NSInteger size) {
      array->bytes = {static_cast<const std::byte*>(bytes), static_cast<std::size_t>(size)};
      *result = copyPacked(*array, *output);
    }];
  }
  if (wrong.empty()) return std::nullopt;
  return Failure{.domain = "webnn", .code = 0, .text = "output \"" + to.name + "\": " + std::string(wrong)};
}

class AppleModel final : public LoadedModel {
 public:
  AppleModel() = default;
  AppleModel(const AppleModel&) = delete;
  AppleModel& operator=(const AppleModel&) = delete;
  ~AppleModel() override {
    // Release the model before its directory is removed, because it may read weights from there as long as it lives.
    static_cast<void>(guarded([this]() -> std::optional<Failure> {
      [model_ release];
      return std::nullopt;
    }));
    std::error_code ignored;
    if (!compiled_.empty()) std::filesystem::remove_all(compiled_, ignored);
  }

  std::optional<Failure> load(const std::filesystem::path& package, ComputeUnits units) {
    NSError* error = nil;
    NSURL* const url = [NSURL fileURLWithPath:stringOf(package.string()) isDirectory:YES];
    NSURL* const compiled = [MLModel compileModelAtURL:url error:&error];
    if (!compiled) return failureOf(error);
    compiled_ = textOf(compiled.path);
    MLModelConfiguration* const configuration = [[[MLModelConfiguration alloc] init] autorelease];
    configuration.computeUnits = static_cast<MLComputeUnits>(units);
    model_ = [[MLModel modelWithContentsOfURL:compiled configuration:configuration error:&error] retain];
    return model_ ? std::nullopt : std::optional(failureOf(error));
  }

  void predict(std::span<const Array> inputs, std::span<const Array> outputs) const override {
    const std::optional<Failure> failure = guarded([&] { return tryToPredict(inputs, outputs); });
    if (failure) failRun(*failure);
  }

 private:
  std::optional<Failure> tryToPredict(std::span<const Array> inputs, std::span<const Array> outputs) const {
    NSError* error = nil;
    NSMutableDictionary<NSString*, id>* const features = [NSMutableDictionary dictionaryWithCapacity:inputs.size()];
    for (const Array& input : inputs) {
      MLMultiArray* const array = multiArrayOver(input, &error);
      if (!array) return failureOf(error);
      [features setObject:[MLFeatureValue featureValueWithMultiArray:array] forKey:stringOf(input.name)];
    }
    MLDictionaryFeatureProvider* const provider = [[[MLDictionaryFeatureProvider alloc] initWithDictionary:features
                                                                                                     error:&error] autorelease];
    if (!provider) return failureOf(error);

    NSMutableDictionary<NSString*, id>* const backings = [NSMutableDictionary dictionaryWithCapacity:outputs.size()];
    std::vector<MLMultiArray*> wanted;  // retained by the dictionary
    for (const Array& output : outputs) {
      wanted.push_back(multiArrayOver(output, &error));
      if (!wanted.back()) return failureOf(error);
      [backings setObject:wanted.back() forKey:stringOf(output.name)];
    }
    MLPredictionOptions* const options = [[[MLPredictionOptions alloc] init] autorelease];
    options.outputBackings = backings;

    const id<MLFeatureProvider> results = [model_ predictionFromFeatures:provider options:options error:&error];
    if (!results) return failureOf(error);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      MLMultiArray* const made = [results featureValueForName:stringOf(outputs[i].name)].multiArrayValue;
      if (std::optional<Failure> failure = takeOutput(made, wanted[i], outputs[i])) return failure;
    }
    return std::nullopt;
  }

  MLModel* model_ = nil;
  std::filesystem::path compiled_;
};

class AppleFramework final : public Framework {
 public:
  OsVersion osVersion() const override {
    @autoreleasepool {
      const NSOperatingSystemVersion version = NSProcessInfo.processInfo.operatingSystemVersion;
      return {version.majorVersion, version.minorVersion};
    }
  }

  Devices devices() const override {
    Devices devices;
    static_cast<void>(guarded([&]() -> std::optional<Failure> {
      if (@available(macOS 14.0, *)) {
        NSArray<id<MLComputeDeviceProtocol>>* const all = MLModel.availableComputeDevices;
        for (NSUInteger i = 0; i < all.count; ++i) {
          const id device = [all objectAtIndex:i];
          devices.gpu = devices.gpu || [device isKindOfClass:[MLGPUComputeDevice class]];
          devices.neuralEngine = devices.neuralEngine || [device isKindOfClass:[MLNeuralEngineComputeDevice class]];
        }
      } else {
#if defined(__arm64__)
        devices = {.gpu = true, .neuralEngine = true};  // every Apple silicon Mac has both
#else
        devices.gpu = true;
#endif
      }
      return std::nullopt;
    }));
    return devices;
  }

  std::unique_ptr<LoadedModel> load(const std::filesystem::path& package, ComputeUnits units) const override {
    auto model = std::make_unique<AppleModel>();
    const std::optional<Failure> failure = guarded([&] { return model->load(package, units); });
    if (failure) failBuild(*failure);
    return model;
  }
};

}  // namespace

const Framework& appleFramework() {
  static const AppleFramework framework;
  return framework;
}

}  // namespace webnn::coreml
