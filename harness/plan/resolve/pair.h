// Decides whether a backbone can host an objective.

#pragma once

#include <span>
#include <string>

#include "harness/contract/backbone.h"

namespace ablate::plan {

/// Why a backbone with this offer cannot host an objective with these needs; empty if it can. The
/// attention of the needs is an upper limit: a continuation may be hosted with less, an objective
/// that predicts in place may not.
/// Throws std::invalid_argument for a kind of head that is not among `heads`.
std::string mismatch(const Needs& needs, const Offer& offer, std::span<const HeadSpec> heads);

/// The needs adapted to the backbone: attention is limited to what it offers, `separate_inputs` is
/// set if it has an encoder, and the kinds of heads are looked up. Requires: no mismatch().
Needs hosted(Needs needs, const Offer& offer, std::span<const HeadSpec> heads);

/// The part of an objective's needs that decides how a network is built. Objectives for which it is
/// equal can be trained with the same network.
Json built_for(const Needs& needs);

}  // namespace ablate::plan
