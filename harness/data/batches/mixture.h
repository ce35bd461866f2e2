// Mixtures of corpora: which of them each text is drawn from.

#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

namespace ablate::data {

/// Assigns each place of a training order to a member of the mixture, by an independent random
/// number, so that any part of the order can be drawn without the places before it. The texts of
/// each member are read in the order of that member, without gaps.
class Mixture {
 public:
  /// `probabilities`: of each member. Throws std::invalid_argument where one is not above 0, or
  /// where they do not sum to 1.
  Mixture(const std::vector<double>& probabilities, std::uint64_t seed);

  /// What is read at one place of the training order.
  struct Place {
    std::size_t member = 0;
    std::int64_t index = 0;  // in the order of the member
  };

  /// The places [first, first + count). Thread-safe.
  std::vector<Place> places(std::int64_t first, std::int64_t count) const;

 private:
  /// The member that a place is assigned to.
  std::size_t member_of(std::int64_t place) const;

  /// The number of places of each member before a block.
  std::vector<std::int64_t> counts_before(std::int64_t block) const;

  std::vector<double> until_;  // cumulative probabilities of the members
  std::uint64_t seed_;
  mutable std::mutex mutex_;
  mutable std::vector<std::vector<std::int64_t>> counts_;  // [block, member]: places before it
};

}  // namespace ablate::data
