#include "reports/analysis/bounds.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace ablate::reports {
namespace {

using namespace metric_names;

/// How a row's names are completed.
enum class NameForm {
  with_rest,      // what follows `measured` in a metric's name follows the others, too
  alone,          // of metrics of this very name: others' values have another unit
  before_number,  // plain, of metrics whose names go on with a number
  plain           // the others' names are whole, whatever follows `measured`
};

/// A row of the table of bounds, in names after the dot: `measured` is read against `is`, less
/// `less` where that is given. Without either, the bound is `constant`.
struct BoundRow {
  std::string_view measured;
  bool floor;
  std::string_view is = {}, less = {};
  NameForm names = NameForm::with_rest;
  Conversion conversion = Conversion::none;
  double constant = 0;
};

constexpr bool kFloor = true, kCeiling = false;

constexpr std::array kBounds = {
    BoundRow{kLoss, kCeiling, kOptimum}, BoundRow{kLoss, kFloor, kContextFree},
    BoundRow{kLoss, kFloor, "untrained_loss"}, BoundRow{kExcess, kFloor, kContextFree, kOptimum},
    BoundRow{kExcess, kFloor, "untrained_loss", kOptimum}, BoundRow{kShareLearned, kFloor},
    BoundRow{kAccuracy, kCeiling, kBayes}, BoundRow{kAccuracy, kFloor, kUntrained},
    BoundRow{kAccuracy, kFloor, "untrained_accuracy"}, BoundRow{kAccuracy, kFloor, kMajority},
    BoundRow{kAccuracy, kFloor, kChance}, BoundRow{kAccuracy, kFloor, kChance, "", NameForm::plain},
    // Of a probe that is fitted to fewer labels.
    BoundRow{kAccuracy, kFloor, kMajority, "", NameForm::before_number},
    BoundRow{"pseudo_accuracy", kFloor, "pseudo_untrained"},
    BoundRow{"pseudo_accuracy", kFloor, kChance},
    BoundRow{"pseudo_accuracy", kFloor, kChance, "", NameForm::plain},
    BoundRow{"calibrated_macro_f1", kFloor, "untrained_macro_f1"},
    BoundRow{"calibrated", kFloor, kChance, "", NameForm::before_number},
    BoundRow{"macro_f1", kFloor, "untrained_macro_f1"},
    // A code that learns nothing takes as many bits as one without a model.
    BoundRow{.measured = "compression", .floor = kFloor, .constant = 1},
    BoundRow{.measured = "auc", .floor = kFloor, .constant = 0.5},
    BoundRow{.measured = "pair_auc", .floor = kFloor, .constant = 0.5},
    // Of members of a mixture with a head of their own.
    BoundRow{.measured = "detection_auc", .floor = kFloor, .constant = 0.5},
    BoundRow{"detection_accuracy", kFloor, "detection_majority"},
    BoundRow{"detection_loss", kFloor, "detection_untrained_loss"},
    BoundRow{"contrastive_accuracy", kFloor, "contrastive_untrained_accuracy"},
    BoundRow{"contrastive_loss", kFloor, "contrastive_untrained_loss"},
    BoundRow{"pair_accuracy", kFloor, "pair_majority"},
    BoundRow{"pair_accuracy", kFloor, "pair_untrained_accuracy"},
    BoundRow{"pair_loss", kFloor, "pair_untrained_loss"},
    BoundRow{"pair_excess", kFloor, "pair_untrained_loss", "pair_optimum"},
    BoundRow{"impossible", kFloor, "untrained_impossible", "", NameForm::plain},
    BoundRow{"divergence", kFloor, "untrained_divergence", "", NameForm::plain},
    BoundRow{kLogProbability, kCeiling, kReference}, BoundRow{kLogProbability, kFloor, kUntrained},
    // Of other samplers than the usual one, by which the untrained model draws.
    BoundRow{kLogProbability, kFloor, kUntrained, "", NameForm::plain},
    BoundRow{kBitsPerToken, kCeiling, kOptimum}, BoundRow{kBitsPerToken, kFloor, kUnigram},
    BoundRow{kBitsPerToken, kFloor, kUntrained}, BoundRow{"prequential", kFloor, kUnigram},
    // The cost of the same tokens in other units, bounded by other codes, or in an order of its parts.
    BoundRow{kBitsPerByte, kFloor, kUnigram},
    BoundRow{kBitsPerByte, kFloor, kContextFree, "", NameForm::with_rest, Conversion::per_byte},
    BoundRow{kBitsPerByte, kFloor, kUntrained, "", NameForm::alone},
    BoundRow{kBitsPerByte, kFloor, kUntrainedBitsPerByte},
    BoundRow{kBitsPerByte, kFloor, kUntrainedBitsPerByte, "", NameForm::plain},
    BoundRow{"psm_bits_per_byte", kFloor, kUntrainedBitsPerByte, "", NameForm::plain},
    BoundRow{"spm_bits_per_byte", kFloor, kUntrainedBitsPerByte, "", NameForm::plain},
    BoundRow{"perplexity", kCeiling, kOptimum, "", NameForm::with_rest, Conversion::exponential},
    BoundRow{"perplexity", kFloor, kContextFree, "", NameForm::with_rest, Conversion::exponential},
    BoundRow{"with_stop", kFloor, "untrained_with_stop"}, BoundRow{"bound", kCeiling, kOptimum},
    BoundRow{"bound", kFloor, kContextFree}, BoundRow{"psm", kCeiling, kOptimum},
    BoundRow{"psm", kFloor, kContextFree}, BoundRow{"spm", kCeiling, kOptimum},
    BoundRow{"spm", kFloor, kContextFree}, BoundRow{"exact_match", kFloor, "untrained_exact_match"},
    BoundRow{"edit_similarity", kFloor, "untrained_edit_similarity"},
    BoundRow{"first_line", kFloor, "untrained_first_line"},
    BoundRow{"chrf", kFloor, "untrained_chrf"},
    BoundRow{"acceptance", kFloor, "untrained_acceptance"}, BoundRow{"f1", kFloor, "untrained_f1"},
    BoundRow{"gain", kFloor}, BoundRow{"r2_gain", kFloor, "untrained_r2_gain"},
    BoundRow{"selectivity", kFloor}, BoundRow{"r2", kFloor, kUntrained, "", NameForm::alone},
    BoundRow{"r2", kFloor, "four_tokens", "", NameForm::alone},
    BoundRow{"topic_r2", kFloor, "untrained_topic_r2"},
    BoundRow{"state_r2", kFloor, "untrained_state_r2"},
    BoundRow{"past_r2", kFloor, "untrained_past"}, BoundRow{"mse", kFloor, "untrained_mse"},
    BoundRow{"kl", kFloor, "untrained_kl"}, BoundRow{"r2_beyond", kFloor, "untrained_beyond"},
    BoundRow{"r2_beyond", kCeiling, "beyond_ceiling"},
    BoundRow{"correlation", kFloor, kUntrained, "", NameForm::alone},
    BoundRow{"correlation", kFloor, "", "", NameForm::plain},
    // Plain decoding draws one.
    BoundRow{.measured = "sampled_tokens_per_forward", .floor = kFloor, .constant = 1},
    BoundRow{"tokens_per_forward", kFloor, "untrained_tokens_per_forward"},
    BoundRow{"mauve_smoothed", kCeiling, "mauve_smoothed_ceiling", "", NameForm::plain},
    BoundRow{"mauve_smoothed", kFloor, "mauve_smoothed_untrained", "", NameForm::plain},
    BoundRow{"mauve", kCeiling, "mauve_ceiling", "", NameForm::plain},
    BoundRow{"mauve", kFloor, "mauve_untrained", "", NameForm::plain},
    BoundRow{"frontier", kCeiling, "frontier_held_out", "", NameForm::plain},
    BoundRow{"frontier", kFloor, "frontier_untrained", "", NameForm::plain},
    BoundRow{kNdcg, kCeiling, kOptimumNdcg}, BoundRow{kNdcg, kFloor, kUntrainedNdcg},
    BoundRow{"recall_at", kFloor, "untrained_recall_at"},
    BoundRow{kSpearman, kFloor, kUntrainedSpearman},
    // Bounds on the likelihood of whole documents.
    BoundRow{"own", kCeiling, "exact", "", NameForm::alone},
    BoundRow{"own", kFloor, kUntrained, "", NameForm::alone},
    BoundRow{"left_to_right", kCeiling, "exact", "", NameForm::alone},
    BoundRow{"left_to_right", kFloor, kUntrained, "", NameForm::alone},
    BoundRow{"random_order", kCeiling, "exact", "", NameForm::alone},
    BoundRow{"random_order", kFloor, kUntrained, "", NameForm::alone},
    BoundRow{"mixture_of_orders", kCeiling, "exact", "", NameForm::alone},
    BoundRow{"mixture_of_orders", kFloor, kUntrained, "", NameForm::alone},
    BoundRow{"by_count", kCeiling, "exact", "", NameForm::alone},
    BoundRow{"by_count", kFloor, kUntrained, "", NameForm::alone}};

/// Whether a row of this form is of metrics whose names go on with `after`.
bool applies(NameForm form, std::string_view after) {
  if (form == NameForm::alone) return after.empty();
  if (form == NameForm::before_number)
    return after.size() > 1 && after[0] == '_' && '0' <= after[1] && after[1] <= '9';
  return true;
}

}  // namespace

std::string Bound::text() const {
  std::string text;
  for (const auto& [metric, factor] : terms)
    text += fmt::format("{}{}", text.empty() ? "" : factor < 0 ? " minus " : " plus ", metric);
  switch (conversion) {
    case Conversion::per_byte:
      return text + ", in bits/byte";
    case Conversion::exponential:
      return fmt::format("exp({})", text);
    case Conversion::none:
      break;
  }
  return text.empty() ? fmt::format("{}", constant) : text;
}

std::vector<std::string> Bound::metrics() const {
  std::vector<std::string> names;
  for (const auto& [metric, factor] : terms) names.push_back(metric);
  if (!per.empty()) names.push_back(per);
  return names;
}

std::vector<Bound> bounds_of(const std::string& metric) {
  const std::size_t dot = metric.find('.');
  std::vector<Bound> bounds;
  if (dot == metric.npos) return bounds;
  const std::string name = metric.substr(dot + 1);
  for (const BoundRow& row : kBounds) {
    if (!name.starts_with(row.measured)) continue;
    const std::string_view after = std::string_view(name).substr(row.measured.size());
    if (!applies(row.names, after)) continue;
    const std::string_view rest = row.names == NameForm::with_rest ? after : std::string_view();
    const auto full_name = [&](std::string_view other) {
      return fmt::format("{}.{}{}", metric.substr(0, dot), other, rest);
    };
    Bound bound{.floor = row.floor, .constant = row.constant, .conversion = row.conversion};
    if (!row.is.empty()) bound.terms.emplace_back(full_name(row.is), 1);
    if (!row.less.empty()) bound.terms.emplace_back(full_name(row.less), -1);
    if (row.conversion == Conversion::per_byte) bound.per = full_name(kLoss);
    const auto same = [&](const Bound& other) {
      return other.floor == bound.floor && other.text() == bound.text();
    };
    if (std::none_of(bounds.begin(), bounds.end(), same)) bounds.push_back(std::move(bound));
  }
  return bounds;
}

}  // namespace ablate::reports
