// Shares the sections of configurations.

#include "harness/plan/trial/trial_config.h"

#include <fmt/core.h>

#include <utility>

namespace ablate::plan {
namespace {

constexpr std::string_view kSeed = "seed";

}  // namespace

TrialConfig::TrialConfig() : TrialConfig(Json::object()) {}

TrialConfig::TrialConfig(Json object) : sections_(std::make_shared<Sections>()) {
  for (auto& [name, section] : object.get_ref<Json::object_t&>())
    (name == kSeed ? seed_ : (*sections_)[name]) = std::move(section);
}

const Json& TrialConfig::at(std::string_view name) const {
  if (name == kSeed && !seed_.is_null()) return seed_;
  const auto found = sections_->find(name);
  if (found == sections_->end())
    throw Json::out_of_range::create(403, fmt::format("section '{}' not found", name), nullptr);
  return found->second;
}

Json& TrialConfig::operator[](std::string_view name) {
  if (name == kSeed) return seed_;
  if (sections_.use_count() > 1) sections_ = std::make_shared<Sections>(*sections_);
  return (*sections_)[std::string(name)];
}

Json TrialConfig::without_seed() const {
  Json json = Json::object();
  for (const auto& [name, section] : *sections_) json.emplace(name, section);
  return json;
}

void to_json(Json& json, const TrialConfig& config) {
  json = config.without_seed();
  if (!config.seed_.is_null()) json.emplace(kSeed, config.seed_);
}

void from_json(const Json& json, TrialConfig& config) { config = TrialConfig(json); }

}  // namespace ablate::plan
