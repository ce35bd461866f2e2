// The commands that read whole stores: `claims`, `diff` and `export`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/store/folder/lock.h"
#include "harness/store/index/records.h"
#include "tests/end_to_end/program.h"
#include "tests/harness/store/fake_results.h"
#include "tests/paths.h"

namespace ablate::commands {
namespace {

namespace fs = std::filesystem;
using store::testing_support::fake_plan;
using store::testing_support::write_trial;
using testing::HasSubstr;
using testing_support::Finished;
using testing_support::Workplace;

/// Results of two arms, 'clm' and 'mlm', with six seeds; the second loses by `effect`.
std::string results_in(const Workplace& place, const std::string& name, double effect,
                       const std::string& experiment = "fake") {
  const fs::path results = place.folder() / name;
  Json plan = fake_plan({"clm", "mlm"}, 6, experiment);
  const Json rows = {{{"name", "held_out.loss"},
                      {"unit", "nats/target"},
                      {"better", "lower"},
                      {"comparable_across", "all arms"},
                      {"meaning", "what it costs"}}};
  plan["metrics"] = {{"clm", rows}, {"mlm", rows}};
  store::freeze_plan(results, plan, {{"experiment.json", "{}"}});
  for (int trial = 0; trial < 12; ++trial)
    write_trial(results, "t" + std::to_string(trial), "completed",
                2 + 0.01 * (trial % 6) + (trial < 6 ? 0 : effect + 0.001 * (trial % 5)));
  return results.string();
}

std::string claim_file(const Workplace& place) {
  const Json claim = {{"id", "a-claim"},
                      {"claim", "mlm loses"},
                      {"source", "Somebody 2020"},
                      {"experiment", "fake"},
                      {"metric", "held_out.loss"},
                      {"expect", {{"is", "higher"}, {"arm", "mlm"}, {"baseline", "clm"}}},
                      {"scale", "Small."}};
  const Json file = {{"claims", {claim}}, {"untestable", Json::array()}};
  return place.write("claims.json", file.dump(1)).string();
}

TEST(ClaimsCommand, JudgesWhatWasRun) {
  const Workplace place;
  const std::string file = claim_file(place), page = (place.folder() / "page.md").string();
  const std::string results = results_in(place, "r", 0.5);
  const Finished judged = place.ablate({"claims", results, "--claims", file, "--out", page});
  ASSERT_EQ(judged.exit_code, exit_ok) << judged.errors;
  EXPECT_THAT(judged.output, HasSubstr("1 reproduced"));
  EXPECT_THAT(read_file(page), HasSubstr("# Published claims"));
  const Finished json = place.ablate({"claims", results, "--claims", file, "--json"});
  EXPECT_EQ(Json::parse(json.output)["claims"][0]["verdict"], "reproduced");
}

TEST(ClaimsCommand, ContradictedClaimsAreNoFailure) {
  const Workplace place;
  const Finished judged =
      place.ablate({"claims", results_in(place, "r", -0.5), "--claims", claim_file(place)});
  EXPECT_EQ(judged.exit_code, exit_ok) << judged.errors;
  EXPECT_THAT(judged.output, HasSubstr("1 contradicted at this scale"));
}

TEST(ClaimsCommand, FindsTheShippedClaims) {
  const Workplace place;
  const Finished judged = place.ablate({"claims", results_in(place, "r", 0.5)});
  ASSERT_EQ(judged.exit_code, exit_ok) << judged.errors;
  EXPECT_THAT(judged.output, HasSubstr("0 reproduced"));
  EXPECT_THAT(judged.output, HasSubstr("masking_rate.json --results results/masking_rate"));
}

TEST(ClaimsCommand, RefusesWhatItCannotRead) {
  const Workplace place;
  const std::string results = results_in(place, "r", 0.5);
  EXPECT_EQ(place.ablate({"claims", results, "--claims", "absent.json"}).exit_code, exit_usage);
  EXPECT_EQ(place.ablate({"claims", (place.folder() / "absent").string()}).exit_code, exit_usage);
  const std::string bad = place.write("bad.json", "{\"claims\": 1}").string();
  const Finished refused = place.ablate({"claims", results, "--claims", bad});
  EXPECT_EQ(refused.exit_code, exit_usage);
  EXPECT_THAT(refused.errors, HasSubstr("bad.json:1:"));
}

TEST(LinkedReport, WritesThroughNoLinkInAResultsFolder) {
  const Workplace place;
  const fs::path results = results_in(place, "a", 0.5), outside = place.folder() / "outside";
  fs::create_directory(outside);
  const auto report = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"report", results.string(), "--format", "md,tex"};
    words.insert(words.end(), more.begin(), more.end());
    return place.ablate(words);
  };
  for (const char* planted : {"report", "report/paper"}) {
    fs::remove_all(results / "report");
    fs::create_directories((results / planted).parent_path());
    fs::create_directory_symlink(outside, results / planted);
    const Finished refused = report({});
    EXPECT_EQ(refused.exit_code, exit_damaged) << refused.errors;
    EXPECT_THAT(refused.errors, HasSubstr(std::string(planted) + ": is a link to"));
    EXPECT_TRUE(fs::is_empty(outside));
  }
  fs::create_directory_symlink(outside, place.folder() / "link");
  const Finished wanted = report({"--out", (place.folder() / "link").string()});
  EXPECT_EQ(wanted.exit_code, exit_ok) << wanted.errors;
  EXPECT_TRUE(fs::exists(outside / "report.md"));
}

TEST(DiffCommand, EndsAsDiffDoes) {
  const Workplace place;
  const std::string one = results_in(place, "a", 0.5), same = results_in(place, "b", 0.5),
                    other = results_in(place, "c", 0.6);
  const Finished equal = place.ablate({"diff", one, same});
  EXPECT_EQ(equal.exit_code, 0) << equal.output << equal.errors;
  EXPECT_THAT(equal.output, HasSubstr("are equal"));
  const Finished different = place.ablate({"diff", one, other});
  EXPECT_EQ(different.exit_code, 1) << different.errors;
  EXPECT_THAT(different.output, HasSubstr("held_out.loss"));
  EXPECT_EQ(place.ablate({"diff", one, (place.folder() / "absent").string()}).exit_code, 2);
  EXPECT_EQ(place.ablate({"diff", one}).exit_code, 2);
}

TEST(DiffCommand, EqualsAFolderWithItselfDuringARun) {
  const Workplace place;
  const std::string folder = results_in(place, "a", 0.5);
  fs::create_directory_symlink(folder, place.folder() / "link");
  const store::FolderLock run(folder);
  std::jthread worker([&](const std::stop_token& end) {
    store::Journal journal = store::testing_support::journal_of(folder, "t0");
    for (int step = 0; step < 20'000 && !end.stop_requested(); ++step)
      journal.write("curve", {{"step", step}, {"loss", 1.5}}, Durable::with_next);
  });
  for (const fs::path& other : {fs::path(folder), place.folder() / "link"})
    for (int round = 0; round < 5; ++round) {
      const Finished equal = place.ablate({"diff", folder, other.string()});
      EXPECT_EQ(equal.exit_code, 0) << equal.output << equal.errors;
      EXPECT_THAT(equal.errors, HasSubstr("is running in this folder"));
    }
}

TEST(DiffCommand, PrintsJson) {
  const Workplace place;
  const Finished printed = place.ablate(
      {"diff", results_in(place, "a", 0.5), results_in(place, "b", 0.6, "other"), "--json"});
  EXPECT_EQ(printed.exit_code, 1) << printed.errors;
  const Json json = Json::parse(printed.output);
  EXPECT_EQ(json["plan"][0], "experiment: fake -> other");
  EXPECT_NEAR(json["metrics"][0]["mean"].get<double>(), 0.1, 1e-9);
}

/// What tests/experiments/read_exports.py makes of an export.
Json read_back(const Workplace& place, const std::string& format, const fs::path& folder) {
  const fs::path out = place.folder() / "read.json";
  const std::string command = "python3 '" +
                              (project_root() / "tests/experiments/read_exports.py").string() +
                              "' " + format + " '" + folder.string() + "' > '" + out.string() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  return Json::parse(read_file(out));
}

TEST(ExportCommand, TensorBoardFilesReadBack) {
  const Workplace place;
  const std::string results = results_in(place, "r", 0.5);
  const fs::path out = place.folder() / "events";
  const Finished done =
      place.ablate({"export", results, "--to", "tensorboard", "--out", out.string()});
  ASSERT_EQ(done.exit_code, exit_ok) << done.errors;
  const Json read = read_back(place, "tensorboard", out);
  EXPECT_EQ(read.size(), 12u);
  for (const store::TrialRecord& trial : store::load_records(results).trials) {
    const std::string run = "fake/" + trial.arm + "/seed-" + std::to_string(trial.seed);
    ASSERT_TRUE(read.contains(run)) << read.dump(1);
    const Json& tags = read[run];
    EXPECT_EQ(tags["version"], "brain.Event:2");
    EXPECT_GT(tags["wall_time"], 1.7e9);  // 2023
    ASSERT_EQ(tags["curve/loss"].size(), trial.curve.size());
    for (std::size_t i = 0; i < trial.curve.size(); ++i) {
      EXPECT_EQ(tags["curve/loss"][i][0], trial.curve[i].step);
      EXPECT_EQ(tags["curve/loss"][i][1].get<float>(), static_cast<float>(trial.curve[i].loss));
    }
    for (const auto& [name, value] : trial.metrics) {
      EXPECT_EQ(tags["metric/" + name.text()][0][0], 20);
      EXPECT_EQ(tags["metric/" + name.text()][0][1].get<float>(), static_cast<float>(value));
    }
  }
}

TEST(ExportCommand, MlflowStoreReadsBack) {
  const Workplace place;
  const std::string one = results_in(place, "a", 0.5), two = results_in(place, "b", 0.5, "other");
  const fs::path out = place.folder() / "tracked";
  const Finished done = place.ablate({"export", one, two, "--to", "mlflow", "--out", out.string()});
  ASSERT_EQ(done.exit_code, exit_ok) << done.errors;
  const Json read = read_back(place, "mlflow", out);
  EXPECT_EQ(read.size(), 2u);
  for (const store::TrialRecord& trial : store::load_records(one).trials) {
    const Json& run = read["fake"][trial.arm + ", seed " + std::to_string(trial.seed)];
    EXPECT_EQ(run["status"], 3);
    EXPECT_GE(run["end_time"], run["start_time"]);
    EXPECT_EQ(run["tags"]["trial"], trial.id);
    EXPECT_EQ(run["params"]["seed"], std::to_string(trial.seed));
    EXPECT_EQ(run["metrics"]["curve.loss"].size(), trial.curve.size());
    for (const auto& [name, value] : trial.metrics)
      EXPECT_EQ(run["metrics"][name][0][1].get<double>(), value);
  }
}

TEST(ExportCommand, TablesAreWrittenWhole) {
  const Workplace place;
  const std::string results = results_in(place, "r", 0.5);
  for (const std::string format : {"csv", "jsonl"}) {
    const fs::path out = place.folder() / format;
    ASSERT_EQ(place.ablate({"export", results, "--to", format, "--out", out.string()}).exit_code,
              exit_ok);
    for (const char* table : {"trials", "metrics", "curves", "samples", "ledger"})
      EXPECT_TRUE(fs::is_regular_file(out / (std::string(table) + "." + format))) << table;
    EXPECT_FALSE(fs::exists(out.string() + ".partial"));
  }
}

TEST(ExportCommand, OverwritesNothingAndRefusesInWords) {
  const Workplace place;
  const std::string results = results_in(place, "r", 0.5);
  const std::string file = place.write("full/kept.txt", "kept").string();
  const std::string full = fs::path(file).parent_path().string();
  const auto refusal = [&](const std::vector<std::string>& arguments) {
    const Finished finished = place.ablate(arguments);
    EXPECT_EQ(finished.exit_code, exit_usage) << finished.output;
    return finished.errors;
  };
  EXPECT_THAT(refusal({"export", results, "--to", "csv", "--out", full}),
              HasSubstr("already exists and will not be overwritten"));
  EXPECT_EQ(read_file(file), "kept");
  EXPECT_THAT(refusal({"export", results, "--to", "cvs", "--out", full}), HasSubstr("'csv'"));
  EXPECT_THAT(refusal({"export", results, "--to", "csv", "--out", full + "/a/b"}),
              HasSubstr("make it first"));
  EXPECT_THAT(refusal({"export", results, results, "--to", "csv", "--out", full + "2"}),
              HasSubstr("also holds experiment 'fake'"));
  EXPECT_THAT(refusal({"export", full, "--to", "csv", "--out", full + "2"}),
              HasSubstr("holds no results"));
  EXPECT_FALSE(fs::exists(full + "2"));
}

TEST(ExportCommand, WritesTheLanguageOfAnExperimentForOtherPrograms) {
  const Workplace place;
  const std::string file = place
                               .write("small.json", R"({"name": "small", "question": "What?",
            "corpus": {"kind": "language", "tokens": 2000, "held_out_tokens": 1000},
            "train": {"budget": {"tokens": 1000}},
            "arms": [{"name": "clm", "set": {"objective": {"type": "causal_lm"}}}]})")
                               .string();
  const fs::path out = place.folder() / "language";
  const Finished done = place.ablate({"export", "language", file, "--out", out.string()});
  ASSERT_EQ(done.exit_code, exit_ok) << done.errors;
  EXPECT_THAT(done.output, HasSubstr("9 files"));
  EXPECT_EQ(place.ablate({"export", "language", file, "--out", out.string()}).exit_code,
            exit_usage);
  EXPECT_EQ(place.ablate({"export", "--to", "csv"}).exit_code, exit_usage);
  const std::string python = testing_support::python_with_numpy();
  if (python.empty()) GTEST_SKIP() << "no python3 with numpy is installed (Debian: python3-numpy)";
  const std::string read = python +
                           " -c \"import numpy, sys; a = numpy.load(sys.argv[1] + "
                           "'/transition.npy'); b = numpy.load(sys.argv[1] + '/training.npy'); "
                           "assert a.ndim == 3 and abs(a.sum(2)[:, :-1] - 1).max() < 1e-12; "
                           "assert b[0] == 1 and len(b) >= 2000\" " +
                           out.string();
  EXPECT_EQ(std::system(read.c_str()), 0);
}

}  // namespace
}  // namespace ablate::commands
