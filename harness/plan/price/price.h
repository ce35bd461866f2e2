// Computes what training an arm costs before it is trained: steps, tokens, targets and FLOPs. It
// uses formulas, and counts in sampled batches.

#pragma once

#include "harness/data/batches/layout.h"
#include "harness/plan/prepare/prepared.h"

namespace ablate::plan {

/// What one step reads and predicts, on average.
struct StepRates {
  double text_tokens = 0;  // raw tokens read: exact, while the other rates are sampled
  double positions = 0;    // of all rows, in the trunk
  double sources = 0;      // positions of all rows, in an encoder
  double targets = 0;      // scored tokens, over all heads
  RowShape shape;          // positions of one row
  std::int64_t texts = 0;  // in the training part
};

/// What one phase costs.
struct PhasePrice {
  std::string name;     // empty if the arm has no named phases
  std::string corpora;  // what it draws from, as text: "90 % 1f3a5c7e, 10 % main"
  StepRates rates;
  std::vector<std::string>
      shortfalls;          // what sampled texts do less of than is intended, if anything
  std::int64_t steps = 0;  // 0: the budget is in seconds
  double text_tokens = 0;
  double text_positions = 0;  // batch x context, over all steps
  double targets = 0;
  double epochs = 0;
  double trunk_flops = 0;  // including those of an encoder
  double head_flops = 0;

  double flops() const { return trunk_flops + head_flops; }  // training FLOPs, in all
};

/// The memory of a lane on a GPU, in bytes: an estimate; see bank_bytes().
struct LaneMemory {
  double bytes = 0;   // without logits
  double logits = 0;  // of a step, of which a bank holds a part at a time
};

/// What all phases of an arm cost together. The rates are averages over all steps, the shape is the
/// largest one.
struct Price : PhasePrice {
  Needs needs;  // as adapted to the backbone by hosted()
  ParameterCount parameters;
  LaneMemory memory;
  std::int64_t state_bytes = 0;  // of a row at inference, in float32; 0: it does not continue texts
  double seconds = 0;            // the budget, if it is in seconds
  std::map<std::string, double> flops_by_probe;  // by the probe's name; see add_measuring_costs()
  double max_passes = 0;                         // passes over the corpus that is read most often
  std::vector<PhasePrice> phases;                // at least one

  /// FLOPs of all probes, on the way and at the end.
  double measuring_flops() const;
};

/// The prices of all arms. Adds a fault for each arm that cannot be priced, such as one whose corpus
/// is too short or whose examples do not fit in a row.
std::vector<Price> price_arms(const Experiment& experiment, const Prepared& prepared,
                              Faults& faults);

/// The row of an arm in Plan::ledger.
Json ledger_row(const std::string& arm, const Price& price);

}  // namespace ablate::plan
