#include "harness/store/plan/plan_parts.h"

#include <algorithm>
#include <functional>

#include "harness/base/error.h"
#include "harness/store/plan/stored_metric.h"

namespace ablate::store {

void to_json(Json& json, const DeclaredAnalysis& analysis) { json = analysis.section; }

void from_json(const Json& section, DeclaredAnalysis& analysis) {
  const bool corrected = text_at(section, "correction") != "none";
  analysis = {.primary = text_at(section, "primary"),
              .alpha = section.value("alpha", 0.05),
              .correction = corrected ? statistics::Correction::holm : statistics::Correction::none,
              .smallest_effect = {},
              .section = section};
  if (const auto effect = section.find("smallest_effect");
      effect != section.end() && effect->is_number())
    analysis.smallest_effect = effect->get<double>();
}

void to_json(Json& json, const MatchedCount& count) {
  json = {{"on", count.on},
          {"low", count.low},
          {"high", count.high},
          {"spread", count.spread},
          {"tolerance", count.tolerance}};
}

void from_json(const Json& json, MatchedCount& count) {
  count = {.on = json.at("on"),
           .low = json.value("low", 0.0),
           .high = json.value("high", 0.0),
           .spread = json.at("spread"),
           .tolerance = json.at("tolerance")};
}

void to_json(Json& json, const PlannedLooks& looks) {
  json = {{"looks", looks.seeds}, {"weights", looks.weights}, {"look", looks.begun}};
}

void from_json(const Json& json, PlannedLooks& looks) {
  looks = {.seeds = json.at("looks").get<statistics::Looks>(),
           .weights = json.at("weights").get<std::vector<double>>(),
           .begun = json.value("look", std::size_t{0})};
  const statistics::Looks& seeds = looks.seeds;
  const bool ascending =
      std::adjacent_find(seeds.begin(), seeds.end(), std::greater_equal<>()) == seeds.end();
  if (seeds.empty() || seeds.front() < 1 || !ascending)
    damaged("the stored plan is damaged: its looks are {}", Json(seeds).dump());
  if (looks.weights.size() != seeds.size())
    damaged("the stored plan is damaged: it has {} looks and {} weights of looks", seeds.size(),
            looks.weights.size());
}

}  // namespace ablate::store
