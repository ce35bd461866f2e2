#include "harness/nightly/selftest.h"

#include <fmt/core.h>

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

// How a night's times come about.
struct SpeedStream {
  std::string name;
  double outliers = 0;       // share of repetitions that take 15 % longer
  double mood = 0;           // deviation of the log of a factor that a night's times share
  double drift = 0;          // of the log of that factor, a night
  double change = 0;         // log ratio of tonight's program
  std::int64_t lasting = 0;  // the nights from the middle on with that change; 0: all nights
};

std::vector<double> repetitions(const SpeedStream& stream, double level, Rng& rng) {
  std::vector<double> seconds(kRepetitions);
  for (double& each : seconds) {
    each = std::exp(level + kSpread * rng.normal());
    if (rng.probability(stream.outliers)) each *= 1.15;
  }
  return seconds;
}

void count(Verdict verdict, StreamResult& result) {
  result.regressions += verdict == Verdict::regression;
  result.improvements += verdict == Verdict::improvement;
  result.inconclusive += verdict == Verdict::inconclusive;
  result.passes += verdict == Verdict::pass;
}

StreamResult simulate(const SpeedStream& stream, std::int64_t nights, std::uint64_t seed) {
  StreamResult result{.stream = stream.name, .nights = nights};
  for (std::int64_t night = 0; night < nights; ++night) {
    Rng rng(seed, Stream::probes, static_cast<std::uint64_t>(night));
    const double level = stream.mood * rng.normal() + stream.drift * static_cast<double>(night);
    const bool changed =
        stream.lasting == 0 || (night >= nights / 2 && night < nights / 2 + stream.lasting);
    const double now = level + (changed ? stream.change : 0);
    const auto measured = [&] {
      const auto baseline = repetitions(stream, level, rng);
      return judge_speed(stream.name, baseline, repetitions(stream, now, rng));
    };
    const Finding first = measured(), second = measured();
    count(confirmed(first, &second).verdict, result);
  }
  return result;
}

// Mean worsening of a metric, in margins.
StreamResult simulate_quality(const std::string& name, double worsening, std::int64_t nights,
                              std::uint64_t seed) {
  StreamResult result{.stream = name, .nights = nights};
  for (std::int64_t night = 0; night < nights; ++night) {
    Rng rng(seed, Stream::probes, static_cast<std::uint64_t>(night), 1);
    QualitySeries series{name, std::vector<double>(kSeeds), kMargin};
    for (double& each : series.worsening) each = worsening * kMargin + kDeviation * rng.normal();
    count(judge_quality({series}).front().verdict, result);
  }
  return result;
}

// Twice the standard error of a count of events with this probability, and one event.
double allowed(double probability, std::int64_t nights) {
  const auto n = static_cast<double>(nights);
  return probability * n + 3 * std::sqrt(probability * n) + 1;
}

}  // namespace

std::vector<StreamResult> selftest(std::int64_t nights, std::uint64_t seed) {
  const auto share = [&](std::int64_t count) {
    return static_cast<double>(count) / static_cast<double>(nights);
  };
  std::vector<StreamResult> results;
  const auto expect = [&](StreamResult result, std::string words, bool holds) {
    result.expected = std::move(words);
    result.holds = holds;
    results.push_back(std::move(result));
  };
  for (const SpeedStream& stream :
       {SpeedStream{.name = "speed: equal programs"},
        SpeedStream{.name = "speed: equal, 2 % outliers", .outliers = 0.02},
        SpeedStream{.name = "speed: equal, nights differ by 3 %", .outliers = 0.02, .mood = 0.03},
        SpeedStream{.name = "speed: equal, slower by .05 % a night", .drift = 0.0005}}) {
    StreamResult result = simulate(stream, nights, seed++);
    const std::int64_t alarms = result.regressions + result.improvements;
    const bool balanced = static_cast<double>(std::abs(result.regressions - result.improvements)) <=
                          3 * std::sqrt(static_cast<double>(alarms)) + 1;
    expect(std::move(result), "alarms below .001, either way alike",
           static_cast<double>(alarms) <= allowed(0.001, nights) && balanced);
  }
  for (const double change : {0.1, -0.1}) {
    const SpeedStream stream{
        .name = fmt::format("speed: {} by 10 %", change > 0 ? "slower" : "faster"),
        .outliers = 0.02,
        .mood = 0.03,
        .change = std::log1p(change)};
    StreamResult result = simulate(stream, nights, seed++);
    const std::int64_t found = change > 0 ? result.regressions : result.improvements;
    const std::int64_t wrong = change > 0 ? result.improvements : result.regressions;
    expect(std::move(result), "found the first night, .99 and more",
           share(found) >= 0.99 && wrong == 0);
  }
  {
    StreamResult result = simulate(
        {.name = "speed: slower by 3 %", .outliers = 0.02, .mood = 0.03, .change = std::log(1.03)},
        nights, seed++);
    const bool never_wrong = result.improvements == 0;
    expect(std::move(result), "at the threshold: either, never an improvement", never_wrong);
  }
  {
    const std::int64_t lasting = nights / 10;
    StreamResult result = simulate({.name = "speed: slower by 10 % for a tenth of the nights",
                                    .outliers = 0.02,
                                    .mood = 0.03,
                                    .change = std::log(1.1),
                                    .lasting = lasting},
                                   nights, seed++);
    const bool only_then =
        static_cast<double>(result.regressions) >= 0.98 * static_cast<double>(lasting) &&
        static_cast<double>(result.regressions + result.improvements) <=
            static_cast<double>(lasting) + allowed(0.001, nights);
    expect(std::move(result), "alarms in those nights alone", only_then);
  }
  {
    StreamResult result = simulate_quality("quality: equal models", 0, nights, seed++);
    const bool quiet =
        static_cast<double>(result.regressions + result.improvements) <= allowed(0.001, nights);
    const bool passes = share(result.passes) > 0.97;
    expect(std::move(result), "passes, .97 and more; no alarms", quiet && passes);
  }
  {
    StreamResult result = simulate_quality("quality: worse by the margin", 1, nights, seed++);
    const bool nominal = static_cast<double>(result.passes) <= allowed(0.05, nights) &&
                         static_cast<double>(result.regressions) <= allowed(0.05, nights);
    expect(std::move(result), "passes and regressions at most .05 each", nominal);
  }
  {
    StreamResult result = simulate_quality("quality: worse by two margins", 2, nights, seed++);
    const bool found = share(result.regressions) > 0.97;
    expect(std::move(result), "found, .97 and more", found);
  }
  return results;
}

}  // namespace ablate::nightly
