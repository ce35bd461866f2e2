// Takes the setup out of trials, and puts it in again.

#include "harness/plan/trial/trial_setup.h"

#include <tuple>
#include <utility>

#include "harness/base/error.h"
#include "harness/base/sha256.h"

namespace ablate::plan {
namespace {

Json setup_of(const Trial& trial) {
  Json setup = trial;
  for (const char* own : {"id", "arm", "seed"}) setup.erase(own);
  setup["config"] = trial.config.without_seed();
  setup["probes"] = trial.probes.settings();
  return setup;
}

/// Whether two trials have one setup, at a glance: of others that have, the texts are equal.
bool share_setup(const Trial& a, const Trial& b) {
  const auto counts = [](const Trial& trial) {
    const ParameterCount& parameters = trial.parameters;
    return std::tuple(parameters.total, parameters.embeddings, parameters.at_inference,
                      parameters.idle, trial.flops, trial.measuring_flops, trial.steps,
                      trial.text_tokens, trial.state_bytes);
  };
  return a.config.shares_with(b.config) && a.probes.share_with(b.probes) &&
         counts(a) == counts(b) && a.shape == b.shape && a.phases == b.phases;
}

/// The trial of an entry. `setups`: as trials, by name; filled as they are met.
Trial trial_in(const Json& entry, const Json& stored, std::map<std::string, Trial>& setups) {
  const auto name = entry.find("setup");
  if (name == entry.end()) return entry.get<Trial>();
  auto setup = setups.find(*name);
  if (setup == setups.end()) {
    Json whole = stored.at(name->get<std::string>());
    whole.update({{"id", ""}, {"arm", ""}, {"seed", 0}});
    setup = setups.emplace(*name, whole.get<Trial>()).first;
  }
  Trial trial = setup->second;
  entry.at("id").get_to(trial.id);
  entry.at("arm").get_to(trial.arm);
  trial.seed = integer_in(entry.at("seed"));
  trial.config["seed"] = trial.seed;
  trial.probes = trial.probes.with_ids(entry.at("measurements").get<std::vector<std::string>>());
  return trial;
}

}  // namespace

Json Setups::add(const Trial& trial) {
  if (last_ == nullptr || !share_setup(*last_, trial)) {
    Json setup = setup_of(trial);
    name_ = sha256(canonical(setup)).substr(0, 16);
    setups_[name_] = std::move(setup);
  }
  last_ = &trial;
  return {{"id", trial.id},
          {"arm", trial.arm},
          {"seed", trial.seed},
          {"measurements", trial.probes.ids()},
          {"setup", name_}};
}

std::vector<Trial> trials_in(const Json& plan) {
  const Json none = Json::object();
  const auto stored = plan.find("setups");
  std::map<std::string, Trial> setups;
  std::vector<Trial> trials;
  for (const Json& entry : plan.at("trials"))
    trials.push_back(trial_in(entry, stored == plan.end() ? none : *stored, setups));
  return trials;
}

}  // namespace ablate::plan
