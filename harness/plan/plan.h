// An experiment file, resolved and priced: every refusal happens here, before any training.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/contract/catalog.h"
#include "harness/plan/trial.h"

namespace ablate {

/// What the command line changes about an experiment file; part of the record.
struct Overrides {
  std::vector<std::string> set;   // "path=value", the value JSON or a bare word
  std::vector<std::string> only;  // "arm=NAME", "seed=1..3", comma-separated
};

struct Plan {
  std::string name;
  std::string question;
  Vocabulary vocabulary;

  struct Arm {
    std::string name;
    bool baseline = false;
    std::string objective;  // its objective's name
    Json config;            // resolved sections, without corpus hash and seed
  };
  std::vector<Arm> arms;
  std::vector<Trial> trials;     // arms in file order, seeds within an arm
  std::vector<Bank> banks;       // compatible groups, in the order of their first trials
  std::filesystem::path corpus;  // the tokenised corpus in the cache

  Json analysis;          // resolved: primary, alpha, correction, smallest_effect
  Json metrics;           // {arm: [{"name", "unit", "better", "comparable_across", "meaning"}]}
  Json ledger;            // [{"arm", "parameters", "text_tokens", "targets", "flops", ...}]
  Json match;             // the audit: [{"on", "low", "high", "spread", "tolerance"}]
  std::string precision;  // in which the products are, in a sentence
  bool automatic_precision = false;  // the processor decided it; not in the plan's JSON
  std::string power;                 // what the seeds can and cannot show, in a sentence
  std::vector<std::string> warnings;
  double estimate_seconds = 0;
  Json resolved;  // the experiment after extends, overrides and defaults
};

/// What is wrong with an experiment file: every fault of it, each with file, line and remedy.
/// what() is the whole text, ready to print; the program ends with exit code 2.
struct ExperimentRefused : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

Plan make_plan(const Catalog& catalog, const std::filesystem::path& file,
               const Overrides& overrides);

/// All of the plan, by the contract of `plan --json`.
Json to_json(const Plan& plan);

/// Throws DamagedFile where `json` is no plan.
Plan plan_from_json(const Json& json);

}  // namespace ablate
