#include "coreml/apple/fake.h"

#import <CoreML/CoreML.h>
#import <objc/runtime.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <vector>

// Blocks stay on the stack, because nothing stores them.
extern "C" {
void* _NSConcreteStackBlock[32];
void* _NSConcreteGlobalBlock[32];
}

namespace webnn::fake {

Apple& apple() {
  static Apple it;
  return it;
}

namespace {

std::atomic<std::size_t> live{0};
std::vector<id> dead;

// Holds the data that is stored behind the instance variables of each object.
struct Extra {
  std::atomic<long> count{1};
  std::shared_ptr<void> value;
};

Extra& extraOf(id object) {
  char* const end = reinterpret_cast<char*>(object) + class_getInstanceSize(object_getClass(object));
  return *reinterpret_cast<Extra*>((reinterpret_cast<std::uintptr_t>(end) + alignof(Extra) - 1) / alignof(Extra) *
                                   alignof(Extra));
}

template <typename T>
T& valueOf(id object) {
  std::shared_ptr<void>& value = extraOf(object).value;
  if (!value) value = std::make_shared<T>();
  return *static_cast<T*>(value.get());
}

id made(Class cls) { return [[[cls alloc] init] autorelease]; }

NSString* stringOf(const std::string& text) { return [NSString stringWithUTF8String:text.c_str()]; }

NSError* errorOf(const ErrorText& text) {
  NSError* const error = made([NSError class]);
  valueOf<ErrorText>(error) = text;
  return error;
}

// If `text` describes a failure, raises it as an exception, or sets `error` and returns true.
bool fails(const ErrorText& text, NSError* _Nullable* _Nullable error) {
  if (text.text.empty()) return false;
  if (apple().raises) {
    NSException* const exception = made([NSException class]);
    valueOf<ErrorText>(exception) = text;
    @throw exception;
  }
  if (error) *error = errorOf(text);
  return true;
}

using Objects = std::vector<id>;
struct Dictionary {
  std::map<std::string, id> items;
};

void releaseAll(const Objects& objects) {
  for (const id object : objects) [object release];
}

thread_local std::vector<Objects> pools;

struct ArrayValue {
  coreml::Array array;
  std::vector<std::byte> own;  // the array's memory, if no caller owns it
};

}  // namespace

std::size_t liveObjects() { return live; }

}  // namespace webnn::fake

using namespace webnn::fake;
using webnn::coreml::Array;

@interface NSAutoreleasePool : NSObject
- (void)drain;
@end

@implementation NSObject
+ (instancetype)alloc {
  const id object = class_createInstance(self, sizeof(Extra) + alignof(Extra));
  new (&extraOf(object)) Extra;
  ++live;
  return object;
}
+ (Class)class {
  return self;
}
- (instancetype)init {
  return self;
}
- (void)dealloc {
  extraOf(self).~Extra();
  extraOf(self).count = -1000;  // not freed, so that a later message to the object is detected
  dead.push_back(self);
  --live;
}
- (BOOL)isKindOfClass:(Class)aClass {
  for (Class cls = object_getClass(self); cls; cls = class_getSuperclass(cls)) {
    if (cls == aClass) return YES;
  }
  return NO;
}
- (instancetype)retain {
  if (++extraOf(self).count < 2) std::abort();
  return self;
}
- (oneway void)release {
  const long left = --extraOf(self).count;
  if (left < 0) std::abort();
  if (left == 0) [self dealloc];
}
- (instancetype)autorelease {
  if (pools.empty()) std::abort();  // without a pool, the object would leak
  pools.back().push_back(self);
  return self;
}
@end

@implementation NSAutoreleasePool
- (instancetype)init {
  pools.emplace_back();
  return self;
}
- (void)drain {
  const Objects objects = pools.back();
  releaseAll(objects);
  pools.pop_back();
  [self release];
}
@end

@implementation NSString
+ (instancetype)string {
  return made(self);
}
+ (instancetype)stringWithUTF8String:(const char*)text {
  NSString* const string = made(self);
  valueOf<std::string>(string) = text;
  return string;
}
- (const char*)UTF8String {
  return valueOf<std::string>(self).c_str();
}
@end

@implementation NSNumber
+ (NSNumber*)numberWithLongLong:(long long)value {
  NSNumber* const number = made(self);
  valueOf<long long>(number) = value;
  return number;
}
- (long long)longLongValue {
  return valueOf<long long>(self);
}
@end

@implementation NSArray
- (NSUInteger)count {
  return valueOf<Objects>(self).size();
}
- (id)objectAtIndex:(NSUInteger)index {
  return valueOf<Objects>(self).at(index);
}
- (void)dealloc {
  releaseAll(valueOf<Objects>(self));
  [super dealloc];
}
@end

@implementation NSMutableArray
+ (instancetype)arrayWithCapacity:(NSUInteger)numItems {
  return made(self);
}
- (void)addObject:(id)anObject {
  valueOf<Objects>(self).push_back([anObject retain]);
}
@end

@implementation NSDictionary
- (NSUInteger)count {
  return valueOf<Dictionary>(self).items.size();
}
- (id)objectForKey:(id)aKey {
  const auto& items = valueOf<Dictionary>(self).items;
  const auto found = items.find([aKey UTF8String]);
  return found == items.end() ? nil : found->second;
}
- (void)dealloc {
  for (const auto& [key, object] : valueOf<Dictionary>(self).items) [object release];
  [super dealloc];
}
@end

@implementation NSMutableDictionary
+ (instancetype)dictionaryWithCapacity:(NSUInteger)numItems {
  return made(self);
}
- (void)setObject:(id)anObject forKey:(id)aKey {
  id& place = valueOf<Dictionary>(self).items[[aKey UTF8String]];
  [anObject retain];
  [place release];
  place = anObject;
}
@end

@implementation NSURL
+ (NSURL*)fileURLWithPath:(NSString*)path isDirectory:(BOOL)isDir {
  if (!isDir) std::abort();
  NSURL* const url = made(self);
  valueOf<std::string>(url) = path.UTF8String;
  return url;
}
- (NSString*)path {
  return stringOf(valueOf<std::string>(self));
}
@end

@implementation NSError
- (NSString*)domain {
  return stringOf(valueOf<ErrorText>(self).domain);
}
- (NSInteger)code {
  return valueOf<ErrorText>(self).code;
}
- (NSString*)localizedDescription {
  return stringOf(valueOf<ErrorText>(self).text);
}
@end

@implementation NSException
- (NSString*)name {
  return stringOf(valueOf<ErrorText>(self).domain);
}
- (NSString*)reason {
  return stringOf(valueOf<ErrorText>(self).text);
}
@end

@implementation NSProcessInfo
+ (NSProcessInfo*)processInfo {
  static NSProcessInfo* const info = [[NSProcessInfo alloc] init];  // never released
  return info;
}
- (NSOperatingSystemVersion)operatingSystemVersion {
  return {apple().major, apple().minor, 0};
}
@end

namespace {

NSArray* numbersOf(const std::vector<std::int64_t>& values) {
  NSMutableArray* const numbers = [NSMutableArray arrayWithCapacity:0];
  for (const std::int64_t value : values) [numbers addObject:[NSNumber numberWithLongLong:value]];
  return numbers;
}

std::vector<std::int64_t> valuesOf(NSArray* numbers) {
  std::vector<std::int64_t> values;
  for (NSUInteger i = 0; i < numbers.count; ++i) values.push_back([[numbers objectAtIndex:i] longLongValue]);
  return values;
}

// Returns an array like `model` in new memory, with room for three more elements along each dimension.
MLMultiArray* arrayLike(const Array& model) {
  MLMultiArray* const made = [[[MLMultiArray alloc] init] autorelease];
  auto& value = valueOf<ArrayValue>(made);
  value.array = model;
  std::int64_t stride = 1;
  for (std::size_t i = model.shape.size(); i-- > 0;) {
    value.array.strides[i] = stride;
    stride *= model.shape[i] + 3;
  }
  value.own.resize(static_cast<std::size_t>(stride) * webnn::coreml::elementSize(model.type), std::byte{0xA5});
  value.array.data = value.own.data();
  return made;
}

std::vector<Array> arraysOf(NSDictionary* dictionary, bool areValues) {
  std::vector<Array> arrays;
  for (const auto& [key, object] : valueOf<Dictionary>(dictionary).items) {
    arrays.push_back(valueOf<ArrayValue>(areValues ? [object multiArrayValue] : object).array);
    arrays.back().name = key;
  }
  return arrays;
}

}  // namespace

@implementation MLMultiArray
- (instancetype)initWithDataPointer:(void*)dataPointer
                              shape:(NSArray*)shape
                           dataType:(MLMultiArrayDataType)dataType
                            strides:(NSArray*)strides
                        deallocator:(void (^)(void*))deallocator
                              error:(NSError* _Nullable* _Nullable)error {
  if (deallocator) std::abort();
  valueOf<ArrayValue>(self).array = {.name = "",
                                     .type = static_cast<webnn::coreml::ArrayType>(dataType),
                                     .shape = valuesOf(shape),
                                     .strides = valuesOf(strides),
                                     .data = static_cast<std::byte*>(dataPointer)};
  return self;
}
- (MLMultiArrayDataType)dataType {
  return static_cast<MLMultiArrayDataType>(valueOf<ArrayValue>(self).array.type);
}
- (NSArray*)shape {
  return numbersOf(valueOf<ArrayValue>(self).array.shape);
}
- (NSArray*)strides {
  return numbersOf(valueOf<ArrayValue>(self).array.strides);
}
- (void)getBytesWithHandler:(void (^__attribute__((noescape)))(const void*, NSInteger))handler {
  const auto& value = valueOf<ArrayValue>(self);
  handler(value.own.data(), static_cast<NSInteger>(value.own.size()));
}
@end

@implementation MLFeatureValue
+ (instancetype)featureValueWithMultiArray:(MLMultiArray*)array {
  MLFeatureValue* const value = made(self);
  valueOf<Objects>(value) = {[array retain]};
  return value;
}
- (MLMultiArray*)multiArrayValue {
  return valueOf<Objects>(self).front();
}
- (void)dealloc {
  releaseAll(valueOf<Objects>(self));
  [super dealloc];
}
@end

@implementation MLDictionaryFeatureProvider
- (instancetype)initWithDictionary:(NSDictionary*)dictionary error:(NSError* _Nullable* _Nullable)error {
  valueOf<Objects>(self) = {[dictionary retain]};
  return self;
}
- (MLFeatureValue*)featureValueForName:(NSString*)name {
  return [(NSDictionary*)valueOf<Objects>(self).front() objectForKey:name];
}
- (void)dealloc {
  releaseAll(valueOf<Objects>(self));
  [super dealloc];
}
@end

@implementation MLPredictionOptions
- (NSDictionary*)outputBackings {
  return valueOf<Objects>(self).front();
}
- (void)setOutputBackings:(NSDictionary*)backings {
  valueOf<Objects>(self) = {[backings retain]};
}
- (void)dealloc {
  releaseAll(valueOf<Objects>(self));
  [super dealloc];
}
@end

@implementation MLModelConfiguration
- (MLComputeUnits)computeUnits {
  return valueOf<MLComputeUnits>(self);
}
- (void)setComputeUnits:(MLComputeUnits)units {
  valueOf<MLComputeUnits>(self) = units;
}
@end

@implementation MLGPUComputeDevice
@end

@implementation MLNeuralEngineComputeDevice
@end

@implementation MLModel
+ (NSArray*)availableComputeDevices {
  NSMutableArray* const devices = [NSMutableArray arrayWithCapacity:2];
  if (apple().hasGpu) [devices addObject:made([MLGPUComputeDevice class])];
  if (apple().hasNeuralEngine) [devices addObject:made([MLNeuralEngineComputeDevice class])];
  return devices;
}
+ (NSURL*)compileModelAtURL:(NSURL*)modelURL error:(NSError* _Nullable* _Nullable)error {
  apple().package = modelURL.path.UTF8String;
  if (fails(apple().compileError, error)) return nil;
  const std::filesystem::path package = apple().package;
  if (!std::filesystem::exists(package / "Data/com.apple.CoreML/model.mlmodel")) std::abort();
  apple().compiled = package.parent_path().string() + ".mlmodelc";
  std::filesystem::create_directories(apple().compiled + "/weights");
  return [NSURL fileURLWithPath:stringOf(apple().compiled) isDirectory:YES];
}
+ (instancetype)modelWithContentsOfURL:(NSURL*)url
                         configuration:(MLModelConfiguration*)configuration
                                 error:(NSError* _Nullable* _Nullable)error {
  if (fails(apple().loadError, error)) return nil;
  if (!std::filesystem::exists(url.path.UTF8String)) std::abort();
  apple().units = configuration.computeUnits;
  return made(self);
}
- (id<MLFeatureProvider>)predictionFromFeatures:(id<MLFeatureProvider>)input
                                        options:(MLPredictionOptions*)options
                                          error:(NSError* _Nullable* _Nullable)error {
  if (fails(apple().predictError, error)) return nil;
  if (!std::filesystem::exists(apple().compiled)) std::abort();  // the compiled model with its weights must still exist
  NSMutableDictionary* const made = [NSMutableDictionary dictionaryWithCapacity:0];
  std::vector<Array> outputs;
  for (const auto& [key, backing] : valueOf<Dictionary>(options.outputBackings).items) {
    MLMultiArray* const output = apple().ignoresBackings ? arrayLike(valueOf<ArrayValue>(backing).array) : backing;
    outputs.push_back(valueOf<ArrayValue>(output).array);
    outputs.back().name = key;
    if (!apple().forgetsOutputs) [made setObject:[MLFeatureValue featureValueWithMultiArray:output] forKey:stringOf(key)];
  }
  apple().predict(arraysOf(valueOf<Objects>((id)input).front(), true), outputs);
  return [[[MLDictionaryFeatureProvider alloc] initWithDictionary:made error:nullptr] autorelease];
}
@end
