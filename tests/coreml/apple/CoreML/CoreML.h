// Declares the part of Apple's Core ML that src/backends/coreml/framework.mm uses, as Apple documents it.
// https://developer.apple.com/documentation/coreml
#pragma once

#import <Foundation/Foundation.h>

#pragma clang assume_nonnull begin

typedef enum : NSInteger {
  MLComputeUnitsCPUOnly = 0,
  MLComputeUnitsCPUAndGPU = 1,
  MLComputeUnitsAll = 2,
  MLComputeUnitsCPUAndNeuralEngine WEBNN_SINCE(13.0) = 3,
} MLComputeUnits WEBNN_SINCE(10.14);

typedef enum : NSInteger {
  MLMultiArrayDataTypeDouble = 0x10000 | 64,
  MLMultiArrayDataTypeFloat32 = 0x10000 | 32,
  MLMultiArrayDataTypeFloat16 WEBNN_SINCE(12.0) = 0x10000 | 16,
  MLMultiArrayDataTypeInt32 = 0x20000 | 32,
} MLMultiArrayDataType WEBNN_SINCE(10.13);

WEBNN_SINCE(10.13)
@interface MLMultiArray : NSObject
@property(readonly, nonatomic) MLMultiArrayDataType dataType;
@property(readonly, nonatomic) NSArray<NSNumber*>* shape;
@property(readonly, nonatomic) NSArray<NSNumber*>* strides;
- (nullable instancetype)initWithDataPointer:(void*)dataPointer
                                       shape:(NSArray<NSNumber*>*)shape
                                    dataType:(MLMultiArrayDataType)dataType
                                     strides:(NSArray<NSNumber*>*)strides
                                 deallocator:(void (^_Nullable)(void* bytes))deallocator
                                       error:(NSError* _Nullable* _Nullable)error;
- (void)getBytesWithHandler:(void (^__attribute__((noescape)))(const void* bytes, NSInteger size))handler WEBNN_SINCE(12.3);
@end

WEBNN_SINCE(10.13)
@interface MLFeatureValue : NSObject
+ (instancetype)featureValueWithMultiArray:(MLMultiArray*)value;
@property(readonly, nullable, nonatomic) MLMultiArray* multiArrayValue;
@end

WEBNN_SINCE(10.13)
@protocol MLFeatureProvider <NSObject>
- (nullable MLFeatureValue*)featureValueForName:(NSString*)featureName;
@end

WEBNN_SINCE(10.13)
@interface MLDictionaryFeatureProvider : NSObject <MLFeatureProvider>
- (nullable instancetype)initWithDictionary:(NSDictionary<NSString*, id>*)dictionary error:(NSError* _Nullable* _Nullable)error;
@end

WEBNN_SINCE(10.13)
@interface MLPredictionOptions : NSObject
@property(copy, nonatomic) NSDictionary<NSString*, id>* outputBackings WEBNN_SINCE(11.0);
@end

WEBNN_SINCE(10.14)
@interface MLModelConfiguration : NSObject
@property(readwrite, nonatomic) MLComputeUnits computeUnits;
@end

WEBNN_SINCE(14.0)
@protocol MLComputeDeviceProtocol <NSObject>
@end

WEBNN_SINCE(14.0)
@interface MLGPUComputeDevice : NSObject <MLComputeDeviceProtocol>
@end

WEBNN_SINCE(14.0)
@interface MLNeuralEngineComputeDevice : NSObject <MLComputeDeviceProtocol>
@end

WEBNN_SINCE(10.13)
@interface MLModel : NSObject
+ (nullable instancetype)modelWithContentsOfURL:(NSURL*)url
                                  configuration:(MLModelConfiguration*)configuration
                                          error:(NSError* _Nullable* _Nullable)error WEBNN_SINCE(10.14);
// Deprecated since macOS 27.
+ (nullable NSURL*)compileModelAtURL:(NSURL*)modelURL error:(NSError* _Nullable* _Nullable)error;
- (nullable id<MLFeatureProvider>)predictionFromFeatures:(id<MLFeatureProvider>)input
                                                 options:(MLPredictionOptions*)options
                                                   error:(NSError* _Nullable* _Nullable)error;
@property(class, readonly, copy, nonatomic) NSArray<id<MLComputeDeviceProtocol>>* availableComputeDevices WEBNN_SINCE(14.0);
@end

#pragma clang assume_nonnull end
