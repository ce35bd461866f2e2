// Divides documents into training and held-out text.

#pragma once

#include <cstdint>
#include <string>
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
/// are equal. `rule`: that documents were made by ("corpus.documents"), for the message.
Split split_by_fraction(const std::vector<std::string_view>& documents, double fraction,
                        std::string_view rule = "files");

/// How text is cut into more documents than a rule makes of it, for messages.
std::string more_documents(std::string_view rule);

/// Holds out the given documents. Documents that are also in `held_out` are removed from training.
/// Throws std::invalid_argument where either part is then empty.
Split split_as_given(const std::vector<std::string_view>& training,
                     const std::vector<std::string_view>& held_out);

/// How many of the documents are equal to an earlier one.
std::int64_t copies_in(const std::vector<std::string_view>& documents);

}  // namespace ablate::data
