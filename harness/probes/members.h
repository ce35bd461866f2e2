// The probes one by one, and what their specs share. Without LibTorch.

#pragma once

#include <string>
#include <string_view>

#include "harness/contract/probe.h"

namespace ablate::probes {

ProbeSpec classification_spec();
ProbeSpec forgetting_spec();
ProbeSpec generation_spec();
ProbeSpec held_out_spec();

/// The same text with a lifetime of the program's: names of metrics that are made of others' names.
std::string_view lasting(const std::string& text);

/// Whether an optimum is known for the objective's losses at these parameters.
bool has_optimum(const ObjectiveSpec& objective, const Params& params);

/// Gives what is reckoned from an optimum that is a bound the caveat that it is: of the metrics
/// from number `first` on, those named PROBE.optimum..., PROBE.excess... and PROBE.share_learned.
void add_caveats(std::vector<Metric>& metrics, std::size_t first, const ObjectiveSpec& objective,
                 const Params& params);

/// The parameters of a probe of a trial's list: what `ProbeSpec::prepare` and the plan added is
/// left out.
Params probe_params(const ProbeSpec& spec, const Json& probe);

}  // namespace ablate::probes
