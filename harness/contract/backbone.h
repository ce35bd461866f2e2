// What a backbone is, to those who plan: what it offers, and what it costs by formula. Building one
// needs LibTorch and lives in models/.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/contract/objective.h"
#include "harness/contract/param.h"

namespace ablate {

/// What a backbone can host.
struct Offer {
  bool causal = true;
  bool bidirectional = true;
  std::vector<Head> heads = {Head::token};
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
  double trunk_per_token = 0;  // forward and backward, per position of a row
  double head_per_target = 0;  // forward and backward, per scored target
};

struct BackboneSpec {
  std::string_view name;  // as written in experiment files
  std::string_view summary;
  std::vector<Param> params;
  Offer offer;
  ParameterCount (*parameters)(const Params& model, const Vocabulary& vocabulary);
  FlopCount (*flops)(const Params& model, const Vocabulary& vocabulary);

  /// Refuses combinations of parameters that each are in range (a width that the heads do not
  /// divide); returns nothing where all is well.
  std::string (*refusal)(const Params& model);

  int semantics = 1;
};

}  // namespace ablate
