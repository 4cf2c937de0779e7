// A card that there is not: what tests see of card_library.cpp, and tell it.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace webnn::test {

struct Card {
  std::mutex mutex;
  // The provider options of all sessions, in order: "CUDA device_id=0 use_tf32=0".
  std::vector<std::string> providers;
  // By function of the API: how many more calls succeed before one fails.
  std::map<std::string, int> faults;
  // Tensors that runs on the card took from the host's memory or put there.
  int uploads = 0, downloads = 0;
  int runs = 0;
  int objects = 0;        // of the API that are not released
  std::size_t bytes = 0;  // allocated on the card
};

}  // namespace webnn::test
