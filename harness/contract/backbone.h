// What a backbone is, to those who plan: what it offers, and what it costs by formula. Building one
// needs LibTorch and lives in models/.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/contract/objective.h"
#include "harness/contract/params.h"

namespace ablate {

/// What a backbone can host.
struct Offer {
  bool causal = true;         // positions that see nothing but the past
  bool bidirectional = true;  // inputs that see each other
  bool in_place = true;       // predictions at the inputs
  bool continuation = true;   // predictions of what follows
  bool encoder = false;       // inputs are read in a stack of their own
  std::vector<Head> heads = {Head::token};
};

/// What a backbone is built for, beside its own parameters.
struct Hosting {
  Vocabulary vocabulary;
  Needs needs;     // as `hosted` makes them
  RowShape shape;  // positions of its rows
};

/// Parameters, counted exactly; a test holds the formula against the built model.
struct ParameterCount {
  std::int64_t total = 0;
  std::int64_t embeddings = 0;  // token and position tables, and a free output head
  std::int64_t at_inference = 0;
};

/// Floating-point operations of training, multiply-adds counted as 2, backward as twice the
/// forward.
struct FlopCount {
  double trunk_per_token = 0;   // forward and backward, per position of a row
  double head_per_target = 0;   // forward and backward, per scored token
  double source_per_token = 0;  // forward and backward, per position that an encoder reads
};

struct BackboneSpec {
  std::string_view name;  // as written in experiment files
  std::string_view summary;
  std::vector<Param> params;
  Offer offer;
  ParameterCount (*parameters)(const Params& model, const Hosting& hosting);
  FlopCount (*flops)(const Params& model, const Hosting& hosting);

  /// Refuses combinations of parameters that each are in range (a width that the heads do not
  /// divide); returns nothing where all is well.
  std::string (*refusal)(const Params& model);

  /// The same of what an objective asks of a model of these sizes (more heads than blocks); may be
  /// null.
  std::string (*cannot_host)(const Params& model, const Needs& needs) = nullptr;

  int version = 1;
};

}  // namespace ablate
