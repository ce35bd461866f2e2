// The commands that run, watch and collect a sweep, as a user calls them, with fake workers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "experiments/catalog.h"
#include "harness/base/exit_code.h"
#include "harness/plan/resolve/versions.h"
#include "tests/end_to_end/program.h"
#include "tests/harness/run/fake_worker.h"
#include "tests/harness/store/fake_results.h"

namespace ablate::run {
namespace {

using ablate::testing_support::Finished;
using ablate::testing_support::Workplace;
using testing::HasSubstr;
using testing_support::fake_worker;

constexpr const char* kExperiment = R"({
  "name": "tiny",
  "question": "Do the commands work together?",
  "corpus": {"kind": "language", "topics": 2, "states": 6, "vocabulary": 16,
             "tokens": 4096, "held_out_tokens": 4096},
  "model": {"depth": 1, "width": 8, "heads": 2, "context": 16},
  "train": {"budget": {"steps": 10}, "batch": 2},
  "arms": [{"name": "clm", "set": {"objective": {"type": "causal_lm"}}}],
  "baseline": "clm",
  "seeds": 2,
  "probes": [{"type": "held_out", "texts": 10}],
  "analysis": {"primary": "held_out.excess"}
})";

class Commands : public testing::Test {
 protected:
  Commands() {
    // The second seed fails; the first one leaves a point of its curve.
    use_worker(R"(
      for id in $ids; do begin $id
        case "$job" in
          *'"seed":1,"source_positions"'*)
            line $id 1 '"event":"curve","loss":2.5,"step":10' '"time":"2024-01-01T00:00:00.500Z"'
            complete $id;;
          *) outcome $id failed 'on purpose';;
        esac
      done)");
  }
  ~Commands() override { ::unsetenv("ABLATE_WORKER"); }

  void use_worker(const std::string& body) {
    const std::string first = testing_support::statement(plan::versions_of(catalog()));
    const std::string describe = R"(case "$job" in *'"task":"describe"'*)
      echo '{"event":"device","model":"a GPU","bfloat16_refusal":")" +
                                 bfloat16_refusal + R"("}'
      exit 0;; esac
    )";
    ::setenv("ABLATE_WORKER", fake_worker(place.folder(), describe + body, first).c_str(), 1);
  }

  Finished run(const std::string& results, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"run", file.string(), "--results", at(results)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return place.ablate(arguments);
  }

  std::string at(const std::string& results) const { return (place.folder() / results).string(); }

  Json json_of(const std::vector<std::string>& arguments) const {
    const Finished finished = place.ablate(arguments);
    EXPECT_EQ(finished.exit_code, exit_ok) << finished.errors;
    return Json::parse(finished.output);
  }

  Workplace place;
  std::string bfloat16_refusal;  // of the device, as the worker says
  std::filesystem::path file = place.write("tiny.json", kExperiment);
};

TEST_F(Commands, RunTellsHowItWent) {
  const Finished finished = run("r");
  EXPECT_EQ(finished.exit_code, exit_some_failed);
  EXPECT_EQ(finished.output, "") << "progress goes to standard error";
  EXPECT_THAT(finished.errors, HasSubstr("tiny: 2 of 2 trials to run"));
  EXPECT_THAT(finished.errors, HasSubstr("on purpose"));
  EXPECT_THAT(finished.errors, HasSubstr("1 of 2 trials completed, 1 failed"));
  EXPECT_THAT(finished.errors, HasSubstr("Next: ablate report"));
}

TEST_F(Commands, StatusCountsVeryManyTrialsByArm) {
  namespace fake = store::testing_support;
  const std::filesystem::path many = at("many");
  store::freeze_plan(many, fake::fake_plan({"clm", "mlm"}, 300), {{"experiment.json", "{}"}});
  for (int i = 0; i < 40; ++i)
    fake::write_trial(many, "t" + std::to_string(i), i < 10 ? "completed" : "failed");
  const Finished counted = place.ablate({"status", many.string()});
  EXPECT_THAT(counted.output, HasSubstr("arm  completed  failed  waiting        time\n"
                                        "clm         10      30      260  1 min 00 s\n"));
  EXPECT_THAT(counted.output, HasSubstr("mlm          0       0      300"));
  EXPECT_THAT(counted.output, testing::Not(HasSubstr("t599")));
  const Finished each = place.ablate({"status", many.string(), "--trials"});
  EXPECT_THAT(each.output, HasSubstr("t599"));
  EXPECT_EQ(json_of({"status", many.string(), "--json"}).at("trials").size(), 600u);
}

TEST_F(Commands, RunWithJsonProgressPrintsNothingElse) {
  const Finished finished = run("r", {"--progress", "json"});
  std::istringstream lines(finished.errors);
  for (std::string line; std::getline(lines, line);) EXPECT_TRUE(Json::accept(line)) << line;
}

TEST_F(Commands, RunRefusesWhatItCannotDo) {
  for (const auto& [flag, value, text] : {std::tuple{"--device", "gpu", "is not a device"},
                                          {"--progress", "fancy", "is not known; accepted"},
                                          {"--lanes", "-1", "lanes"},
                                          {"--lanes", "0", "is not a number of lanes"},
                                          {"--lanes", "many", "is not a number of lanes"},
                                          {"--checkpoint-seconds", "0", "checkpoint-seconds"},
                                          {"--grace-seconds", "-1", "grace-seconds"}}) {
    const Finished finished = run("r", {flag, value});
    EXPECT_EQ(finished.exit_code, exit_usage) << flag;
    EXPECT_THAT(finished.errors, HasSubstr(text));
    EXPECT_FALSE(std::filesystem::exists(at("r")));
  }
}

TEST_F(Commands, RunRefusesAFolderThatAWorkerCannotBeTold) {
  const Finished finished = run("r\xff/s");
  EXPECT_EQ(finished.exit_code, exit_usage);
  EXPECT_THAT(finished.errors, HasSubstr("/r...': byte "));
  EXPECT_THAT(finished.errors, HasSubstr(" of its path is not UTF-8"));
  EXPECT_FALSE(std::filesystem::exists(at("r\xff")));
}

TEST_F(Commands, RunSaysWhyItStoppedWhateverItShows) {
  for (const char* progress : {"plain", "json", "none"}) {
    use_worker("begin $ids; fault 'x: could not be written: No space left on device' true");
    const Finished full = run(progress, {"--progress", progress});
    EXPECT_EQ(full.exit_code, exit_damaged);
    EXPECT_THAT(full.errors, HasSubstr("x: could not be written: No space left on device"));
    EXPECT_THAT(full.errors, HasSubstr("free space on the disk, then run the same command again"));
    use_worker("for id in $ids; do begin $id; complete $id; done");
    EXPECT_EQ(run(progress).exit_code, exit_ok);
  }
}

TEST_F(Commands, RunOnADeviceTrainsAsManyTogetherAsAWorkerFindsBest) {
  use_worker(R"(
      case "$job" in
        *'"task":"calibrate"'*)
          echo '{"event":"lanes","choice":{"lanes":2,"points":[{"lanes":2,"seconds":1,"bytes":0}],"stopped":""}}';;
        *'"lane_choice":{"lanes":2,'*) for id in $ids; do begin $id; done;;
        *'"task":"measure"'*) for id in $ids; do begin $id; complete $id; done;;
      esac)");
  const Finished finished = run("r", {"--device", "cuda:0"});
  EXPECT_THAT(finished.errors, HasSubstr("2 of 2 trials of one shape train together"));
  EXPECT_THAT(finished.errors, HasSubstr("1 worker of up to 2 lanes"));
  EXPECT_EQ(json_of({"status", at("r"), "--json"}).at("counts").at("failed"), 0);
  use_worker("exit 1");
  const Finished given = run("s", {"--device", "cuda:0", "--lanes", "1"});
  EXPECT_THAT(given.errors, testing::Not(HasSubstr("train together")))
      << "a number is not measured";
}

TEST_F(Commands, PrecisionAutoIsThatOfTheDeviceThatTrains) {
  for (const bool has : {true, false}) {
    bfloat16_refusal = has ? "" : "it is too old";
    use_worker("for id in $ids; do begin $id; complete $id; done");
    const Json plan = json_of({"plan", file.string(), "--device", "cuda:0", "--json"});
    const Json& trial = plan.at("trials").at(0);
    const Json& setup = plan.at("setups").at(trial.at("setup").get<std::string>());
    EXPECT_EQ(setup.at("config").at("train").at("precision"), has ? "bfloat16" : "float32");
    EXPECT_THAT(plan.at("precision"), HasSubstr(has ? "cuda:0 (a GPU) multiplies bfloat16"
                                                    : "cuda:0 (a GPU) does not multiply"));
    const std::string folder = has ? "with" : "without";
    run(folder, {"--device", "cuda:0", "--lanes", "1", "--measurers", "0"});
    EXPECT_EQ(json_of({"status", at(folder), "--json"}).at("trials").at(0).at("id"),
              trial.at("id"));
  }
  const Finished asked = run("r", {"--device", "cuda:0", "--set", "train.precision=bfloat16"});
  EXPECT_EQ(asked.exit_code, exit_usage);
  EXPECT_THAT(asked.errors, HasSubstr("train.precision: it is too old"));
  use_worker("");
  ::setenv("ABLATE_WORKER",
           fake_worker(place.folder(), "echo 'no such device' >&2; exit 2").c_str(), 1);
  const Finished missing = place.ablate({"plan", file.string(), "--device", "cuda:7"});
  EXPECT_NE(missing.exit_code, exit_ok);
  EXPECT_THAT(missing.errors, HasSubstr("no such device"));
  EXPECT_EQ(place.ablate({"plan", file.string(), "--device", "gpu"}).exit_code, exit_usage);
}

TEST_F(Commands, RunLetsTheDeviceMeasureWhereNobodyElseIsAskedTo) {
  use_worker(
      R"(case "$job" in *'"task":"all"'*) for id in $ids; do begin $id; complete $id; done;; esac)");
  EXPECT_EQ(run("r", {"--device", "cuda:0", "--lanes", "2", "--measurers", "0"}).exit_code,
            exit_ok);
}

TEST_F(Commands, RunNamesAWorkerThatIsMissing) {
  ::setenv("ABLATE_WORKER", "/nowhere/worker", 1);
  const Finished finished = run("r");
  EXPECT_EQ(finished.exit_code, exit_usage);
  EXPECT_THAT(finished.errors,
              HasSubstr("/nowhere/worker: the worker is not an executable program"));
}

TEST_F(Commands, PlanShowsWhatTheCorpusHolds) {
  const Finished finished = place.ablate({"plan", file.string()});
  EXPECT_THAT(finished.output, HasSubstr("\nCorpus\n  corpus  documents  bytes  tokens"));
  EXPECT_THAT(finished.output, HasSubstr("\n  main  "));
  const Json corpora = json_of({"plan", file.string(), "--json"}).at("corpora");
  ASSERT_EQ(corpora.size(), 1u);
  EXPECT_GE(corpora[0].at("training").at("tokens"), 4096);
}

TEST_F(Commands, StatusAndShowTellOfEachTrial) {
  run("r");
  const Json status = json_of({"status", at("r"), "--json"});
  EXPECT_EQ(status.at("experiment"), "tiny");
  EXPECT_EQ(status.at("counts").at("completed"), 1);
  EXPECT_EQ(status.at("counts").at("failed"), 1);
  EXPECT_TRUE(status.at("running").is_null());
  EXPECT_EQ(status.at("trials").at(0).at("loss"), 2.5);
  EXPECT_EQ(status.at("trials").at(0).at("step"), 10);
  EXPECT_EQ(status.at("trials").at(1).at("message"), "on purpose");

  const Json by_place = json_of({"show", at("r"), "clm,2", "--json"});
  EXPECT_EQ(by_place.at("outcome"), "failed");
  EXPECT_EQ(by_place.at("config").at("seed"), 2);
  const std::string id = by_place.at("id");
  EXPECT_EQ(json_of({"show", at("r"), id.substr(0, 8), "--json"}), by_place);
  const Finished unknown = place.ablate({"show", at("r"), "clm,9"});
  EXPECT_EQ(unknown.exit_code, exit_usage);
  EXPECT_THAT(unknown.errors, HasSubstr("arm clm has the seeds 1, 2"));
  EXPECT_THAT(place.ablate({"show", at("r"), "x,9"}).errors, HasSubstr("the arms are clm"));
}

TEST_F(Commands, OutsideOfResultsNothingIsDone) {
  std::filesystem::create_directories(at("empty"));
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"status", at("empty")},
                                                    {"show", at("empty"), "clm,1"},
                                                    {"doctor", at("empty")},
                                                    {"doctor", at("empty"), "--rebuild"}}) {
    const Finished finished = place.ablate(arguments);
    EXPECT_EQ(finished.exit_code, exit_usage);
    EXPECT_THAT(finished.errors, HasSubstr("holds no results"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(at("empty")));
}

TEST_F(Commands, CollectBringsTogetherWhatWasRunApart) {
  run("one", {"--only", "seed=1"});
  run("two", {"--only", "seed=2"});
  EXPECT_EQ(place.ablate({"collect", at("all"), at("one"), at("two")}).exit_code, exit_ok);
  const Json counts = json_of({"status", at("all"), "--json"}).at("counts");
  EXPECT_EQ(counts.at("completed"), 1);
  EXPECT_EQ(counts.at("failed"), 1);
  EXPECT_EQ(place.ablate({"doctor", at("all")}).exit_code, exit_ok);
  EXPECT_FALSE(store::read_plan(at("all")).contains("part_of")) << "nothing is missing";
}

// A worker that completes every trial.
constexpr const char* kCompletes = "for id in $ids; do begin $id; complete $id; done";

TEST_F(Commands, RunTakesNoOtherSettingsInSilence) {
  use_worker(kCompletes);
  run("r");
  const std::string plan = read_file(at("r") + "/plan.json");
  const std::vector<std::string> other = {"--set", "train.batch=4", "--set", "seeds=3"};
  const Finished refused = run("r", other);
  EXPECT_EQ(refused.exit_code, exit_usage);
  EXPECT_THAT(refused.errors, HasSubstr("r: holds the plan of another experiment:\n"
                                        "  seed 3 is new\n"
                                        "  train.batch: 2 -> 4 (clm)\n"
                                        "To keep the two apart, choose another --results folder. "
                                        "To extend this one, give the same command with --add (2 "
                                        "trials of the old settings then leave its plan, but not "
                                        "the folder)."));
  EXPECT_EQ(read_file(at("r") + "/plan.json"), plan);

  std::vector<std::string> added = other;
  added.push_back("--add");
  for (int twice = 0; twice < 2; ++twice) EXPECT_EQ(run("r", added).exit_code, exit_ok);
  EXPECT_EQ(json_of({"status", at("r"), "--json"}).at("trials").size(), 3u);
  EXPECT_EQ(run("r", other).exit_code, exit_ok) << "the folder holds these settings now";
}

TEST_F(Commands, RunAsksBeforeItAddsSeeds) {
  use_worker(kCompletes);
  run("r");
  EXPECT_THAT(run("r", {"--set", "seeds=[1,3]"}).errors,
              HasSubstr("  seed 3 is new\n  seed 2 is gone\n"));
  EXPECT_THAT(run("r", {"--set", "seeds=3"}).errors,
              HasSubstr("r: holds this experiment, but not all of what is asked for:\n"
                        "  seed 3 is new\n"
                        "To train that as well, give the same command with --add."));
  EXPECT_EQ(run("r", {"--set", "seeds=[1,3]", "--add"}).exit_code, exit_ok);
  const Json trials = json_of({"status", at("r"), "--json"}).at("trials");
  ASSERT_EQ(trials.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(trials[i].at("seed"), i + 1);
}

TEST_F(Commands, RunInPartsEndsInThePlanOfTheExperiment) {
  use_worker(kCompletes);
  const auto trials = [&] { return json_of({"status", at("r"), "--json"}).at("trials").size(); };
  EXPECT_EQ(run("r", {"--only", "seed=1"}).exit_code, exit_ok);
  EXPECT_EQ(trials(), 1u);
  EXPECT_EQ(run("r", {"--only", "seed=2"}).exit_code, exit_ok);
  EXPECT_EQ(trials(), 2u);
  run("complete");
  const auto plan = [&](const std::string& results) {
    Json read = Json::parse(read_file(at(results) + "/plan.json"));
    for (const char* key : {"estimate_seconds", "measuring", "sha256"})
      read.erase(key);  // from speeds that were measured in between
    return read;
  };
  EXPECT_EQ(plan("r"), plan("complete"));
  EXPECT_EQ(run("r", {"--only", "seed=1"}).exit_code, exit_ok);
  EXPECT_EQ(trials(), 2u) << "a part does not shrink the plan";
}

TEST_F(Commands, RunKeepsArmsThatTheExperimentNoLongerHas) {
  use_worker(kCompletes);
  const std::string more = "mlm:objective.type=masked_lm";
  run("r", {"--arm", more});
  EXPECT_THAT(run("r").errors, HasSubstr("  arm 'mlm' is gone\n"));
  EXPECT_EQ(run("r", {"--add"}).exit_code, exit_ok);
  EXPECT_EQ(json_of({"status", at("r"), "--json"}).at("trials").size(), 4u);
}

TEST_F(Commands, RunComparesNoArmWithABaselineOfOtherSettings) {
  use_worker(kCompletes);
  run("r", {"--arm", "mlm:objective.type=masked_lm"});
  const std::vector<std::string> other = {"--set", "train.budget.steps=20"};
  EXPECT_THAT(run("r", other).errors, HasSubstr("(4 trials of the old settings then leave"));
  EXPECT_EQ(run("r", {other[0], other[1], "--add"}).exit_code, exit_ok);
  EXPECT_EQ(json_of({"status", at("r"), "--json"}).at("trials").size(), 2u)
      << "no 20 steps of clm beside 10 of mlm";
}

TEST_F(Commands, RunRefusesADamagedPlan) {
  use_worker(kCompletes);
  run("r", {"--only", "seed=1"});
  const std::string file_of_plan = at("r") + "/plan.json";
  const Json plan = store::read_plan(at("r"));
  for (const auto& [pointer, value] : {std::pair<std::string, Json>{"/part_of", nullptr},
                                       {"/part_of/arms", {3}},
                                       {"/part_of/seeds", "x"},
                                       {"/part_of/warnings", 3},
                                       {"/resolved", nullptr}}) {
    Json damaged = plan;
    damaged[Json::json_pointer(pointer)] = value;
    store::testing_support::put_plan(at("r"), damaged);
    const Finished finished = run("r");
    EXPECT_EQ(finished.exit_code, exit_damaged) << pointer;
    EXPECT_THAT(finished.errors, HasSubstr("plan.json: is not a plan: ")) << pointer;
  }
  std::filesystem::remove(file_of_plan);
  const Finished again = run("r");
  EXPECT_EQ(again.exit_code, exit_ok) << "the plan is written again: " << again.errors;
}

TEST_F(Commands, DamageEndsWithItsOwnExitCode) {
  run("r");
  const std::string id = json_of({"show", at("r"), "clm,1", "--json"}).at("id");
  const auto journal = store::journal_file(at("r"), id);
  std::string bytes = read_file(journal);
  bytes[20] ^= 1;
  store::testing_support::put_bytes(journal, bytes);
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"status", at("r")}, {"doctor", at("r")}, {"show", at("r"), id}}) {
    const Finished finished = place.ablate(arguments);
    EXPECT_EQ(finished.exit_code, exit_damaged) << arguments[0];
    EXPECT_THAT(finished.errors + finished.output, HasSubstr("journal.jsonl:1"));
  }
  EXPECT_EQ(run("r").exit_code, exit_damaged);
}

}  // namespace
}  // namespace ablate::run
