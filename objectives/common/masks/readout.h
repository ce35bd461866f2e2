// Where the token of a hidden place is read out: at its own place, or at the one before it, as a causal
// model reads out the next token, so that one head serves both.
//
// Source: Charpentier & Samuel 2024, "GPT or BERT: why not both?", arXiv:2410.24159, section 2.1 (masked
// next-token prediction).

#pragma once

#include "harness/contract/objective.h"

namespace ablate::objectives {

/// The in-place objective with each target read out at the place before its own: a continuation without
/// inputs, whose places show what the inputs showed and see their whole document. The first token of a
/// window has no place before it and is not scored.
Objective read_before(const Objective& in_place);

}  // namespace ablate::objectives
