#include "reports/analysis/probes/split_sizes.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>

namespace ablate::reports {
namespace {

/// The part of a metric's name that its probe's metrics share.
std::string probe_of(const std::string& metric) { return metric.substr(0, metric.find('.')); }

/// The numbers of a split over trials.
struct Range {
  std::optional<std::int64_t> fewest, most;  // empty: no trial has the split

  void add(const std::optional<std::int64_t>& number) {
    if (!number) return;
    fewest = std::min(fewest.value_or(*number), *number);
    most = std::max(most.value_or(*number), *number);
  }

  std::string text() const {
    return fewest == most ? fmt::format("{}", *fewest) : fmt::format("{} to {}", *fewest, *most);
  }
};

/// The sizes of a probe over all completed trials.
struct ProbeSplits {
  std::string unit;  // empty: no trial has any
  Range training, development, test, left_out, cut;
  std::set<std::string> schemes;

  void add(const store::SplitSizes& sizes) {
    unit = sizes.unit;
    training.add(sizes.training);
    development.add(sizes.development);
    test.add(sizes.test);
    left_out.add(sizes.left_out);
    cut.add(sizes.cut);
    for (const auto& [file, scheme] : sizes.schemes) schemes.insert(scheme);
    if (sizes.unit == "sentences" && sizes.schemes.empty()) schemes.insert("IOB2");
  }

  std::string text() const {
    std::string sentence;
    const auto add = [&](const std::string& what) {
      sentence += (sentence.empty() ? "" : ", ") + what;
    };
    if (training.most) add(fmt::format("fitted to {} {}", training.text(), unit));
    if (development.most)
      add(fmt::format("settings chosen on {}{}", development.text(),
                      training.most ? "" : " " + unit));
    add(fmt::format("tested on {}{}", test.text(), sentence.empty() ? " " + unit : ""));
    if (left_out.most > 0)
      sentence +=
          fmt::format("; {} more do not fit into the context, and are left out", left_out.text());
    if (cut.most > 0)
      sentence += fmt::format("; {} of all are read up to the end of the context", cut.text());
    if (schemes.empty()) return sentence;
    std::string names;
    for (const std::string& scheme : schemes) names += (names.empty() ? "" : "; ") + scheme;
    return fmt::format("{}; tags in {}{}", sentence, names,
                       names == "IOB2" ? "" : ", read as IOB2");
  }
};

}  // namespace

std::vector<std::string> split_sentences(const Analysis& analysis,
                                         const std::vector<const MetricRow*>& metrics) {
  std::vector<std::string> sentences;
  std::set<std::string> probes;
  for (const MetricRow* metric : metrics) {
    const std::string probe = probe_of(metric->name);
    if (!probes.insert(probe).second) continue;
    ProbeSplits splits;
    for (const ArmResult& arm : analysis.arms)
      for (const store::TrialRecord* trial : arm.trials)
        for (const store::SplitSizes& sizes : trial->splits)
          if (trial->outcome == "completed" && probe_of(sizes.metric) == probe) splits.add(sizes);
    if (!splits.unit.empty()) sentences.push_back(fmt::format("{}: {}.", probe, splits.text()));
  }
  return sentences;
}

}  // namespace ablate::reports
