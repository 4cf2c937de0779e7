#include "amx_proposal.h"

#include <algorithm>
#include <cmath>

namespace webnn::bench {

namespace {

constexpr double kLeastRatio = 0.97;  // smaller losses are measurement noise

bool covers(const cpu::LeastProduct& least, const cpu::Product& product) {
  return product.m >= least.m && product.n >= least.n && product.k >= least.k;
}

// Returns the sum of the logarithms of the speed-ups of all products that are at least as large as `least`. Returns 0 if any of
// these products is more than 3 % slower on tiles.
double gainOf(const cpu::LeastProduct& least, const std::vector<MeasuredProduct>& measured) {
  double gain = 0;
  for (const MeasuredProduct& one : measured) {
    if (!covers(least, one.product)) continue;
    if (std::min(one.oneThread, one.twoThreads) < kLeastRatio) return 0;
    gain += std::log(one.oneThread * one.twoThreads);
  }
  return gain;
}

}  // namespace

std::optional<cpu::LeastProduct> proposeLeast(cpu::ProductType type, const std::vector<MeasuredProduct>& measured) {
  std::vector<MeasuredProduct> own;
  std::ranges::copy_if(measured, std::back_inserter(own), [&](const MeasuredProduct& one) { return one.product.type == type; });
  std::optional<cpu::LeastProduct> best;
  double most = 0;
  for (const MeasuredProduct& m : own) {
    for (const MeasuredProduct& n : own) {
      for (const MeasuredProduct& k : own) {
        const cpu::LeastProduct least{m.product.m, n.product.n, k.product.k};
        const double gain = gainOf(least, own);
        if (gain > most) most = gain, best = least;
      }
    }
  }
  return best;
}

}  // namespace webnn::bench
