// Whether a backbone can host an objective.

#pragma once

#include <string>

#include "harness/contract/backbone.h"

namespace ablate::plan {

/// Why a backbone with this offer cannot host an objective with these needs; empty where it can.
/// Attention is the most that a host may show: a continuation may be hosted with less, an objective
/// that predicts in place may not.
std::string mismatch(const Needs& needs, const Offer& offer);

/// The needs as the backbone meets them: attention no more than it offers, inputs apart where it
/// reads them so. Requires: no mismatch.
Needs hosted(Needs needs, const Offer& offer);

/// What of an objective's needs decides how a network is built: objectives that agree in it can be
/// trained by the same network.
Json built_for(const Needs& needs);

}  // namespace ablate::plan
