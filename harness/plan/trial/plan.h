// The plan of an experiment: its trials, resolved and priced, before anything is trained.

#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/contract/vocabulary.h"
#include "harness/plan/trial/trial.h"
#include "harness/store/plan/plan_parts.h"

namespace ablate::plan {

/// What of the time goes to measuring.
struct Measuring {
  double fraction = 0;                     // of the time
  std::map<std::string, double> by_probe;  // fractions of measuring, by what the probe reads

  friend bool operator==(const Measuring&, const Measuring&) = default;
};

/// A plan, as printed by `ablate plan` and stored in the results folder.
struct Plan {
  std::string name;
  std::string question;
  Vocabulary vocabulary;

  struct Arm {
    std::string name;
    std::string label;  // what reports call it; empty: its name
    std::string of;     // the arm that this one is, at another learning rate; empty: it is its own
    bool baseline = false;
    std::string objective;  // name of its objective
    Json config;            // resolved sections, without corpus hash and seed
  };
  std::vector<Arm> arms;
  std::vector<Trial> trials;     // arms in file order, seeds within an arm
  std::vector<Bank> banks;       // compatible groups, ordered by their first trial
  std::filesystem::path corpus;  // the tokenised corpus in the cache

  /// What the corpora hold, the main one first: [{"name", "hash", "training": {"documents",
  /// "bytes", "tokens"}, "held_out": {...}, "held_out_fraction", "held_out_share"}], see
  /// data::counts_of().
  Json corpora = Json::array();

  /// What the files that probes read hold, a sentence each.
  std::vector<std::string> probe_files;

  store::DeclaredAnalysis analysis;
  Json metrics;  // {arm: [metric_json()]}
  Json ledger;   // [{"arm", "parameters", "text_tokens", "targets", "flops", ...}]
  std::vector<store::MatchedCount> match;  // the audit
  std::string precision;                   // a sentence about the precision of products
  std::string power;                       // a sentence about what the seeds can and cannot show
  std::vector<std::string> warnings;
  double estimate_seconds = 0;       // on this machine
  std::size_t estimate_workers = 0;  // that each train one trial at a time in that time; not stored
  std::string estimate_basis;        // what the estimate rests on, a part of a sentence; not stored

  std::optional<Measuring> measuring;  // what of that goes to measuring; none without trials
  Json resolved;                       // the experiment after "extends", overrides and defaults

  /// Of an experiment with "tuning", else null. By "stage":
  ///   before   nothing is chosen yet, and there are no trials: {"criterion", "rates", "seeds",
  ///            "trials", "flops", "estimate_seconds"} of the tuning trials, "section", and "result":
  ///            {"trials": [minimum, maximum], "estimate_seconds": [minimum, maximum]}
  ///   tuning   the trials try every rate: {"criterion", "rates", "seeds"}
  ///   result   the trials are those of the result; the rest as to_json(Tuned)
  Json tuning;

  std::optional<store::PlannedLooks> looks;  // of an experiment that is run until it is decided

  Json launcher;  // the section of that name; not in plan.json

  std::map<std::string, std::string> files;  // of the experiment, see copies_of(); not in plan.json

  std::int64_t comparisons =
      0;  // arms compared with the baseline by the primary metric; not stored

  /// The complete experiment, if this is the plan of a part of it (--only, --drop), else null:
  /// {"arms": [{"name", "config"}], "seeds", "match", "power", "warnings"}, see complete_json().
  Json part_of;
};

}  // namespace ablate::plan
