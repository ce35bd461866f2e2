// Every way in which a night can be worse, or its records missing, renamed, reused, damaged or not made,
// with the verdict and the exit status that it gets. docs/nightly.md has the same table.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/nightly/gate.h"
#include "harness/nightly/judge/benchmarks.h"
#include "harness/nightly/judge/quality.h"
#include "harness/nightly/judge/results.h"
#include "harness/nightly/measure/night_file.h"
#include "harness/nightly/programs/prepared.h"
#include "tests/edited_curve.h"
#include "tests/end_to_end/night_home.h"
#include "tests/harness/nightly/night_records.h"
#include "tests/paths.h"

namespace ablate::nightly {
namespace {

using testing_support::Finished;
using testing_support::NightHome;
namespace fs = std::filesystem;

// "regression, 4": what a reader of the verdict and one of the exit status get.
std::string told(Verdict verdict) {
  return fmt::format("{}, {}", name_of(verdict), exit_code_of(verdict));
}

std::string told(const std::vector<Finding>& findings) { return told(overall(findings)); }

// What the command's guard makes of an exception.
std::string told(const std::function<std::string()>& action) {
  try {
    return action();
  } catch (const DamagedFile&) {
    return fmt::format("damaged, {}", int{exit_damaged});
  } catch (const std::invalid_argument&) {
    return fmt::format("refused, {}", int{exit_usage});
  }
}

std::string told(const Finished& night) {
  const Json verdict = Json::parse(night.output, nullptr, false);
  return fmt::format("{}, {}",
                     verdict.is_object() ? verdict.at("verdict").get<std::string>() : "none",
                     night.exit_code);
}

// ---- results of one experiment ----

store::Records results() {
  store::Records made;
  made.plan = {{"arms", {{{"name", "clm"}}}},
               {"ledger", {{{"arm", "clm"}, {"flops", 1e9}}}},
               {"metrics", {{"clm", {{{"name", "loss"}, {"better", "lower"}}}}}}};
  for (std::int64_t seed = 1; seed <= 6; ++seed) {
    store::TrialRecord trial;
    trial.id = "id" + std::to_string(seed);
    trial.arm = "clm";
    trial.seed = seed;
    trial.outcome = "completed";
    trial.metrics = {{"loss", 2 + 0.01 * static_cast<double>(seed)}};
    trial.curve = {{.step = 1, .loss = 3.5}};
    made.trials.push_back(trial);
  }
  return made;
}

using Change = std::function<void(store::Records& now)>;

std::string told_of(const store::Records& before, const store::Records& now,
                    const Margins& margins = {{{"loss", 0.1}}, {}}) {
  const Compared compared = compare("e", before, now, margins);
  std::vector<Finding> findings = compared.findings;
  for (const Finding& finding : judge_quality(compared.quality)) findings.push_back(finding);
  return told(findings);
}

std::string with(const Change& change) {
  store::Records now = results();
  change(now);
  return told_of(results(), now);
}

void worsen(store::Records& now, double by, double noise) {
  for (store::TrialRecord& trial : now.trials)
    trial.metrics["loss"] += by + noise * static_cast<double>(trial.seed % 2);
}

// ---- benchmarks ----

Repetitions repetitions(double seconds, const std::string& machine = "a") {
  Repetitions made = {{}, {"s"}, {machine}};
  for (int i = 0; i < 15; ++i) made.values.push_back(seconds + 1e-4 * i);
  return made;
}

std::string timed(const std::function<void(TimedNight& night)>& change) {
  TimedNight night;
  night.now = night.baseline = {"step"};
  night.repetitions = 15;
  night.first["step"] = {{"now", repetitions(1)}, {"baseline", repetitions(1)}};
  change(night);
  return told(judge_benchmarks(night));
}

// ---- a night's records ----

class Records {
 public:
  Records() {
    fs::create_directories(folder);
    night.folder = folder;
    night.identity.date = "2026-11-23";
    night.identity.baseline = "main";
    night.finished = "2026-11-23T02:00:00.000Z";
    night.machine = Json::object();
    night.now_golden = night.baseline_golden = {{"clm", "version 1, aa"}};
  }

  std::string judged(const std::function<void(Night& night)>& change) {
    change(night);
    write_night(night);
    return told(judge(folder).verdict);
  }

  /// What is said of them after a file was changed that a night has.
  std::string damaged(const std::string& name,
                      const std::function<void(std::string& bytes)>& change) {
    write_file(folder / "bench.jsonl",
               testing_support::round_of({{{"series", "step"}, {"program", "now"}, {"value", 1}}}));
    write_night(night);
    std::string bytes = read_file(folder / name);
    change(bytes);
    write_file(folder / name, bytes);
    return told([&] { return told(judge(folder).verdict); });
  }

  const TemporaryFolder place;
  const fs::path folder = place.path() / "nights/2026-11-23-abc";
  Night night;
};

std::string judged(const std::function<void(Night& night)>& change) {
  return Records().judged(change);
}

std::string pinned(
    const std::function<void(const fs::path& pins, const fs::path& programs)>& change) {
  const TemporaryFolder place;
  const fs::path folder = place.path() / "baselines/main", programs = folder / "p/programs";
  fs::create_directories(programs);
  for (const char* const program : kPrograms) write_file(programs / program, program);
  Json line = testing_support::pin_of("p", "c", "r");
  line["programs"] = hashes_of({programs});
  write_file(folder / "pins.jsonl", testing_support::pins_text({line, line}));
  change(folder / "pins.jsonl", programs);
  return told([&] {
    for (const Pin& pin : Home(place.path()).pins("main")) pin.verify();
    return std::string("verified");
  });
}

// ---- suites ----

std::string suite_told(const std::string& text,
                       const std::set<std::string>& benchmarks = {"step"}) {
  const TemporaryFolder place;
  write_file(place.path() / "e.json", "{}");
  write_file(place.path() / "suite.json", text);
  return told([&] {
    const Suite suite = read_suite(place.path() / "suite.json");
    Prepared prepared = {.plans = {{"e", results().plan}}, .benchmarks = benchmarks};
    check_names(suite, prepared, prepared, {});
    return std::string("accepted");
  });
}

// ---- programs ----

std::string worse_worker_of_the_same_day() {
  NightHome home;
  home.write_suite(R"({"experiments": [{"file": "tiny.json",
                       "set": ["seeds=6", "train.budget.steps=60"],
                       "margins": [{"metric": "held_out.loss", "margin": 0.1}]}]})");
  home.pin();
  const Finished good = home.night();
  EXPECT_EQ(good.exit_code, exit_ok) << good.errors;
  return told(home.night(home.worse_programs()));
}

struct Way {
  const char* what;  // as the table of docs/nightly.md says it
  std::function<std::string()> happens;
};

const std::vector<Way> kWays = {
    // worse
    {"a benchmark is slower, in both measurements",
     [] {
       return timed([](TimedNight& night) {
         night.first["step"]["now"] = repetitions(1.1);
         night.second = night.first;
       });
     }},
    {"a metric is worse by more than its margin",
     [] { return with([](store::Records& now) { worsen(now, 0.5, 0.01); }); }},
    {"a metric is NaN that was a number",
     [] {
       return with([](store::Records& now) { now.trials[3].metrics["loss"] = std::nan(""); });
     }},
    {"a trial fails or diverges that completed",
     [] { return with([](store::Records& now) { now.trials[3].outcome = "failed"; }); }},
    {"a plan has other parameters, FLOPs, targets or ids",
     [] { return with([](store::Records& now) { now.plan["ledger"][0]["flops"] = 2e9; }); }},
    {"an objective makes other examples under the same version",
     [] { return judged([](Night& night) { night.now_golden["clm"] = "version 1, bb"; }); }},
    {"tonight's program refuses what the baseline's trains",
     [] {
       return judged([](Night& night) {
         night.experiments.push_back({.name = "e", .now_failure = "it refuses the file"});
       });
     }},
    {"a worse series whose quarantine has ended",
     [] {
       return judged([](Night& night) {
         night.now_golden["clm"] = "version 1, bb";
         night.quarantine = {{"objectives/clm/golden", "ada", "r", "2026-11-22"}};
       });
     }},
    {"a worse worker of the same day and commit", worse_worker_of_the_same_day},
    // missing
    {"an experiment or a benchmark is left out of the suite",
     [] {
       return judged([](Night& night) {
         night.last = {"2026-11-22-abc", {{"step", Kind::speed}}};
       });
     }},
    {"a benchmark is gone from tonight's program",
     [] { return timed([](TimedNight& night) { night.now.clear(); }); }},
    {"the rows of a benchmark are gone, tonight's or the baseline's",
     [] { return timed([](TimedNight& night) { night.first["step"].erase("baseline"); }); }},
    {"a repetition is missing",
     [] { return timed([](TimedNight& night) { night.first["step"]["now"].values.pop_back(); }); }},
    {"an arm is gone from the plan",
     [] { return with([](store::Records& now) { now.plan["arms"] = Json::array(); }); }},
    {"a metric is gone from the plan",
     [] { return with([](store::Records& now) { now.plan["metrics"]["clm"] = Json::array(); }); }},
    {"a metric was not measured in a trial",
     [] { return with([](store::Records& now) { now.trials[3].metrics.clear(); }); }},
    {"a trial did not run to an end",
     [] { return with([](store::Records& now) { now.trials[3].outcome = "unfinished"; }); }},
    {"the baseline's worker crashed",
     [] {
       store::Records before = results();
       for (store::TrialRecord& trial : before.trials) {
         trial.outcome = "failed";
         trial.metrics.clear();
       }
       return told_of(before, results());
     }},
    {"the baseline's program refuses what tonight's trains",
     [] {
       return judged([](Night& night) {
         night.experiments.push_back({.name = "e", .baseline_failure = "it refuses the file"});
       });
     }},
    // renamed
    {"an arm has another name",
     [] { return with([](store::Records& now) { now.plan["arms"][0]["name"] = "causal"; }); }},
    {"a margin of a metric that no arm has",
     [] {
       return suite_told(
           R"({"experiments": [{"file": "e.json", "margins": [{"metric": "los"}]}]})");
     }},
    {"a filter that matches no benchmark",
     [] { return suite_told(R"({"benchmarks": {"filter": "^stepp$"}})", {}); }},
    {"a quarantine of a series that nothing has",
     [] {
       return suite_told(R"({"benchmarks": {"filter": "step"}, "quarantine":
         [{"series": "stepp", "owner": "ada", "reason": "r", "until": "2030-01-01"}]})");
     }},
    {"a retired series that tonight still has",
     [] {
       return suite_told(
           R"({"benchmarks": {"filter": "step"}, "retired": [{"series": "step", "reason": "r"}]})");
     }},
    // reused
    {"times of another machine",
     [] {
       return timed([](TimedNight& night) { night.first["step"]["now"] = repetitions(1, "b"); });
     }},
    {"numbers in another unit",
     [] { return timed([](TimedNight& night) { night.first["step"]["now"].units = {"ms"}; }); }},
    {"records of another night in the place of this one's",
     [] {
       return Records().damaged("bench.jsonl", [](std::string& bytes) {
         bytes =
             testing_support::round_of({{{"series", "step"}, {"program", "now"}, {"value", 2}}});
       });
     }},
    // damaged
    {"a byte of a night's records is changed",
     [] { return Records().damaged("night.json", [](std::string& bytes) { bytes[99] ^= 1; }); }},
    {"a night's records are cut off at the end of a line",
     [] {
       return Records().damaged("bench.jsonl",
                                [](std::string& bytes) { bytes.resize(bytes.find('\n') + 1); });
     }},
    {"the list of pins is cut off at the end of a line",
     [] {
       return pinned([](const fs::path& pins, const fs::path&) {
         const std::string text = read_file(pins);
         write_file(pins, std::string_view(text).substr(0, text.find('\n') + 1));
       });
     }},
    {"a kept program of the baseline is changed or gone",
     [] {
       return pinned([](const fs::path&, const fs::path& programs) {
         write_file(programs / "ablate-worker", "another");
       });
     }},
    // not run, or not told
    {"a suite that asks for nothing", [] { return suite_told("{}"); }},
    {"there is no baseline",
     [] {
       const TemporaryFolder place;
       const Suite suite = {.filter = "step"};
       return told([&] {
         return told(
             judge(run_night(suite, Home(place.path()), {}, {}, nullptr).night.folder).verdict);
       });
     }},
    {"no benchmark was timed",
     [] {
       return timed([](TimedNight& night) {
         night.failures = {{"now", "it crashed"}, {"baseline", "it crashed"}};
         night.first.clear();
       });
     }},
    {"all bits differ, and no metric is judged",
     [] {
       store::Records now = results();
       for (store::TrialRecord& trial : now.trials)
         testing_support::edit_point(trial.curve, 0,
                                     [](store::CurvePoint& point) { point.loss = 3.6; });
       return told_of(results(), now, {});
     }},
    {"a metric moved, and the seeds are too few or too noisy to tell",
     [] { return with([](store::Records& now) { worsen(now, 0, 0.3); }); }},
    {"a metric moved, and has no margin",
     [] {
       store::Records now = results();
       worsen(now, 0.01, 0);
       return told_of(results(), now, {{{"loss", std::nullopt}}, {}});
     }},
    {"slower in the first measurement, and there is no second",
     [] {
       return timed([](TimedNight& night) { night.first["step"]["now"] = repetitions(1.1); });
     }},
};

std::string cell(std::string text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// The table under a heading: {what: "verdict, status"}.
std::map<std::string, std::string> documented() {
  std::map<std::string, std::string> rows;
  std::istringstream lines(read_file(project_root() / "docs/nightly.md"));
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) inside = line == "## What is never a pass";
    if (!inside || !line.starts_with("| ")) continue;
    std::vector<std::string> cells;
    std::istringstream parts(line);
    for (std::string part; std::getline(parts, part, '|');) cells.push_back(cell(part));
    if (cells.size() == 4 && cells[1] != "what happens")
      rows[cells[1]] = cells[2] + ", " + cells[3];
  }
  return rows;
}

TEST(NightlyWays, NoneIsAPassAndThePageSaysWhatEachIs) {
  std::map<std::string, std::string> found;
  for (const Way& way : kWays) found[way.what] = way.happens();
  EXPECT_EQ(found.size(), kWays.size());
  for (const auto& [what, verdict] : found)
    EXPECT_THAT(verdict, testing::Not(testing::AnyOf(testing::StartsWith("pass"),
                                                     testing::StartsWith("accepted"),
                                                     testing::StartsWith("verified"))))
        << what;
  EXPECT_EQ(documented(), found);
}

// The same records without any of it pass: the ways above differ in nothing else.
TEST(NightlyWays, WithoutThemEverythingPasses) {
  EXPECT_EQ(with([](store::Records&) {}), "pass, 0");
  EXPECT_EQ(timed([](TimedNight&) {}), "pass, 0");
  EXPECT_EQ(judged([](Night&) {}), "pass, 0");
  EXPECT_EQ(pinned([](const fs::path&, const fs::path&) {}), "verified");
  EXPECT_EQ(Records().damaged("night.json", [](std::string&) {}), "pass, 0");
  EXPECT_EQ(suite_told(R"({"experiments": [{"file": "e.json", "margins": [{"metric": "loss"}]}],
                           "benchmarks": {"filter": "step"}})"),
            "accepted");
}

}  // namespace
}  // namespace ablate::nightly
