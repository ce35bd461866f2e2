// Places of a training order, drawn in blocks; the counts before each block are cached.

#include "harness/data/batches/mixture.h"

#include <algorithm>
#include <cmath>

#include "harness/base/error.h"
#include "harness/base/rng.h"

namespace ablate::data {
namespace {

constexpr std::int64_t kBlock = 1024;  // places: the maximum drawn again to find one

}  // namespace

Mixture::Mixture(const std::vector<double>& probabilities, std::uint64_t seed) : seed_(seed) {
  double sum = 0;
  for (const double probability : probabilities) {
    if (!(probability > 0))
      reject("a mixture has a share of {:g}; each share must be above 0", probability);
    until_.push_back(sum += probability);
  }
  if (std::abs(sum - 1) > 1e-6)
    reject("the shares of a mixture sum to {:g}; they must sum to 1", sum);
  counts_.emplace_back(until_.size(), 0);
}

std::size_t Mixture::member_of(std::int64_t place) const {
  if (until_.size() == 1) return 0;
  const double draw =
      Rng(seed_, Stream::members, static_cast<std::uint64_t>(place)).uniform() * until_.back();
  const auto found = std::upper_bound(until_.begin(), until_.end() - 1, draw);
  return static_cast<std::size_t>(found - until_.begin());
}

std::vector<std::int64_t> Mixture::counts_before(std::int64_t block) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  while (std::ssize(counts_) <= block) {
    std::vector<std::int64_t> counts = counts_.back();
    const std::int64_t first = (std::ssize(counts_) - 1) * kBlock;
    for (std::int64_t place = first; place < first + kBlock; ++place) ++counts[member_of(place)];
    counts_.push_back(std::move(counts));
  }
  return counts_[static_cast<std::size_t>(block)];
}

std::vector<Mixture::Place> Mixture::places(std::int64_t first, std::int64_t count) const {
  std::vector<Place> places;
  if (until_.size() == 1) {
    for (std::int64_t place = first; place < first + count; ++place) places.push_back({0, place});
    return places;
  }
  std::vector<std::int64_t> counts = counts_before(first / kBlock);
  for (std::int64_t place = first / kBlock * kBlock; place < first + count; ++place) {
    const std::size_t member = member_of(place);
    const std::int64_t index = counts[member]++;
    if (place >= first) places.push_back({member, index});
  }
  return places;
}

}  // namespace ablate::data
