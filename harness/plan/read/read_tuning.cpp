#include "harness/plan/read/read_tuning.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "harness/plan/file/candidates.h"
#include "harness/plan/file/sections.h"
#include "harness/plan/read/experiment.h"
#include "harness/plan/read/refusals.h"
#include "harness/plan/rows/train_params.h"

namespace ablate::plan {
namespace {

constexpr const char* kRatesAt = "/tuning/learning_rate";

/// Why these are no learning rates to tune over; empty if they are.
std::string refusal_of_rates(const Json& given) {
  if (std::string wrong = refusal_of_candidates(given); !wrong.empty()) return wrong;
  if (const double count = count_candidates(given); count < 2 || count > kMaxTunedRates)
    return fmt::format("{:g} learning rate{}; accepted: 2 to {}", count, count == 1 ? "" : "s",
                       kMaxTunedRates);
  const Param& row = learning_rate_row();
  std::vector<double> rates;
  for (const Json& rate : candidates(given)) {
    if (!rate.is_number() || rate < row.minimum || rate > row.maximum)
      return fmt::format("{} is not a learning rate in [{:g}, {:g}]", canonical(rate).substr(0, 60),
                         row.minimum, row.maximum);
    if (std::find(rates.begin(), rates.end(), rate.get<double>()) != rates.end())
      return fmt::format("learning rate {:g} is given twice", rate.get<double>());
    rates.push_back(rate);
  }
  return "";
}

std::vector<double> read_rates(const Sources& sources, const Json& given, Faults& faults) {
  std::vector<double> rates;
  if (const std::string wrong = refusal_of_rates(given); !wrong.empty()) {
    faults.add(sources.value_at(kRatesAt), "tuning: learning_rate: " + wrong,
               "for example {\"logspace\": [1e-3, 1e-1, 5]}");
    return rates;
  }
  for (const Json& rate : candidates(given)) rates.push_back(rate);
  std::sort(rates.begin(), rates.end());
  return rates;
}

/// Whether the arm itself sets its learning rate.
bool sets_rate(const Assignment& made) {
  return made.path == "train.learning_rate" ||
         (made.path == "train" && made.value.is_object() && made.value.contains("learning_rate"));
}

}  // namespace

const Param& learning_rate_row() {
  const std::span<const Param> rows = train_params();
  return *std::find_if(rows.begin(), rows.end(),
                       [](const Param& row) { return row.name == "learning_rate"; });
}

std::optional<Tuning> read_tuning(const Sources& sources, const std::vector<std::int64_t>& seeds,
                                  Faults& faults) {
  Json given = sources.merged().value("tuning", Json());
  if (given.is_null()) return std::nullopt;
  Tuning tuning;
  if (!given.is_object() || !given.contains("learning_rate")) {
    faults.add(sources.value_at("/tuning"), "\"tuning\" names no learning rates",
               "for example {\"learning_rate\": {\"logspace\": [1e-3, 1e-1, 5]}, \"seeds\": 2}");
    return std::nullopt;
  }
  tuning.rates = read_rates(sources, given["learning_rate"], faults);
  given.erase("learning_rate");
  std::vector<Refusal> refusals;
  tuning.section = resolve(tuning_params(), given, refusals);
  const bool good = add_refusals(refusals, "tuning", sources, "/tuning", faults);
  if (!good || tuning.rates.empty()) return std::nullopt;
  tuning.section["learning_rate"] = tuning.rates;
  tuning.extension = tuning.section.at("extension");
  tuning.criterion = tuning.section.at("criterion");
  tuning.development = tuning.section.at("development");
  tuning.seeds.resize(tuning.section.at("seeds").get<std::size_t>());
  std::iota(tuning.seeds.begin(), tuning.seeds.end(), kFirstTuningSeed);
  for (const std::int64_t seed : seeds)
    if (seed >= tuning.seeds.front() && seed <= tuning.seeds.back())
      faults.add(sources.value_at("/seeds"),
                 fmt::format("seed {} is one that learning rates are chosen with", seed),
                 fmt::format("the result needs fresh seeds; those of tuning are {} to {}",
                             tuning.seeds.front(), tuning.seeds.back()));
  return tuning;
}

void check_tuned(const Sources& sources, const std::vector<ResolvedArm>& arms, Faults& faults) {
  for (const ResolvedArm& arm : arms) {
    if (faults.full()) return;
    const auto& made = arm.assignments;
    if (std::any_of(made.begin(), made.end(), sets_rate))
      faults.add(
          place_in_arm(sources, arm, "/train/learning_rate"),
          fmt::format("arm '{}' sets train.learning_rate, which \"tuning\" chooses for every "
                      "arm",
                      arm.name),
          "remove one of the two");
    if (arm.has_phases())
      faults.add(place_in_arm(sources, arm, "/train/phases"),
                 fmt::format("arm '{}' trains in phases, each with a learning rate of its own: "
                             "\"tuning\" chooses one for all of a trial",
                             arm.name),
                 "remove \"tuning\", or the phases");
  }
}

}  // namespace ablate::plan
