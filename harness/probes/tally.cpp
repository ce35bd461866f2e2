// Means and standard errors of the held-out probe.

#include "harness/probes/tally.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "harness/contract/metrics/metric.h"
#include "harness/statistics/unpaired/effect_size.h"

namespace ablate::probes {

TextCost Tally::total() const {
  TextCost sum;
  for (const TextCost& text : texts) {
    sum.loss += text.loss;
    sum.optimum += text.optimum;
    sum.context_free += text.context_free;
  }
  return sum;
}

double Tally::excess_error() const {
  const TextCost sum = total();
  const auto count = static_cast<double>(texts.size());
  if (count < 2 || !(sum.loss.weight > 0)) return 0;
  const double excess = (sum.loss.total - sum.optimum) / sum.loss.weight;
  double squares = 0;
  for (const TextCost& text : texts) {
    const double residual = text.loss.total - text.optimum - excess * text.loss.weight;
    squares += residual * residual;
  }
  return std::sqrt(count / (count - 1) * squares) / sum.loss.weight;
}

std::vector<double> Tally::headline_contributions() const {
  if (!(total().loss.weight > 0)) return {};
  std::vector<double> totals, weights;
  for (const TextCost& text : texts) {
    totals.push_back(text.loss.total - text.optimum);
    weights.push_back(text.loss.weight);
  }
  return contributions(totals, weights);
}

std::vector<double> contributions(std::span<const double> totals, std::span<const double> weights) {
  const double weight = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double ratio = std::accumulate(totals.begin(), totals.end(), 0.0) / weight;
  const double mean_weight = weight / static_cast<double>(weights.size());
  std::vector<double> contributions;
  contributions.reserve(totals.size());
  for (std::size_t i = 0; i < totals.size(); ++i)
    contributions.push_back(ratio + (totals[i] - ratio * weights[i]) / mean_weight);
  return contributions;
}

void ClassOdds::add(Token target, double nats) {
  // log of P(the other class) = 1 - exp(-nats); of a cost of 0 it is as low as a double goes.
  const double other = std::log(std::max(-std::expm1(-nats), std::numeric_limits<double>::min()));
  const double of_own = -nats - other;
  odds_[target == 0 ? 0 : 1].push_back(target == 0 ? -of_own : of_own);
}

std::optional<double> ClassOdds::area() const {
  if (odds_[0].empty() || odds_[1].empty()) return std::nullopt;
  return statistics::probability_of_superiority(odds_[1], odds_[0]);
}

std::int64_t HeadTally::scored() const {
  std::int64_t all = 0;
  for (const auto& [target, count] : targets) all += count;
  return all;
}

double HeadTally::accuracy() const {
  return static_cast<double>(right) / static_cast<double>(scored());
}

void HeadTally::add_to(const std::string& suffix, std::map<std::string, double>& metrics) const {
  if (!(loss.weight > 0)) return;
  const auto name = [&](std::string_view what) { return head_metric(need, what) + suffix; };
  metrics[name("loss")] = *loss.mean();
  if (need.traits.labels == 1) metrics[name("accuracy")] = accuracy();
  if (const std::optional<double> area = odds.area()) metrics[name("auc")] = *area;
  if (need.traits.classes > 0) {
    std::int64_t commonest = 0;
    for (const auto& [target, count] : targets) commonest = std::max(commonest, count);
    metrics[name("majority")] = static_cast<double>(commonest) / static_cast<double>(scored());
  }
  if (!has_optimum) return;
  metrics[name("optimum")] = optimum / loss.weight;
  metrics[name("excess")] = (loss.total - optimum) / loss.weight;
}

void HeadTally::add_untrained_to(std::map<std::string, double>& metrics) const {
  if (!(loss.weight > 0)) return;
  metrics[head_metric(need, "untrained_loss")] = *loss.mean();
  if (need.traits.labels == 1) metrics[head_metric(need, "untrained_accuracy")] = accuracy();
}

void add_losses(const Tally& tally, const std::string& suffix,
                std::map<std::string, double>& metrics) {
  const TextCost sum = tally.total();
  if (!(sum.loss.weight > 0)) return;
  metrics[fmt::format("{}{}", metric_names::kHeldOutLoss, suffix)] = *sum.loss.mean();
  if (const std::optional<double> floor = sum.context_free.mean())
    metrics[fmt::format("{}{}", metric_names::kHeldOutContextFree, suffix)] = *floor;
  if (tally.kind == OptimumKind::none) return;
  metrics[fmt::format("{}{}", metric_names::kHeldOutOptimum, suffix)] =
      sum.optimum / sum.loss.weight;
  metrics["held_out.excess" + suffix] = (sum.loss.total - sum.optimum) / sum.loss.weight;
}

}  // namespace ablate::probes
