#include "harness/store/plan/stored_tuning.h"

#include <utility>

namespace ablate::store {
namespace {

std::optional<double> number_or_none(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

StoredRate stored_rate(const Json& json) {
  StoredRate tried{.rate = json.at("rate"), .values = {}};
  for (const Json& value : json.at("values")) tried.values.push_back(number_or_none(value));
  return tried;
}

StoredArmTuning stored_arm_tuning(const Json& json) {
  StoredArmTuning arm{.arm = json.at("arm"),
                      .rate = json.at("rate"),
                      .edge = json.at("edge"),
                      .trials = integer_in(json.at("trials")),
                      .diverged = integer_in(json.at("diverged")),
                      .flops = json.at("flops"),
                      .initial_loss = number_or_none(json.at("initial_loss")),
                      .tried = {}};
  for (const Json& tried : json.at("tried")) arm.tried.push_back(stored_rate(tried));
  return arm;
}

}  // namespace

StoredTuning stored_tuning(const Json& section) {
  StoredTuning tuning{.criterion = stored_metric(section.at("criterion")),
                      .rates = section.at("rates").get<std::vector<double>>(),
                      .seeds = static_cast<std::int64_t>(section.at("seeds").size()),
                      .extensions = integer_in(section.at("extensions")),
                      .common = section.at("common_rate"),
                      .arms = {}};
  for (const Json& arm : section.at("arms")) tuning.arms.push_back(stored_arm_tuning(arm));
  return tuning;
}

}  // namespace ablate::store
