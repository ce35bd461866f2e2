#include "harness/nightly/gate.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>

#include "harness/nightly/judge/benchmarks.h"
#include "harness/nightly/judge/quality.h"
#include "harness/nightly/judge/results.h"
#include "harness/nightly/measure/night_file.h"

namespace ablate::nightly {
namespace {

namespace fs = std::filesystem;

// Whether both programs have results of an experiment.
Finding results_of(const NightExperiment& experiment) {
  Finding finding{.series = experiment.name + "/results", .kind = Kind::exact};
  if (experiment.now_failure.empty() && experiment.baseline_failure.empty()) {
    finding.verdict = Verdict::pass;
    finding.reason = "both programs have results";
  } else if (!experiment.now_failure.empty()) {
    // A program that refuses or breaks what the baseline's could do is worse.
    finding.verdict = experiment.baseline_failure.empty() ? Verdict::regression : Verdict::no_data;
    finding.reason = "tonight's program: " + experiment.now_failure;
  } else {
    finding.reason = "the baseline's program: " + experiment.baseline_failure;
  }
  return finding;
}

// What the objectives make of the same texts. Arms that one of the plans does not have are told of
// elsewhere.
void judge_previews(const NightExperiment& experiment, std::vector<Finding>& findings) {
  for (const auto& [arm, digest] : experiment.now_previews) {
    Finding finding{.series = experiment.name + '/' + arm + "/preview", .kind = Kind::exact};
    finding.numbers["digest"] = digest;
    const auto before = experiment.baseline_previews.find(arm);
    if (before == experiment.baseline_previews.end()) {
      finding.verdict = Verdict::changed;
      finding.reason = "a new preview; it is compared from the next pin on";
    } else if (before->second == digest) {
      finding.verdict = Verdict::pass;
      finding.reason = "the same examples";
    } else {
      finding.verdict = Verdict::regression;
      finding.reason =
          "`ablate preview` shows other examples; if that is wanted, pin a new baseline";
    }
    findings.push_back(std::move(finding));
  }
  for (const auto& [arm, digest] : experiment.baseline_previews)
    if (!experiment.now_previews.contains(arm))
      findings.push_back({experiment.name + '/' + arm + "/preview", Kind::exact, Verdict::no_data,
                          "tonight's program has no preview of it, the baseline's has"});
}

/// "version 1" of "version 1, DIGEST".
std::string_view version_in(std::string_view golden) { return golden.substr(0, golden.find(',')); }

// Another golden vector is a regression unless the objective's version says that it was meant.
void judge_golden(const Night& night, std::vector<Finding>& findings) {
  for (const auto& [objective, golden] : night.now_golden) {
    Finding finding{.series = "objectives/" + objective + "/golden", .kind = Kind::exact};
    finding.numbers["digest"] = golden;
    const auto before = night.baseline_golden.find(objective);
    if (before == night.baseline_golden.end()) {
      finding.verdict = Verdict::changed;
      finding.reason = "a new golden vector; it is compared from the next pin on";
    } else if (before->second == golden) {
      finding.verdict = Verdict::pass;
      finding.reason = "the same examples";
    } else if (version_in(before->second) != version_in(golden)) {
      finding.verdict = Verdict::changed;
      finding.reason =
          fmt::format("{} before, {} now", version_in(before->second), version_in(golden));
    } else {
      finding.verdict = Verdict::regression;
      finding.reason = fmt::format(
          "it makes other examples of the same text, and is still {}; raise the version if that "
          "is wanted",
          version_in(golden));
    }
    findings.push_back(std::move(finding));
  }
  for (const auto& [objective, golden] : night.baseline_golden)
    if (!night.now_golden.contains(objective))
      findings.push_back({"objectives/" + objective + "/golden", Kind::exact, Verdict::no_data,
                          "tonight's program has no golden vector of it, the baseline's has"});
}

void judge_experiments(const Night& night, std::vector<Finding>& findings) {
  std::vector<QualitySeries> quality;
  for (const NightExperiment& experiment : night.experiments) {
    judge_previews(experiment, findings);
    findings.push_back(results_of(experiment));
    if (findings.back().verdict != Verdict::pass) continue;
    Compared compared = compare(experiment.name, store::load_records(experiment.baseline),
                                store::load_records(experiment.now),
                                {experiment.margins, held_margins(night.calibration)});
    std::move(compared.findings.begin(), compared.findings.end(), std::back_inserter(findings));
    std::move(compared.quality.begin(), compared.quality.end(), std::back_inserter(quality));
  }
  for (Finding& finding : judge_quality(quality)) findings.push_back(std::move(finding));
}

void judge_times(const Night& night, std::vector<Finding>& findings) {
  if (night.filter.empty()) return;
  const TimedNight timed = {.first = times_of(night, "bench.jsonl"),
                            .second = times_of(night, "confirm.jsonl"),
                            .failures = night.time_failures,
                            .usual = night.calibration.usual,
                            .now = night.now_benchmarks,
                            .baseline = night.baseline_benchmarks,
                            .repetitions = night.repetitions};
  for (Finding& finding : judge_benchmarks(timed)) findings.push_back(std::move(finding));
}

// What the last night had and tonight has not is missed until it is back or was retired.
void miss_series(const Night& night, std::vector<Finding>& findings) {
  std::set<std::string> there;
  std::set<std::string> without;  // experiments that have no results tonight, which says why
  for (const Finding& finding : findings) {
    there.insert(finding.series);
    if (finding.series.ends_with("/results") && finding.verdict != Verdict::pass)
      without.insert(finding.series.substr(0, finding.series.rfind('/') + 1));
  }
  for (const auto& [series, kind] : night.last.series) {
    if (there.contains(series)) continue;
    const auto retired =
        std::find_if(night.retired.begin(), night.retired.end(),
                     [&name = series](const Retired& each) { return each.covers(name); });
    if (retired != night.retired.end()) {
      findings.push_back(
          {series, kind, Verdict::changed, "was retired: " + retired->reason, {{"retired", true}}});
      continue;
    }
    const bool known = without.contains(series.substr(0, series.find('/') + 1));
    findings.push_back(
        {series, kind, Verdict::no_data,
         known ? "tonight's night has no results of this experiment"
               : fmt::format("the last night ({}) had it, tonight has not; what was removed on "
                             "purpose is listed in the suite under \"retired\", with a reason",
                             night.last.night)});
  }
}

void apply_quarantine(const Night& night, std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    if (finding.verdict != Verdict::regression) continue;
    for (const Quarantine& each : night.quarantine) {
      if (each.series != finding.series) continue;
      const bool holds = night.identity.date <= each.until;
      if (holds) finding.verdict = Verdict::changed;
      finding.reason += fmt::format("; quarantine {} {} ({}: {})", holds ? "until" : "has ended on",
                                    each.until, each.owner, each.reason);
    }
  }
}

// The place of a verdict in a list for readers.
std::size_t urgency(Verdict verdict) {
  constexpr std::array kOrder = {Verdict::regression, Verdict::no_data,     Verdict::inconclusive,
                                 Verdict::changed,    Verdict::improvement, Verdict::pass};
  return static_cast<std::size_t>(std::find(kOrder.begin(), kOrder.end(), verdict) -
                                  kOrder.begin());
}

}  // namespace

Judged judge(const std::filesystem::path& folder) {
  Judged judged{.night = read_night(folder)};
  verify_records(judged.night);
  judge_golden(judged.night, judged.findings);
  judge_experiments(judged.night, judged.findings);
  judge_times(judged.night, judged.findings);
  miss_series(judged.night, judged.findings);
  apply_quarantine(judged.night, judged.findings);
  std::stable_sort(
      judged.findings.begin(), judged.findings.end(),
      [](const Finding& a, const Finding& b) { return urgency(a.verdict) < urgency(b.verdict); });
  judged.verdict = overall(judged.findings);
  return judged;
}

LastNight last_night(const Home& home, const std::string& baseline) {
  LastNight last;
  const std::vector<fs::path> all = home.all_nights();
  const auto found = std::find_if(all.rbegin(), all.rend(), [&](const fs::path& folder) {
    const Night night = read_night(folder);
    return night.identity.baseline == baseline && !night.finished.empty();
  });
  if (found != all.rend()) last.night = found->filename();
  if (last.night.empty()) return last;
  for (const Finding& finding : judge(home.nights() / last.night).findings)
    if (!finding.numbers.contains("retired")) last.series[finding.series] = finding.kind;
  return last;
}

Json json_of(const Judged& judged) {
  Json counts = Json::object(), findings = Json::array();
  for (const Finding& finding : judged.findings) {
    const std::string name(name_of(finding.verdict));
    counts[name] = counts.value(name, 0) + 1;
    findings.push_back(json_of(finding));
  }
  return {{"night", judged.night.folder.filename().string()},
          {"date", judged.night.identity.date},
          {"commit", judged.night.commit},
          {"baseline", judged.night.identity.baseline},
          {"pin", judged.night.identity.pin},
          {"machine", judged.night.machine},
          {"fingerprint", judged.night.identity.fingerprint},
          {"verdict", name_of(judged.verdict)},
          {"counts", counts},
          {"findings", findings}};
}

}  // namespace ablate::nightly
