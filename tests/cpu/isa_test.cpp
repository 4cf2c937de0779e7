#include "backends/cpu/runtime/isa.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <ranges>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "backends/cpu/runtime/features.h"
#include "support/bits.h"
#include "webnn/error.h"

namespace webnn::cpu {
namespace WEBNN_TEST_FILE {

// A feature, and the names that Linux gives to its instruction set extensions.
struct NamedFeature {
  CpuFeature feature;
  std::vector<std::string> flags;
  bool isPermitted = false;  // the system may deny the feature to a process
};

const std::vector<NamedFeature>& namedFeatures() {
  using enum CpuFeature;
  static const std::vector<NamedFeature> all{
      {sse4, {"sse4_2"}},
      {avx2, {"avx2", "fma", "bmi1", "bmi2", "f16c"}},
      {avx512, {"avx512f", "avx512bw", "avx512dq", "avx512vl"}},
      {avx512Vnni, {"avx512_vnni"}},
      {avxVnni, {"avx_vnni"}},
      {avx512Bf16, {"avx512_bf16"}},
      {avx512Vbmi, {"avx512vbmi"}},
      {avx512Fp16, {"avx512_fp16"}},
      {amxTile, {"amx_tile"}, true},
      {amxInt8, {"amx_int8"}, true},
      {amxBf16, {"amx_bf16"}, true},
      {neon, {"asimd"}},
      {dotprod, {"asimddp"}},
      {i8mm, {"i8mm"}},
  };
  return all;
}

// Returns the first processor's flags in /proc/cpuinfo, or an empty set if the file lists none.
std::set<std::string> flagsOfSystem() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("flags") && !line.starts_with("Features")) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    return {std::istream_iterator<std::string>(words), {}};
  }
  return {};
}

TEST(CpuFeatures, AreThoseThatTheSystemNames) {
  WEBNN_NEEDS_64_BITS();
  const std::set<std::string> flags = flagsOfSystem();
#if defined(__aarch64__)
  constexpr const char* kAlways = "asimd";
#else
  constexpr const char* kAlways = "sse2";
#endif
  if (!flags.contains(kAlways)) GTEST_SKIP() << "/proc/cpuinfo names none, or those of an emulator's host";
  for (const NamedFeature& named : namedFeatures()) {
    const bool isThere = std::ranges::all_of(named.flags, [&](const std::string& flag) { return flags.contains(flag); });
    if (named.isPermitted && !processorFeatures().has(named.feature)) continue;
    EXPECT_EQ(processorFeatures().has(named.feature), isThere) << named.flags[0];
  }
}

TEST(CpuFeatures, IsASet) {
  CpuFeatures features{CpuFeature::avx2, CpuFeature::i8mm};
  features.add(CpuFeature::neon, false);
  for (const NamedFeature& named : namedFeatures()) {
    EXPECT_EQ(features.has(named.feature), named.feature == CpuFeature::avx2 || named.feature == CpuFeature::i8mm);
  }
  EXPECT_TRUE(features.contains({}));
  EXPECT_TRUE(features.contains({CpuFeature::i8mm}));
  EXPECT_FALSE(features.contains({CpuFeature::i8mm, CpuFeature::neon}));
  features.add(CpuFeature::neon);
  EXPECT_EQ(features, (CpuFeatures{CpuFeature::avx2} | CpuFeatures{CpuFeature::i8mm, CpuFeature::neon}));
}

constexpr CpuFeatures kNeon{CpuFeature::neon}, kDotprod{CpuFeature::neon, CpuFeature::dotprod},
    kI8mm{CpuFeature::neon, CpuFeature::dotprod, CpuFeature::i8mm};

TEST(CpuIsa, LevelsOfArmDifferInProductsOfBytes) {
  EXPECT_EQ(bestIsa(kNeon), Isa::neon);
  EXPECT_EQ(bestIsa(kDotprod), Isa::dotprod);
  EXPECT_EQ(bestIsa(kI8mm), Isa::i8mm);
  EXPECT_EQ(bestIsa({CpuFeature::neon, CpuFeature::i8mm}), Isa::neon);
  EXPECT_EQ(chooseIsa("neon", kI8mm), Isa::neon);
  EXPECT_TRUE(mayUse(Isa::dotprod, CpuFeature::dotprod, kI8mm));
  EXPECT_FALSE(mayUse(Isa::dotprod, CpuFeature::i8mm, kI8mm));
  EXPECT_FALSE(mayUse(Isa::neon, CpuFeature::dotprod, kI8mm));
}

#if defined(__x86_64__)

constexpr CpuFeatures kSse4{CpuFeature::sse4};
constexpr CpuFeatures kAvx2{CpuFeature::sse4, CpuFeature::avx2};
constexpr CpuFeatures kAvx512{CpuFeature::sse4, CpuFeature::avx2, CpuFeature::avx512};
constexpr CpuFeatures kAmx{CpuFeature::sse4,    CpuFeature::avx2,    CpuFeature::avx512, CpuFeature::avx512Bf16,
                           CpuFeature::amxTile, CpuFeature::amxInt8, CpuFeature::amxBf16};

TEST(CpuIsa, ALevelIsASetOfFeatures) {
  EXPECT_EQ(neededFeatures(Isa::sse4), kSse4);
  EXPECT_EQ(neededFeatures(Isa::avx2), kAvx2);
  EXPECT_EQ(neededFeatures(Isa::avx512), kAvx512);
  EXPECT_EQ(neededFeatures(Isa::amx), kAmx);
  EXPECT_EQ(neededFeatures(Isa::amxAlways), kAmx);
  EXPECT_EQ(neededFeatures(Isa::amxEmulated), kAvx512);
  // A level is unusable if any feature that it needs is missing.
  for (const Isa isa : {Isa::sse4, Isa::avx2, Isa::avx512, Isa::amx, Isa::amxAlways, Isa::amxEmulated}) {
    for (const NamedFeature& absent : namedFeatures()) {
      CpuFeatures features;
      for (const NamedFeature& named : namedFeatures()) features.add(named.feature, named.feature != absent.feature);
      EXPECT_EQ(isSupported(isa, features), !neededFeatures(isa).has(absent.feature)) << name(isa) << " " << absent.flags[0];
    }
  }
}

TEST(CpuIsa, TheBestIsTheHighestFullySupportedLevel) {
  EXPECT_EQ(bestIsa(kSse4), Isa::sse4);
  EXPECT_EQ(bestIsa(kAvx2), Isa::avx2);
  EXPECT_EQ(bestIsa(kAvx2 | CpuFeatures{CpuFeature::avxVnni}), Isa::avx2);
  EXPECT_EQ(bestIsa(kAvx512 | CpuFeatures{CpuFeature::avx512Vnni, CpuFeature::avx512Bf16}), Isa::avx512);
  EXPECT_EQ(bestIsa(kAmx), Isa::amx);
  EXPECT_EQ(bestIsa({CpuFeature::sse4, CpuFeature::avx512}), Isa::sse4);
}

TEST(CpuIsa, KernelsUseFeaturesOfBothTheLevelAndTheProcessor) {
  constexpr CpuFeatures kVnni = kAvx512 | CpuFeatures{CpuFeature::avx512Vnni, CpuFeature::avxVnni};
  EXPECT_FALSE(mayUse(Isa::sse4, CpuFeature::avx512Vnni, kVnni));
  EXPECT_TRUE(mayUse(Isa::avx2, CpuFeature::avx512Vnni, kVnni));  // avx512Vnni also has instructions for 256-bit vectors
  EXPECT_FALSE(mayUse(Isa::avx512, CpuFeature::avxVnni, kVnni));
  EXPECT_FALSE(mayUse(Isa::avx2, CpuFeature::avx512Vbmi, kVnni | CpuFeatures{CpuFeature::avx512Vbmi}));
  EXPECT_TRUE(mayUse(Isa::avx2, CpuFeature::avxVnni, kVnni));
  for (const Isa isa : {Isa::avx512, Isa::amx, Isa::amxEmulated}) {
    EXPECT_TRUE(mayUse(isa, CpuFeature::avx512Vnni, kVnni)) << name(isa);
    EXPECT_FALSE(mayUse(isa, CpuFeature::avx512Vnni, kAvx512)) << name(isa);
  }
  EXPECT_FALSE(mayUse(Isa::avx512, CpuFeature::amxTile, kAmx));
  EXPECT_TRUE(mayUse(Isa::amx, CpuFeature::amxTile, kAmx));
}

TEST(CpuIsa, FeaturesMayBeLeftOut) {
  constexpr CpuFeatures kAll = kAvx512 | CpuFeatures{CpuFeature::avx512Vnni, CpuFeature::avxVnni, CpuFeature::avx512Vbmi};
  constexpr CpuFeatures kBf16{CpuFeature::avx512Bf16};
  const auto used = [&](std::string_view text) {
    const Isa isa = chooseIsa(text, kAll);
    EXPECT_EQ(chooseIsa(spelling(isa), kAll), isa) << text;
    std::string features = spelling(isa) + ":";
    if (mayUse(isa, CpuFeature::avx512Vnni, kAll)) features += " vnni";
    if (mayUse(isa, CpuFeature::avxVnni, kAll)) features += " avx-vnni";
    if (mayUse(isa, CpuFeature::avx512Vbmi, kAll)) features += " vbmi";
    return features;
  };
  EXPECT_EQ(used("avx512"), "avx512: vnni vbmi");
  EXPECT_EQ(used("avx512,-vnni"), "avx512,-vnni: vbmi");
  EXPECT_EQ(used("avx512,-vbmi"), "avx512,-vbmi: vnni");
  EXPECT_EQ(used("avx512,-bf16"), "avx512,-bf16: vnni vbmi");
  EXPECT_TRUE(mayUse(chooseIsa("avx512", kAll), CpuFeature::avx512Bf16, kAll | kBf16));
  EXPECT_FALSE(mayUse(chooseIsa("avx512,-bf16", kAll), CpuFeature::avx512Bf16, kAll | kBf16));
  EXPECT_EQ(used("-vbmi,-vnni"), "avx512,-vnni,-vbmi:");
  EXPECT_EQ(used("-avx-vnni,-vnni"), "avx512,-vnni: vbmi");
  EXPECT_EQ(used("avx2"), "avx2: vnni avx-vnni");
  EXPECT_EQ(used("avx2,-avx-vnni"), "avx2,-avx-vnni: vnni");
  EXPECT_EQ(used("avx2,-vnni"), "avx2,-vnni:");
  EXPECT_EQ(used("sse4,-vnni"), "sse4,-vnni:");
  // A feature that a level excludes is also excluded from the levels derived from it.
  const Isa tiles = chooseIsa("amx-emulated,-vnni", kAll);
  EXPECT_EQ(withoutTiles(tiles), chooseIsa("avx512,-vnni", kAll));
  EXPECT_FALSE(tiles == chooseIsa("amx-emulated", kAll));
  for (const char* wrong : {"-", "-avx2", "avx512,", ",-vnni", "avx512,vnni", "avx512,-vnni,", "-vnni,avx512", "avx512,-VNNI"})
    EXPECT_THROW(chooseIsa(wrong, kAll), Error) << wrong;
}

TEST(CpuIsa, ALevelThatTheProcessorLacksIsAnError) {
  const auto errorOf = [](std::string_view name, CpuFeatures features) {
    try {
      return "not refused: " + std::string(cpu::name(chooseIsa(name, features)));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::notSupportedError);
      return std::string(error.what());
    }
  };
  EXPECT_EQ(chooseIsa("avx2", kAvx512), Isa::avx2);
  EXPECT_EQ(chooseIsa("amx-emulated", kAvx512), Isa::amxEmulated);
  EXPECT_EQ(chooseIsa("amx", kAmx), Isa::amx);
  EXPECT_EQ(chooseIsa("amx-always", kAmx), Isa::amxAlways);
  EXPECT_NE(errorOf("avx2", kSse4).find("this processor or system has no avx2; the best here is sse4."), std::string::npos);
  EXPECT_NE(errorOf("avx512", kAvx2).find("this processor or system has no avx512; the best here is avx2."), std::string::npos);
  EXPECT_NE(errorOf("amx", kAvx512).find("this processor or system has no amx; the best here is avx512."), std::string::npos);
  EXPECT_NE(errorOf("amx-emulated", kAvx2).find("this processor or system has no amx-emulated; the best here is avx2."), std::string::npos);
  EXPECT_NE(errorOf("sse4", {}).find("this processor has no SSE4.2, the least that the engine runs on."), std::string::npos);
}

#endif

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::cpu
