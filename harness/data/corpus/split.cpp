#include "harness/data/corpus/split.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "harness/base/error.h"
#include "harness/base/rng.h"

namespace ablate::data {
namespace {

/// Uniform over [0, 1), and the same for equal documents.
double draw_for(std::string_view document) {
  return Rng(0, Stream::split).fork(document).uniform();
}

}  // namespace

std::string more_documents(std::string_view rule) {
  if (rule == "lines") return "give text of more lines (corpus.documents is \"lines\")";
  if (rule == "pattern")
    return "give a pattern that more lines have (corpus.pattern), or corpus.documents = \"lines\"";
  return fmt::format(
      "cut the text into more documents (corpus.documents is \"{}\"; {} or \"lines\")", rule,
      rule == "files" ? "give \"blank_lines\"" : "give \"pattern\"");
}

Split split_by_fraction(const std::vector<std::string_view>& documents, double fraction,
                        std::string_view rule) {
  std::vector<double> draws;
  draws.reserve(documents.size());
  for (const std::string_view document : documents) draws.push_back(draw_for(document));
  const auto [minimum, maximum] = std::minmax_element(draws.begin(), draws.end());
  if (draws.empty() || *minimum == *maximum)
    reject(
        "corpus.held_out: the text has {} document{} and no two differ, so none can be held out; "
        "{}, or give held_out.paths",
        documents.size(), documents.size() == 1 ? "" : "s", more_documents(rule));
  const double limit = std::clamp(fraction, std::nextafter(*minimum, 1.0), *maximum);
  Split split;
  for (std::size_t i = 0; i < documents.size(); ++i)
    (draws[i] < limit ? split.held_out : split.training).push_back(documents[i]);
  return split;
}

Split split_as_given(const std::vector<std::string_view>& training,
                     const std::vector<std::string_view>& held_out) {
  const std::unordered_set<std::string_view> kept(held_out.begin(), held_out.end());
  Split split;
  split.held_out = held_out;
  for (const std::string_view document : training)
    if (!kept.contains(document)) split.training.push_back(document);
  if (split.held_out.empty()) reject("corpus.held_out.paths: there is no document in them");
  if (split.training.empty())
    reject("corpus.paths: {}", training.empty() ? "there is no document in them"
                                                : "every document is also among held_out.paths");
  return split;
}

std::int64_t copies_in(const std::vector<std::string_view>& documents) {
  const std::unordered_set<std::string_view> distinct(documents.begin(), documents.end());
  return static_cast<std::int64_t>(documents.size() - distinct.size());
}

}  // namespace ablate::data
