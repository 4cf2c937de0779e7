// The state of the simulated GPU in card_library.cpp, through which tests observe and control it.
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
  // Keyed by the name of an API function: the number of calls that succeed before one fails.
  std::map<std::string, int> faults;
  // The numbers of tensors that were copied to the GPU (uploads) and from it (downloads) during runs.
  int uploads = 0, downloads = 0;
  int runs = 0;
  int objects = 0;        // API objects that are not released yet
  std::size_t bytes = 0;  // allocated on the GPU
};

}  // namespace webnn::test
