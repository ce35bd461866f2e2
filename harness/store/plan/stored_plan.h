// The plan that a results folder keeps, as types. This is the only place that knows the keys of its
// JSON: whatever reads a stored plan reads this.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/store/plan/plan_parts.h"
#include "harness/store/plan/stored_metric.h"
#include "harness/store/plan/stored_tuning.h"

namespace ablate::store {

/// Sections that are settings, not facts about the plan, stay JSON. They are part of the document
/// that was read, which must outlive them; one that is absent is null.
using Section = const Json*;

struct StoredArm {
  std::string name;
  std::string label;  // what reports call it; empty: its name
  std::string of;     // the arm that this one is, at another learning rate; empty: it is its own
  std::string objective;  // name of its objective
  std::string material;   // of several stores: the text and probes of its own
  bool baseline = false;
  Section config = nullptr;  // the resolved sections
};

struct StoredTrial {
  std::string id;
  std::string arm;
  std::int64_t seed = 0;
  std::int64_t steps = 0;    // as planned; 0: the budget is in seconds
  Section config = nullptr;  // with "seed" in plans of older versions alone
  Section probes = nullptr;
  std::vector<std::string> measurements;  // ids of all that its probes make

  /// Its configuration with its seed; null where the plan does not keep it.
  Json complete_config() const;
};

/// A probe of a trial.
struct StoredProbe {
  std::string name;  // its own, or its type
  bool named = false;
  std::string type;
  Json settings;  // without ids, and without the steps at which it measures on the way
};

/// What one arm is planned to spend.
struct StoredLedger {
  std::string arm;
  Json amounts;  // by name
};

struct StoredCorpus {
  std::string name;  // empty: it is not recorded
  std::string hash;
  std::optional<double> training_tokens, held_out_tokens;
};

/// The experiment that this plan is a part of.
struct CompleteExperiment {
  struct Arm {
    std::string name;
    Section config = nullptr;
  };
  std::vector<Arm> arms;
  std::vector<std::int64_t> seeds;
  std::vector<std::string> warnings;
  Section match = nullptr, power = nullptr;
};

/// The experiment after "extends", overrides and defaults, as far as plans are compared by it.
struct StoredExperiment {
  std::vector<std::int64_t> seeds;
  Section baseline = nullptr, match = nullptr, corpus = nullptr;
};

/// One of several results folders that are reported together.
struct StoredFolder {
  std::string name, experiment, question;
  std::string text;  // the hashes of what its trials read
  std::int64_t trials = 0;
};

struct StoredPlan {
  std::string experiment;
  std::string question;
  std::vector<StoredArm> arms;
  std::vector<StoredTrial> trials;                           // arms in file order, seeds in an arm
  std::map<std::string, std::vector<StoredMetric>> metrics;  // by arm
  DeclaredAnalysis analysis;
  std::vector<StoredLedger> ledger;
  std::vector<MatchedCount> match;
  std::vector<StoredCorpus> corpora;  // the main one first
  std::string power;                  // a sentence about what the seeds can and cannot show
  std::vector<std::string> warnings;  // that sentence may be among them
  std::string sha256;                 // of plan.json, where it is kept with the plan
  std::optional<PlannedLooks> looks;
  std::optional<StoredTuning> tuned;  // of an experiment that trains with learning rates it found
  std::optional<CompleteExperiment> part_of;
  StoredExperiment resolved;
  std::vector<StoredFolder> folders;  // empty: it is the plan of one
  Section tuning = nullptr;           // whatever its stage
  Section vocabulary = nullptr;

  /// The metrics of an arm; none where the plan has none.
  const std::vector<StoredMetric>& metrics_of(const std::string& arm) const;

  /// The name of the baseline; empty where no arm is.
  std::string baseline() const;

  std::set<std::int64_t> seeds_with_trials() const;

  /// How the experiment asks for its learning rates to be tuned; null where it does not, or where the plan does
  /// not keep it.
  Json tuning_section() const;

  /// The seeds at each look; null without looks.
  Json seeds_of_looks() const;

  /// What the plan warns of beside its sentence on the seeds.
  std::vector<std::string> other_warnings() const;
};

/// The plan that was stored as `document`, into which the result points. Parts that older versions
/// did not store are empty. Throws Json::exception or DamagedFile where it is not a plan.
StoredPlan stored_plan(const Json& document);
StoredPlan stored_plan(Json&& document) = delete;

/// The probes of a trial.
std::vector<StoredProbe> probes_of(const StoredTrial& trial);

}  // namespace ablate::store
