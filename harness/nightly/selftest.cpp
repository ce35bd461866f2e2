#include "harness/nightly/selftest.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "harness/nightly/simulated_nights.h"

namespace ablate::nightly {
namespace {

constexpr std::size_t kSeries = 20;      // of a night with several
constexpr double kRankLevel = 0.001963;  // of ranks of 15 and 15 below p = .002: P(U <= 40), twice

// The expected count of events of this probability, three standard errors above it, and one event.
double allowed(double probability, std::int64_t nights) {
  const auto n = static_cast<double>(nights);
  return probability * n + 3 * std::sqrt(probability * n) + 1;
}

// Whether a count is at least that of a probability, less three standard errors and one event.
bool enough(std::int64_t found, double probability, std::int64_t of) {
  const auto n = static_cast<double>(of);
  const double error = std::sqrt(n * probability * (1 - probability));
  return static_cast<double>(found) >= probability * n - 3 * error - 1;
}

// Whether a count is within three standard errors and one event of that of a probability.
bool nominal(std::int64_t found, double probability, std::int64_t of) {
  const double expected = probability * static_cast<double>(of);
  return std::abs(static_cast<double>(found) - expected) <= 3 * std::sqrt(expected) + 1;
}

// Whether two counts are of one probability, within three standard errors and one event.
bool alike(std::int64_t a, std::int64_t b) {
  const auto difference = static_cast<double>(a - b), sum = static_cast<double>(a + b);
  return std::abs(difference) <= 3 * std::sqrt(sum) + 1;
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
    many_at_the_margin();
    one_of_many();
    return std::move(results_);
  }

 private:
  void equal_programs(const SpeedStream& stream) {
    const StreamResult result = simulate(stream, nights_, seed_++);
    const auto alarms = static_cast<double>(result.regressions + result.improvements);
    expect(result, "alarms below .001, either way alike",
           alarms <= allowed(0.001, nights_) && alike(result.regressions, result.improvements));
    const StreamResult ranks = simulate_ranks(stream, kSeries, nights_, seed_++);
    expect(ranks, "p below .002 as often as that, either way alike",
           nominal(ranks.regressions + ranks.improvements, kRankLevel, ranks.nights) &&
               alike(ranks.regressions, ranks.improvements));
  }

  void changed_programs(const std::string& name, double change) {
    const StreamResult result = simulate(unsteady(name, std::log1p(change)), nights_, seed_++);
    const std::int64_t found = change > 0 ? result.regressions : result.improvements;
    const std::int64_t wrong = change > 0 ? result.improvements : result.regressions;
    expect(result, "found the first night, .99 and more",
           enough(found, 0.99, nights_) && wrong == 0);
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
           enough(result.regressions, 0.98, stream.lasting) &&
               static_cast<double>(result.regressions + result.improvements) <=
                   lasting + allowed(0.001, nights_));
  }

  // None of it is a pass, and none of it an alarm.
  void damaged_nights() {
    const auto never = [&](const std::string& name,
                           const std::function<void(TimedNight&)>& damage) {
      const StreamResult result = simulate_damage(name, nights_, seed_++, damage);
      expect(result, "no data, every night", result.no_data == nights_);
    };
    never("speed: a machine replaced within a night", [](TimedNight& night) {
      Repetitions& now = night.first[kSimulated]["now"];
      now.machines = {"another machine"};
      for (double& each : now.values) each *= 0.8;
    });
    never("speed: a series is missing", [](TimedNight& night) {
      night.first[kSimulated].erase("now");
      night.now.clear();
    });
    never("speed: the baseline's times are gone",
          [](TimedNight& night) { night.first[kSimulated].erase("baseline"); });
    never("speed: a repetition is missing", [](TimedNight& night) {
      night.repetitions = std::ssize(night.first[kSimulated]["now"].values);
      night.first[kSimulated]["baseline"].values.pop_back();
    });
    never("speed: a time is no number", [](TimedNight& night) {
      night.first[kSimulated]["now"].values.front() = std::numeric_limits<double>::quiet_NaN();
    });
    never("speed: the unit has changed", [](TimedNight& night) {
      Repetitions& now = night.first[kSimulated]["now"];
      now.units = {"ms"};
      for (double& each : now.values) each *= 1e3;
    });
    const StreamResult fresh =
        simulate_damage("speed: a new series", nights_, seed_++, [](TimedNight& night) {
          night.first[kSimulated].erase("baseline");
          night.baseline.clear();
        });
    expect(fresh, "changed, every night", fresh.changed == nights_);
  }

  void equal_models() {
    const StreamResult result = simulate_quality("quality: equal models", 0, nights_, seed_++);
    const auto alarms = static_cast<double>(result.regressions + result.improvements);
    expect(result, "passes, .97 and more; no alarms",
           alarms <= allowed(0.001, nights_) && enough(result.passes, 0.97, nights_));
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
    expect(result, "found, .97 and more", enough(result.regressions, 0.97, nights_));
  }

  // Holm keeps the probability of any false alarm in a night, over the metrics that are not worse
  // than they may be. Half of them are at the margin, half at its mirror image.
  void many_at_the_margin() {
    std::vector<double> margins(kSeries, 1);
    std::fill(margins.begin() + kSeries / 2, margins.end(), -1);
    const StreamResult result = simulate_family(
        "quality: twenty metrics, worse or better by the margin", margins, nights_, seed_++);
    const double one_way = 1 - std::pow(1 - kAlpha / kSeries, kSeries / 2);
    expect(result, "alarms in .025 of the nights, either way alike",
           nominal(result.regressions, one_way, nights_) &&
               nominal(result.improvements, one_way, nights_) &&
               alike(result.regressions, result.improvements));
  }

  void one_of_many() {
    std::vector<double> margins(kSeries, 0);
    margins.front() = 3;
    const StreamResult result = simulate_family(
        "quality: one of twenty metrics worse by three margins", margins, nights_, seed_++);
    expect(result, "found, .97 and more; no improvement",
           enough(result.regressions, 0.97, nights_) && result.improvements == 0);
  }

  static SpeedStream unsteady(const std::string& name, double change) {
    return {.name = name, .outliers = 0.02, .mood = 0.03, .change = change};
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
