// A fake Core ML framework in C++.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "backends/coreml/coreml_backend.h"
#include "backends/coreml/framework.h"
#include "coreml/reference_model.h"

namespace webnn::test {

// Computes like the reference backend, and records its arguments.
class FakeFramework final : public coreml::Framework {
 public:
  coreml::OsVersion version{15, 1};
  coreml::Devices all{.gpu = true, .neuralEngine = true};
  std::shared_ptr<const GraphDefinition> graph;  // the graph of the next model that is loaded
  std::function<void()> whileLoading = [] {}, whilePredicting = [] {};
  mutable std::filesystem::path package;
  mutable coreml::ComputeUnits units{};
  mutable int loads = 0, predictions = 0, running = 0;
  mutable std::vector<const std::byte*> memory;  // the memory of the inputs and outputs of the last prediction

  coreml::OsVersion osVersion() const override { return version; }
  coreml::Devices devices() const override { return all; }
  std::unique_ptr<coreml::LoadedModel> load(const std::filesystem::path& path, coreml::ComputeUnits chosen) const override {
    ++loads;
    package = path;
    units = chosen;
    EXPECT_TRUE(std::filesystem::exists(path / "Manifest.json") &&
                std::filesystem::exists(path / "Data/com.apple.CoreML/model.mlmodel"));
    whileLoading();
    return std::make_unique<Model>(*this);
  }

 private:
  struct Model final : coreml::LoadedModel {
    explicit Model(const FakeFramework& theFramework) : framework(theFramework), model(theFramework.graph) {}
    void predict(std::span<const coreml::Array> inputs, std::span<const coreml::Array> outputs) const override {
      EXPECT_EQ(++framework.running, 1);  // no other prediction is running
      ++framework.predictions;
      framework.memory.clear();
      for (const auto arrays : {inputs, outputs}) {
        for (const coreml::Array& array : arrays) framework.memory.push_back(array.data);
      }
      framework.whilePredicting();
      model.predict(inputs, outputs);
      --framework.running;
    }
    const FakeFramework& framework;
    const ReferenceModel model;
  };
};

// The backend "coreml" with a fake framework, which receives the graph of each model before the backend does.
class FakeCoreMl final : public Backend {
 public:
  explicit FakeCoreMl(std::shared_ptr<FakeFramework> framework)
      : framework_(std::move(framework)), backend_(makeBackendIn(*framework_, {})) {}
  std::string_view name() const override { return backend_->name(); }
  bool accelerated() const override { return backend_->accelerated(); }
  OpSupportLimits opSupportLimits() const override { return backend_->opSupportLimits(); }
  std::unique_ptr<Executable> compile(std::shared_ptr<const GraphDefinition> graph, const Budget& budget) const override {
    framework_->graph = graph;
    return backend_->compile(std::move(graph), budget);
  }

 private:
  const std::shared_ptr<FakeFramework> framework_;
  const std::shared_ptr<const Backend> backend_;
};

}  // namespace webnn::test
