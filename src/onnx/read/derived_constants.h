#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace webnn::formats::onnx {

// Constants that handlers computed from a model's weights. Imports of the same model for other sizes share a constant while a
// graph uses it. Several threads may use one object.
class DerivedConstants {
 public:
  // The addresses, types and numbers that determine the constant. The constant must keep the bytes at these addresses alive, so
  // that no other bytes get them.
  using Key = std::vector<std::uintptr_t>;

  // Returns the constant, or null if no graph uses it.
  std::shared_ptr<const void> find(const Key& key) const {
    const std::scoped_lock lock(mutex_);
    const auto found = constants_.find(key);
    return found == constants_.end() ? nullptr : found->second.lock();
  }

  void add(Key key, const std::shared_ptr<const void>& constant) {
    const std::scoped_lock lock(mutex_);
    if (constants_.size() >= most_) {
      std::erase_if(constants_, [](const auto& item) { return item.second.expired(); });
      most_ = std::max(kFew, 2 * constants_.size());  // so that the cost of a search for expired constants is constant per add()
    }
    constants_.insert_or_assign(std::move(key), constant);
  }

 private:
  static constexpr std::size_t kFew = 64;
  mutable std::mutex mutex_;
  std::map<Key, std::weak_ptr<const void>> constants_;
  std::size_t most_ = kFew;
};

}  // namespace webnn::formats::onnx
