#include "reports/analysis/bounds.h"

#include <fmt/core.h>

#include <array>
#include <string_view>

namespace ablate::reports {
namespace {

using namespace metric_names;

/// A row of the table of bounds, in names after the dot: `measured` is read against `is`, less
/// `less` where that is given. Without either, the bound is 0. What follows `measured` in a metric's name
/// follows the others, too, unless `alone`.
struct BoundRow {
  std::string_view measured;
  bool floor;
  std::string_view is = {}, less = {};
  bool alone = false;  // of metrics of this very name: others' values have another unit
};

constexpr std::array kBounds = {BoundRow{kLoss, false, kOptimum},
                                BoundRow{kLoss, true, kContextFree},
                                BoundRow{kExcess, true, kContextFree, kOptimum},
                                BoundRow{kShareLearned, true},
                                BoundRow{kAccuracy, false, kBayes},
                                BoundRow{kAccuracy, true, kUntrained},
                                BoundRow{kAccuracy, true, "untrained_accuracy"},
                                BoundRow{kAccuracy, true, kMajority},
                                BoundRow{kAccuracy, true, kChance},
                                BoundRow{"pseudo_accuracy", true, "pseudo_untrained"},
                                BoundRow{"pseudo_accuracy", true, kChance},
                                BoundRow{kLogProbability, false, kReference},
                                BoundRow{kLogProbability, true, kUntrained},
                                BoundRow{kBitsPerToken, false, kOptimum},
                                BoundRow{kBitsPerToken, true, kUnigram},
                                BoundRow{kBitsPerToken, true, kUntrained},
                                BoundRow{kBitsPerByte, true, kUnigram},
                                BoundRow{kBitsPerByte, true, kUntrained, "", true},
                                BoundRow{kBitsPerByte, true, kUntrainedBitsPerByte},
                                BoundRow{"exact_match", true, "untrained_exact_match"},
                                BoundRow{"edit_similarity", true, "untrained_edit_similarity"},
                                BoundRow{kNdcg, false, kOptimumNdcg},
                                BoundRow{kNdcg, true, kUntrainedNdcg},
                                BoundRow{kRecall, true, kUntrainedRecall},
                                BoundRow{kSpearman, true, kUntrainedSpearman}};

}  // namespace

std::string Bound::text() const {
  std::string text;
  for (const auto& [metric, factor] : terms)
    text += fmt::format("{}{}", text.empty() ? "" : factor < 0 ? " less " : " plus ", metric);
  return text.empty() ? "0" : text;
}

std::vector<Bound> bounds_of(const std::string& metric) {
  const std::size_t dot = metric.find('.');
  std::vector<Bound> bounds;
  if (dot == metric.npos) return bounds;
  const std::string name = metric.substr(dot + 1);
  for (const BoundRow& row : kBounds) {
    if (!name.starts_with(row.measured) || (row.alone && name != row.measured)) continue;
    const auto full_name = [&](std::string_view other) {
      return fmt::format("{}.{}{}", metric.substr(0, dot), other, name.substr(row.measured.size()));
    };
    Bound& bound = bounds.emplace_back(Bound{.floor = row.floor});
    if (!row.is.empty()) bound.terms.emplace_back(full_name(row.is), 1);
    if (!row.less.empty()) bound.terms.emplace_back(full_name(row.less), -1);
  }
  return bounds;
}

}  // namespace ablate::reports
