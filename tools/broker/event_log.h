// The service's log: one line of JSON per event.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/files/file_descriptor.h"
#include "formats/document/json_value.h"
#include "service/token_bucket.h"

namespace webnn::service {

// The log never blocks. Lines that the reader cannot accept immediately, or that exceed the tenant's rate, are dropped and
// counted. The tenant's next line reports their number.
class EventLog {
 public:
  // Writes to `descriptor`, which stays open.
  explicit EventLog(int descriptor) : descriptor_(descriptor) {}
  using Members = std::initializer_list<std::pair<std::string_view, formats::Json>>;
  void write(std::string_view event, std::string_view tenant, std::uint64_t linesPerSecond, Members members);
  std::uint64_t dropped() const { return droppedInAll_; }

 private:
  struct Bucket {
    TokenBucket lines;
    std::uint64_t dropped = 0;
  };
  int descriptor_;
  std::map<std::string, Bucket, std::less<>> buckets_;
  std::uint64_t droppedInAll_ = 0;
};

}  // namespace webnn::service
