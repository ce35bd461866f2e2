#pragma once

#include <span>

#include "harness/contract/probe.h"

namespace ablate::probes {

/// Every probe, in alphabetical order: what planning and reporting need of it, without LibTorch.
std::span<const ProbeSpec> probe_specs();

}  // namespace ablate::probes
