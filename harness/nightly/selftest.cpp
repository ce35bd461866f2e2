#include "harness/nightly/selftest.h"

#include <cmath>
#include <functional>
#include <limits>

#include "harness/base/rng.h"
#include "harness/nightly/judge/benchmarks.h"
#include "harness/nightly/judge/quality.h"

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

constexpr const char* kSeries = "step";

// One measurement of a night: both programs, in turns on one machine.
Times measured(const std::vector<double>& baseline, const std::vector<double>& now) {
  Times times;
  times[kSeries]["baseline"] = {baseline, {"s"}, {"machine"}};
  times[kSeries]["now"] = {now, {"s"}, {"machine"}};
  return times;
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
    const TimedNight simulated = {.first = both(), .second = both()};
    count(verdict_of(simulated), result);
  }
  return result;
}

// Nights of equal programs, each with something wrong in its records.
StreamResult simulate_damage(const std::string& name, std::int64_t nights, std::uint64_t seed,
                             const std::function<void(Times& times)>& damage) {
  StreamResult result{.stream = name, .nights = nights};
  const SpeedStream equal{.name = name};
  for (std::int64_t night = 0; night < nights; ++night) {
    Rng rng(seed, Stream::probes, static_cast<std::uint64_t>(night));
    const auto baseline = repetitions(equal, 0, rng);
    TimedNight simulated = {.first = measured(baseline, repetitions(equal, 0, rng))};
    damage(simulated.first);
    count(verdict_of(simulated), result);
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

// The expected count of events of this probability, three standard errors above it, and one event.
double allowed(double probability, std::int64_t nights) {
  const auto n = static_cast<double>(nights);
  return probability * n + 3 * std::sqrt(probability * n) + 1;
}

// The streams, each with what is expected of it.
class Selftest {
 public:
  Selftest(std::int64_t nights, std::uint64_t seed) : nights_(nights), seed_(seed) {}

  std::vector<StreamResult> run() {
    for (const SpeedStream& stream :
         {SpeedStream{.name = "speed: equal programs"},
          SpeedStream{.name = "speed: equal, 2 % outliers", .outliers = 0.02},
          SpeedStream{.name = "speed: equal, nights differ by 3 %", .outliers = 0.02, .mood = 0.03},
          SpeedStream{.name = "speed: equal, slower by .05 % a night", .drift = 0.0005}})
      equal_programs(stream);
    changed_programs("speed: slower by 10 %", 0.1);
    changed_programs("speed: faster by 10 %", -0.1);
    at_the_threshold();
    changed_for_a_while();
    damaged_nights();
    equal_models();
    worse_by_the_margin();
    worse_by_two_margins();
    return std::move(results_);
  }

 private:
  void equal_programs(const SpeedStream& stream) {
    const StreamResult result = simulate(stream, nights_, seed_++);
    const auto alarms = static_cast<double>(result.regressions + result.improvements);
    const auto apart = static_cast<double>(std::abs(result.regressions - result.improvements));
    expect(result, "alarms below .001, either way alike",
           alarms <= allowed(0.001, nights_) && apart <= 3 * std::sqrt(alarms) + 1);
  }

  void changed_programs(const std::string& name, double change) {
    const StreamResult result = simulate(unsteady(name, std::log1p(change)), nights_, seed_++);
    const std::int64_t found = change > 0 ? result.regressions : result.improvements;
    const std::int64_t wrong = change > 0 ? result.improvements : result.regressions;
    expect(result, "found the first night, .99 and more", share(found) >= 0.99 && wrong == 0);
  }

  void at_the_threshold() {
    const StreamResult result =
        simulate(unsteady("speed: slower by 3 %", std::log(1.03)), nights_, seed_++);
    expect(result, "at the threshold: either, never an improvement", result.improvements == 0);
  }

  void changed_for_a_while() {
    SpeedStream stream = unsteady("speed: slower by 10 % for a tenth of the nights", std::log(1.1));
    stream.lasting = nights_ / 10;
    const StreamResult result = simulate(stream, nights_, seed_++);
    const auto lasting = static_cast<double>(stream.lasting);
    expect(result, "alarms in those nights alone",
           static_cast<double>(result.regressions) >= 0.98 * lasting &&
               static_cast<double>(result.regressions + result.improvements) <=
                   lasting + allowed(0.001, nights_));
  }

  // None of it is a pass, and none of it an alarm.
  void damaged_nights() {
    const auto never = [&](const std::string& name, const std::function<void(Times&)>& damage) {
      const StreamResult result = simulate_damage(name, nights_, seed_++, damage);
      expect(result, "no data, every night", result.no_data == nights_);
    };
    never("speed: a machine replaced within a night", [](Times& times) {
      Repetitions& now = times[kSeries]["now"];
      now.machines = {"another machine"};
      for (double& each : now.values) each *= 0.8;
    });
    never("speed: a series is missing", [](Times& times) { times[kSeries].erase("now"); });
    never("speed: a time is no number", [](Times& times) {
      times[kSeries]["now"].values.front() = std::numeric_limits<double>::quiet_NaN();
    });
    never("speed: the unit has changed", [](Times& times) {
      Repetitions& now = times[kSeries]["now"];
      now.units = {"ms"};
      for (double& each : now.values) each *= 1e3;
    });
    const StreamResult fresh =
        simulate_damage("speed: a new series", nights_, seed_++,
                        [](Times& times) { times[kSeries].erase("baseline"); });
    expect(fresh, "changed, every night", fresh.changed == nights_);
  }

  void equal_models() {
    const StreamResult result = simulate_quality("quality: equal models", 0, nights_, seed_++);
    const auto alarms = static_cast<double>(result.regressions + result.improvements);
    expect(result, "passes, .97 and more; no alarms",
           alarms <= allowed(0.001, nights_) && share(result.passes) > 0.97);
  }

  void worse_by_the_margin() {
    const StreamResult result =
        simulate_quality("quality: worse by the margin", 1, nights_, seed_++);
    expect(result, "passes and regressions at most .05 each",
           static_cast<double>(result.passes) <= allowed(0.05, nights_) &&
               static_cast<double>(result.regressions) <= allowed(0.05, nights_));
  }

  void worse_by_two_margins() {
    const StreamResult result =
        simulate_quality("quality: worse by two margins", 2, nights_, seed_++);
    expect(result, "found, .97 and more", share(result.regressions) > 0.97);
  }

  static SpeedStream unsteady(const std::string& name, double change) {
    return {.name = name, .outliers = 0.02, .mood = 0.03, .change = change};
  }

  double share(std::int64_t count) const {
    return static_cast<double>(count) / static_cast<double>(nights_);
  }

  void expect(StreamResult result, std::string words, bool holds) {
    result.expected = std::move(words);
    result.holds = holds;
    results_.push_back(std::move(result));
  }

  std::int64_t nights_;
  std::uint64_t seed_;  // of the next stream
  std::vector<StreamResult> results_;
};

}  // namespace

std::vector<StreamResult> selftest(std::int64_t nights, std::uint64_t seed) {
  return Selftest(nights, seed).run();
}

}  // namespace ablate::nightly
