#include "harness/nightly/judge/bits.h"

#include <fmt/core.h>

#include <bit>
#include <cstdint>

#include "harness/base/sha256.h"
#include "harness/contract/metrics/metric.h"

namespace ablate::nightly {
namespace {

std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

}  // namespace

std::set<std::string> timed_metrics(const store::StoredPlan& plan, const std::string& arm) {
  std::set<std::string> timed;
  for (const store::StoredMetric& metric : plan.metrics_of(arm))
    if (is_timed(metric.unit)) timed.insert(metric.name);
  return timed;
}

bool same_bits(double a, double b) { return bits_of(a) == bits_of(b); }

std::string bits_text(const store::TrialRecord& trial, const std::set<std::string>& timed) {
  std::string text = trial.outcome + '\n';
  for (const store::CurvePoint& point : trial.curve.points())
    text += fmt::format("{} {:x} {:x}\n", point.step, bits_of(point.loss),
                        bits_of(point.gradient_norm));
  for (const auto& [name, value] : trial.metrics)
    if (!timed.contains(name)) text += fmt::format("{} {:x}\n", name.text(), bits_of(value));
  return text;
}

std::string digest_of(std::string_view text) { return sha256(text).substr(0, 12); }

}  // namespace ablate::nightly
