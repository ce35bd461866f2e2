// Simulated nights, and what the gate's rules make of them. Deterministic for a seed.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/nightly/judge/benchmarks.h"
#include "harness/nightly/selftest.h"

namespace ablate::nightly {

/// How a night's times come about.
struct SpeedStream {
  std::string name;
  double outliers = 0;       // share of repetitions that take 15 % longer
  double mood = 0;           // deviation of the log of a factor that a night's times share
  double drift = 0;          // of the log of that factor, a night
  double change = 0;         // log ratio of tonight's program
  std::int64_t lasting = 0;  // the nights from the middle on with that change; 0: all nights
};

/// The name of the one benchmark of a simulated night.
inline constexpr const char* kSimulated = "step";

/// The level that quality is judged at.
inline constexpr double kAlpha = 0.05;

/// Nights of one benchmark with both measurements.
StreamResult simulate(const SpeedStream& stream, std::int64_t nights, std::uint64_t seed);

/// Nights of equal programs, each with something wrong in its records.
StreamResult simulate_damage(const std::string& name, std::int64_t nights, std::uint64_t seed,
                             const std::function<void(TimedNight& night)>& damage);

/// First measurements of equal programs, `series` a night, each judged by its ranks alone: without a
/// ratio, a floor and a second measurement. `nights` of the result counts them all.
StreamResult simulate_ranks(const SpeedStream& stream, std::size_t series, std::int64_t nights,
                            std::uint64_t seed);

/// Nights of one metric; `worsening`: its mean, in margins.
StreamResult simulate_quality(const std::string& name, double worsening, std::int64_t nights,
                              std::uint64_t seed);

/// Nights of several metrics that are judged together; `worsening`: the mean of each, in margins.
StreamResult simulate_family(const std::string& name, const std::vector<double>& worsening,
                             std::int64_t nights, std::uint64_t seed);

}  // namespace ablate::nightly
