// Shares the sections of configurations.

#include "harness/plan/trial/trial_config.h"

#include <fmt/core.h>

#include <utility>

namespace ablate::plan {

TrialConfig::TrialConfig(Json object) {
  for (auto& [name, section] : object.get_ref<Json::object_t&>())
    sections_.emplace(name, std::make_shared<const Json>(std::move(section)));
}

const Json& TrialConfig::at(std::string_view name) const {
  const auto found = sections_.find(name);
  if (found == sections_.end())
    throw Json::out_of_range::create(403, fmt::format("section '{}' not found", name), nullptr);
  return *found->second;
}

Json& TrialConfig::operator[](std::string_view name) {
  std::shared_ptr<const Json>& section = sections_[std::string(name)];
  const auto own = section ? std::make_shared<Json>(*section) : std::make_shared<Json>();
  section = own;
  return *own;
}

void to_json(Json& json, const TrialConfig& config) {
  json = Json::object();
  for (const auto& [name, section] : config.sections_) json.emplace(name, *section);
}

void from_json(const Json& json, TrialConfig& config) { config = TrialConfig(json); }

}  // namespace ablate::plan
