// What an experiment is made into before anything is trained: its trials, resolved and priced.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/contract/vocabulary.h"
#include "harness/plan/trial/trial.h"

namespace ablate::plan {

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

}  // namespace ablate::plan
