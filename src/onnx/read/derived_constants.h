#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
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

  // Returns the constant, or makes it if no graph uses it. Calls from other threads wait until make() has returned.
  template <typename T>
  std::shared_ptr<const T> findOrMake(const Key& key, const std::function<std::shared_ptr<const T>()>& make) {
    const std::scoped_lock lock(mutex_);
    if (const auto found = constants_.find(key); found != constants_.end()) {
      if (auto constant = found->second.lock()) return std::static_pointer_cast<const T>(constant);
    }
    std::shared_ptr<const T> constant = make();
    if (constants_.size() >= most_) {
      std::erase_if(constants_, [](const auto& item) { return item.second.expired(); });
      most_ = std::max(kFew, 2 * constants_.size());  // so that a search for expired constants costs little per constant
    }
    constants_.insert_or_assign(key, constant);
    return constant;
  }

 private:
  static constexpr std::size_t kFew = 64;
  std::mutex mutex_;
  std::map<Key, std::weak_ptr<const void>> constants_;
  std::size_t most_ = kFew;
};

}  // namespace webnn::formats::onnx
