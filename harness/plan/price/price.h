// What training an arm costs, before it is trained: steps, tokens, targets and floating-point
// operations, all from formulas and from batches that were drawn and counted.

#pragma once

#include "harness/data/batches/layout.h"
#include "harness/plan/resolve/prepared.h"

namespace ablate::plan {

/// What one step reads and predicts, on average.
struct StepRates {
  double text_tokens = 0;  // raw tokens read: pads and begin tokens left out
  double positions = 0;    // of the rows that the trunk computes
  double sources = 0;      // positions of the rows that an encoder computes
  double targets = 0;      // scored tokens, by every head
  RowShape shape;          // positions of a row
  std::int64_t texts = 0;  // of the training part
};

/// What one phase costs.
struct PhasePrice {
  std::string name;     // empty where the arm names no phases
  std::string corpora;  // what it draws from, for people: "90 % 1f3a5c7e, 10 % main"
  StepRates rates;
  std::int64_t steps = 0;  // 0: the budget is in seconds
  double text_tokens = 0;
  double targets = 0;
  double epochs = 0;
  double trunk_flops = 0;  // of an encoder, too
  double head_flops = 0;

  double flops() const { return trunk_flops + head_flops; }
};

/// What all phases cost together; its rates are those of a step on average, its shape the largest.
struct Price : PhasePrice {
  Needs needs;  // as they are hosted
  ParameterCount parameters;
  double seconds = 0;              // of the budget, where it is in seconds
  double max_passes = 0;           // passes over the corpus that is read most, by all phases
  std::vector<PhasePrice> phases;  // at least one
};

/// Prices arm `index`. Draws batches of about `sampled_tokens` tokens and counts what is in them.
/// Throws std::invalid_argument where the corpus is too short, or a row does not hold an example.
Price price_arm(const Experiment& experiment, const Prepared& prepared, std::size_t index,
                std::int64_t sampled_tokens);

/// Prices all arms; what cannot be priced is added to `faults`.
std::vector<Price> price_arms(const Experiment& experiment, const Prepared& prepared,
                              Faults& faults);

/// The ledger's row of an arm, see Plan::ledger.
Json ledger_row(const std::string& arm, const Price& price);

}  // namespace ablate::plan
