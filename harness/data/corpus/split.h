// Which documents no trial trains on.

#pragma once

#include <string_view>
#include <vector>

namespace ablate::data {

struct Split {
  std::vector<std::string_view> training;  // in the order in which they were given
  std::vector<std::string_view> held_out;
};

/// Holds out about `share` of the documents, by a draw keyed by each document's content: what is
/// held out does not change when others come, go or change their order, and equal documents stay
/// together. At least one is held out and one is not. Throws std::invalid_argument where no two
/// differ.
Split split_by_share(const std::vector<std::string_view>& documents, double share);

/// Holds out what is given. Documents that also stand in the held-out text are left out of
/// training. Throws std::invalid_argument where nothing is left of either.
Split split_as_given(const std::vector<std::string_view>& training,
                     const std::vector<std::string_view>& held_out);

}  // namespace ablate::data
