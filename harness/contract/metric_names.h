// Names of metrics that both a probe, which measures them, and a report, which reads one against
// another, must know. Every other metric is known by what its probe declares.

#pragma once

#include <string_view>

namespace ablate::metric_names {

// What stands before the dot: the probe, or what it classifies.
inline constexpr std::string_view kHeldOut = "held_out";
inline constexpr std::string_view kTopic = "topic";
inline constexpr std::string_view kLabel = "label";
inline constexpr std::string_view kGeneration = "generation";

// What stands after the dot: a measured value, and what it is read against.
inline constexpr std::string_view kLoss = "loss";
inline constexpr std::string_view kOptimum = "optimum";
inline constexpr std::string_view kContextFree = "context_free";
inline constexpr std::string_view kAccuracy = "accuracy";
inline constexpr std::string_view kBayes = "bayes";
inline constexpr std::string_view kUntrained = "untrained";
inline constexpr std::string_view kMajority = "majority";
inline constexpr std::string_view kLogProbability = "log_probability";
inline constexpr std::string_view kReference = "reference";

// Whole names.
inline constexpr std::string_view kHeldOutLoss = "held_out.loss";
inline constexpr std::string_view kHeldOutOptimum = "held_out.optimum";
inline constexpr std::string_view kHeldOutContextFree = "held_out.context_free";

}  // namespace ablate::metric_names
