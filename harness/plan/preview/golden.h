// Golden vectors: what each objective makes of fixed texts, for the nightly gate.

#pragma once

#include <map>
#include <string>

#include "harness/contract/catalog.h"

namespace ablate::plan {

/// What an objective makes of the fixed texts.
struct GoldenVector {
  int version = 1;     // the objective's
  std::string digest;  // SHA-256, 64 hexadecimal digits
};

/// What each objective of the catalogue makes of the same eight texts of 64 tokens with fixed random
/// numbers, at its default parameters; by the objective's name. Every token, weight (bit by bit),
/// position, label and fact of the examples counts.
std::map<std::string, GoldenVector> golden_vectors(const Catalog& catalog);

/// "version 1, 3f2a...": equal where version and examples are.
std::string golden_text(const GoldenVector& golden);

}  // namespace ablate::plan
