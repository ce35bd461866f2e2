#include "harness/nightly/simulated_nights.h"

#include <cmath>

#include "harness/base/rng.h"
#include "harness/nightly/judge/quality.h"
#include "harness/nightly/judge/speed.h"

namespace ablate::nightly {
namespace {

constexpr std::size_t kRepetitions = 15;
constexpr std::size_t kSeeds = 8;
constexpr double kSpread = 0.01;                     // of a repetition's log time
constexpr double kMargin = 0.02, kDeviation = 0.01;  // of quality, a metric's unit

std::vector<double> repetitions(const SpeedStream& stream, double level, Rng& rng) {
  std::vector<double> seconds(kRepetitions);
  for (double& each : seconds) {
    each = std::exp(level + kSpread * rng.normal());
    if (rng.probability(stream.outliers)) each *= 1.15;
  }
  return seconds;
}

// One measurement of a night: both programs, in turns on one machine.
Times measured(const std::vector<double>& baseline, const std::vector<double>& now) {
  Times times;
  times[kSimulated]["baseline"] = {baseline, {"s"}, {"machine"}};
  times[kSimulated]["now"] = {now, {"s"}, {"machine"}};
  return times;
}

// A night of two programs that both have the benchmark.
TimedNight night_of(Times first, Times second) {
  TimedNight night = {.first = std::move(first), .second = std::move(second)};
  night.now = night.baseline = {kSimulated};
  return night;
}

Verdict verdict_of(const TimedNight& night) { return judge_benchmarks(night).front().verdict; }

void count(Verdict verdict, StreamResult& result) {
  result.regressions += verdict == Verdict::regression;
  result.improvements += verdict == Verdict::improvement;
  result.inconclusive += verdict == Verdict::inconclusive;
  result.passes += verdict == Verdict::pass;
  result.changed += verdict == Verdict::changed;
  result.no_data += verdict == Verdict::no_data;
}

std::vector<double> worsening_of(double margins, Rng& rng) {
  std::vector<double> worsening(kSeeds);
  for (double& each : worsening) each = margins * kMargin + kDeviation * rng.normal();
  return worsening;
}

}  // namespace

StreamResult simulate(const SpeedStream& stream, std::int64_t nights, std::uint64_t seed) {
  StreamResult result{.stream = stream.name, .nights = nights};
  for (std::int64_t night = 0; night < nights; ++night) {
    Rng rng(seed, Stream::probes, static_cast<std::uint64_t>(night));
    const double level = stream.mood * rng.normal() + stream.drift * static_cast<double>(night);
    const bool changed =
        stream.lasting == 0 || (night >= nights / 2 && night < nights / 2 + stream.lasting);
    const double now = level + (changed ? stream.change : 0);
    const auto both = [&] {
      const auto baseline = repetitions(stream, level, rng);
      return measured(baseline, repetitions(stream, now, rng));
    };
    Times first = both();
    count(verdict_of(night_of(std::move(first), both())), result);
  }
  return result;
}

StreamResult simulate_damage(const std::string& name, std::int64_t nights, std::uint64_t seed,
                             const std::function<void(TimedNight& night)>& damage) {
  StreamResult result{.stream = name, .nights = nights};
  const SpeedStream equal{.name = name};
  for (std::int64_t night = 0; night < nights; ++night) {
    Rng rng(seed, Stream::probes, static_cast<std::uint64_t>(night));
    const auto baseline = repetitions(equal, 0, rng);
    TimedNight simulated = night_of(measured(baseline, repetitions(equal, 0, rng)), {});
    damage(simulated);
    count(verdict_of(simulated), result);
  }
  return result;
}

StreamResult simulate_ranks(const SpeedStream& stream, std::size_t series, std::int64_t nights,
                            std::uint64_t seed) {
  StreamResult result{.stream = stream.name + ", by ranks alone",
                      .nights = nights * static_cast<std::int64_t>(series)};
  const SpeedRule ranks_alone = {.least = 0, .usual = 0, .floor_seconds = 0};
  for (std::int64_t night = 0; night < nights; ++night) {
    Rng rng(seed, Stream::probes, static_cast<std::uint64_t>(night), 2);
    for (std::size_t i = 0; i < series; ++i) {
      const double level = stream.mood * rng.normal() + stream.drift * static_cast<double>(night);
      const auto baseline = repetitions(stream, level, rng);
      const auto now = repetitions(stream, level, rng);
      count(judge_speed(kSimulated, baseline, now, ranks_alone).verdict, result);
    }
  }
  return result;
}

StreamResult simulate_family(const std::string& name, const std::vector<double>& worsening,
                             std::int64_t nights, std::uint64_t seed) {
  StreamResult result{.stream = name, .nights = nights};
  for (std::int64_t night = 0; night < nights; ++night) {
    Rng rng(seed, Stream::probes, static_cast<std::uint64_t>(night), 3);
    std::vector<QualitySeries> all;
    all.reserve(worsening.size());
    for (const double each : worsening) all.push_back({name, worsening_of(each, rng), kMargin});
    bool worse = false, better = false;
    for (const Finding& finding : judge_quality(all, kAlpha)) {
      worse = worse || finding.verdict == Verdict::regression;
      better = better || finding.verdict == Verdict::improvement;
    }
    result.regressions += worse;
    result.improvements += better;
  }
  return result;
}

StreamResult simulate_quality(const std::string& name, double worsening, std::int64_t nights,
                              std::uint64_t seed) {
  StreamResult result{.stream = name, .nights = nights};
  for (std::int64_t night = 0; night < nights; ++night) {
    Rng rng(seed, Stream::probes, static_cast<std::uint64_t>(night), 1);
    const QualitySeries series{name, worsening_of(worsening, rng), kMargin};
    count(judge_quality({series}, kAlpha).front().verdict, result);
  }
  return result;
}

}  // namespace ablate::nightly
