// Trials as a plan stores them. What trials that differ in their seeds alone have in common, nearly
// everything, is stored once, as their setup.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/plan/trial/trial.h"

namespace ablate::plan {

/// The setups of trials, as they are added to a plan.
class Setups {
 public:
  /// What is stored of the trial itself: {"id", "arm", "seed", "measurements": ids, "setup": a name}. Its
  /// setup is kept. Requires: the trial stays where it is until the next one is added.
  Json add(const Trial& trial);
  Json add(Trial&& trial) = delete;

  /// The setups by name: what Json(trial) has beside that, without "seed" in "config" and "id" in
  /// "probes". A name is the beginning of the hash of the setup's text, so that plans can be united.
  const Json& by_name() const { return setups_; }

 private:
  const Trial* last_ = nullptr;  // that was added
  std::string name_;             // of its setup
  Json setups_ = Json::object();
};

/// The trials of a stored plan. Those of one setup share it. Those of older versions, whose entries have everything
/// themselves, are read, too. Throws Json::exception or DamagedFile where the plan has another form.
std::vector<Trial> trials_in(const Json& plan);

}  // namespace ablate::plan
