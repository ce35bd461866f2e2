#include "reports/figures/curves/curve_axes.h"

#include <algorithm>
#include <optional>

namespace ablate::reports {
namespace {

/// An axis of which the ledger has totals.
struct LedgerAxis {
  const char* title;
  const char* key;
  const char* note;
};

constexpr LedgerAxis kLedgerAxes[] = {
    {"scored targets", "targets", "The ledger's targets, spread evenly over the steps of a phase."},
    {"training FLOPs", "flops", "The ledger's FLOPs, spread evenly over the steps of a phase."},
    {"seconds of training", "seconds",
     "The ledger's seconds, spread evenly over the steps; they depend on the machine and on what "
     "else ran on it."}};

/// How much had been used when a step had been taken.
struct Knot {
  double step = 0;
  double amount = 0;
};

/// Adds the end of a phase, or of the whole training; false where it lacks a number.
bool add_part(const Json& part, const char* key, std::vector<Knot>& knots) {
  if (!part.is_object()) return false;
  const Json steps = part.value("steps", Json()), amount = part.value(key, Json());
  if (!steps.is_number() || !amount.is_number() || steps.get<double>() <= 0) return false;
  knots.push_back(
      {knots.back().step + steps.get<double>(), knots.back().amount + amount.get<double>()});
  return true;
}

/// The trial's usage from its start to its end; empty where the ledger does not have it.
std::vector<Knot> knots_of(const Json& ledger, const char* key) {
  const Json phases =
      ledger.is_object() ? ledger.value("phases", Json::array()) : Json(Json::array());
  std::vector<Knot> knots(1);
  const bool by_phase =
      std::ranges::all_of(phases, [&](const Json& phase) { return add_part(phase, key, knots); });
  if (by_phase && knots.size() > 1) return knots;
  knots.resize(1);
  return add_part(ledger, key, knots) ? knots : std::vector<Knot>();
}

double amount_at(const std::vector<Knot>& knots, double step) {
  const auto next =
      std::ranges::find_if(knots, [&](const Knot& knot) { return step <= knot.step; });
  if (next == knots.end()) return knots.back().amount;
  if (next == knots.begin()) return next->amount;
  const Knot& before = *(next - 1);
  return before.amount +
         (next->amount - before.amount) * (step - before.step) / (next->step - before.step);
}

std::vector<double> positions_in(const ArmResult& arm, const char* key,
                                 const std::vector<CurveBand>& bands) {
  std::vector<std::vector<Knot>> trials;
  for (const store::TrialRecord* trial : arm.trials)
    if (std::vector<Knot> knots = knots_of(trial->ledger, key); !knots.empty())
      trials.push_back(std::move(knots));
  std::vector<double> positions;
  if (trials.empty()) return positions;
  positions.reserve(bands.size());
  for (const CurveBand& band : bands) {
    double sum = 0;
    for (const std::vector<Knot>& knots : trials)
      sum += amount_at(knots, static_cast<double>(band.step));
    positions.push_back(sum / static_cast<double>(trials.size()));
  }
  return positions;
}

}  // namespace

std::vector<ChartAxis> curve_axes() {
  std::vector<ChartAxis> axes = {{"text tokens read"}, {"steps"}};
  for (const LedgerAxis& axis : kLedgerAxes) axes.push_back({axis.title, axis.note});
  return axes;
}

std::vector<std::vector<double>> curve_positions(const ArmResult& arm,
                                                 const std::vector<CurveBand>& bands) {
  std::vector<std::vector<double>> positions(2);
  for (const CurveBand& band : bands) {
    positions[0].push_back(band.tokens);
    positions[1].push_back(static_cast<double>(band.step));
  }
  for (const LedgerAxis& axis : kLedgerAxes)
    positions.push_back(positions_in(arm, axis.key, bands));
  return positions;
}

}  // namespace ablate::reports
