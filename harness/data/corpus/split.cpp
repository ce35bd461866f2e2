#include "harness/data/corpus/split.h"

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

Split split_by_fraction(const std::vector<std::string_view>& documents, double fraction) {
  std::vector<double> draws;
  draws.reserve(documents.size());
  for (const std::string_view document : documents) draws.push_back(draw_for(document));
  const auto [minimum, maximum] = std::minmax_element(draws.begin(), draws.end());
  if (draws.empty() || *minimum == *maximum)
    reject(
        "corpus.held_out: the text has {} document{} and no two differ, so none can be held out; "
        "split it into more documents (corpus.documents; JSON Lines: corpus.format), or give "
        "held_out.paths",
        documents.size(), documents.size() == 1 ? "" : "s");
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

}  // namespace ablate::data
