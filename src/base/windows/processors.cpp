#include "base/processors.h"

#include <algorithm>
#include <chrono>

namespace webnn {

unsigned allowedProcessors() { return std::max(std::thread::hardware_concurrency(), 1U); }
std::vector<unsigned> allowedProcessorNumbers() { return {}; }
void bindThread(std::thread&, unsigned) {}
double threadSeconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
bool permitTiles() { return false; }
ArmFeatures armFeatures() { return {}; }
DataCaches dataCachesOfLibrary() { return {}; }

}  // namespace webnn
