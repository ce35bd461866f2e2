// The list of probes.

#pragma once

#include <span>

#include "harness/contract/probe.h"

namespace ablate::probes {

/// The specs of all probes, in alphabetical order: what planning and reporting need to know,
/// without LibTorch.
std::span<const ProbeSpec> probe_specs();

}  // namespace ablate::probes
