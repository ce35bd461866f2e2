// Texts from several corpora: which of them each text is drawn from.

#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

namespace ablate::data {

/// Assigns the places of a training order to the members of a mixture, each place by a random
/// number of its own, so that any stretch of the order can be drawn without those before it. What a
/// member gives is its own order, in which it loses no text to the others.
class Mixture {
 public:
  /// Throws std::invalid_argument where a share is not above 0 or they do not sum to 1.
  Mixture(std::vector<double> shares, std::uint64_t seed);

  struct Place {
    std::size_t member = 0;
    std::int64_t index = 0;  // in the member's own order
  };

  /// The places [first, first + count). Safe to be called from several threads.
  std::vector<Place> places(std::int64_t first, std::int64_t count) const;

 private:
  std::size_t member_of(std::int64_t place) const;
  std::vector<std::int64_t> counts_before(std::int64_t block) const;

  std::vector<double> until_;  // sums of shares, up to each member's
  std::uint64_t seed_;
  mutable std::mutex mutex_;
  mutable std::vector<std::vector<std::int64_t>> counts_;  // [block, member]: places before it
};

}  // namespace ablate::data
