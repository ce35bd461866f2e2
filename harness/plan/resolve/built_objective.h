// Builds objectives. Nothing else calls ObjectiveSpec::build().

#pragma once

#include "harness/contract/objective.h"
#include "harness/contract/params.h"

namespace ablate::plan {

/// The objective with these parameters, before any model adapts its needs. Throws
/// std::invalid_argument if the parameters are refused for this vocabulary or length.
inline Objective built_objective(const ObjectiveSpec& spec, const Params& params,
                                 const Context& context) {
  return spec.build(params, context);
}

/// The same with the default of every parameter.
inline Objective default_objective(const ObjectiveSpec& spec, const Context& context) {
  return built_objective(spec, Params(spec.params, Json::object()), context);
}

}  // namespace ablate::plan
