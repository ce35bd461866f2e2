// Divides documents into training and held-out text.

#pragma once

#include <string_view>
#include <vector>

namespace ablate::data {

/// The documents of both parts.
struct Split {
  std::vector<std::string_view> training;  // in the given order
  std::vector<std::string_view> held_out;
};

/// Holds out about `fraction` of the documents, by a draw keyed by each document's content. Adding,
/// removing or reordering other documents does not change it, and equal documents stay together. At
/// least one document is held out and one is not. Throws std::invalid_argument where all documents
/// are equal.
Split split_by_fraction(const std::vector<std::string_view>& documents, double fraction);

/// Holds out the given documents. Documents that are also in `held_out` are removed from training.
/// Throws std::invalid_argument where either part is then empty.
Split split_as_given(const std::vector<std::string_view>& training,
                     const std::vector<std::string_view>& held_out);

}  // namespace ablate::data
