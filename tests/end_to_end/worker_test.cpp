// What the worker program makes of faults: jobs of other versions, a full disk, too little memory.

#include "harness/run/worker/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <map>

#include "experiments/catalog.h"
#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/plan/make_plan.h"
#include "harness/plan/resolve/versions.h"
#include "harness/run/job/protocol.h"
#include "harness/run/outcomes.h"
#include "harness/store/folder/folder.h"
#include "harness/store/index/trial_state.h"
#include "harness/store/journal/journal.h"
#include "tests/end_to_end/program.h"
#include "tests/limit.h"
#include "tests/paths.h"

namespace ablate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::Finished;
using testing_support::Workplace;

namespace fs = std::filesystem;

// Its weights are larger than everything else that a run writes.
constexpr const char* kTinyOfLargeWeights = R"({
  "name": "tiny",
  "question": "Is a fault of the machine an outcome?",
  "corpus": {"kind": "language", "topics": 2, "states": 6, "vocabulary": 16,
             "tokens": 8192, "held_out_tokens": 4096},
  "model": {"depth": 4, "width": 64, "heads": 2, "context": 16},
  "train": {"budget": {"steps": 4}, "batch": 2},
  "arms": [{"name": "clm", "set": {"objective": {"type": "causal_lm"}}}],
  "baseline": "clm",
  "seeds": 2,
  "probes": [{"type": "held_out", "texts": 10}],
  "analysis": {"primary": "held_out.excess"}
})";

class WorkerProgram : public testing::Test {
 protected:
  /// Gives a job to the worker: what it writes, line by line. Its log is `log`.
  std::vector<std::string> work(const run::Job& job) {
    run::Process process(programs_folder() / "ablate-worker", canonical(Json(job)), log);
    std::vector<std::string> all;
    do
      for (std::string& line : process.awaited_lines()) all.push_back(std::move(line));
    while (!process.over());
    status = process.status();
    return all;
  }

  Finished run(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"run", file.string(), "--results", results.string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return place.ablate(arguments);
  }

  Workplace place;
  fs::path file = place.write("tiny.json", kTinyOfLargeWeights);
  fs::path results = place.folder() / "results";
  fs::path log = place.folder() / "log";
  int status = -1;  // of the worker, as waitpid(2) returns it
};

TEST_F(WorkerProgram, RefusesATrialOfOtherVersionsBeforeItBegins) {
  ::setenv("ABLATE_CACHE", (place.folder() / "cache").c_str(), 1);
  const plan::Plan plan = plan::make_plan(catalog(), file, {});
  run::Job job{.results = results, .corpus = plan.corpus, .trials = {plan.trials[0]}};
  job.trials[0].config["semantics"]["objective"] = 99;
  const fs::path folder = store::trial_folder(results, job.trials[0].id);
  fs::create_directories(folder);
  const std::vector<std::string> lines = work(job);
  EXPECT_EQ(WEXITSTATUS(status), exit_usage);
  EXPECT_THAT(read_file(log),
              AllOf(HasSubstr("the version of objective causal_lm: planned 99, this worker has "),
                    HasSubstr("build both programs from the same source")));
  EXPECT_TRUE(fs::is_empty(folder));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(run::event_in(lines[0]),
            (Json{{"event", "versions"}, {"versions", plan::versions_of(catalog())}}));
}

TEST_F(WorkerProgram, TellsWhatItsDeviceCanDo) {
  const std::vector<std::string> lines = work({.device = "cpu", .task = run::Task::describe});
  EXPECT_EQ(WEXITSTATUS(status), exit_ok);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(run::event_in(lines[1]),
            (Json{{"event", "device"},
                  {"model", "cpu"},
                  {"bfloat16_refusal", catalog().machine.bfloat16_refusal}}));
}

/// The metrics in a trial's journal, by probe.
std::map<std::string, Json> metrics_in(const fs::path& journal) {
  std::map<std::string, Json> metrics;
  for (const Json& event : store::read_journal(journal))
    if (event.at("event") == "measurement") metrics[event.at("probe")] = event.at("metrics");
  return metrics;
}

// What fails here cannot be foreseen by a plan: a file in the cache is another one.
TEST_F(WorkerProgram, LosesTheNumbersOfAProbeThatFailsAndNoOthers) {
  ::setenv("ABLATE_CACHE", (place.folder() / "cache").c_str(), 1);
  Json experiment = Json::parse(kTinyOfLargeWeights);
  experiment["corpus"] = {{"kind", "text"},
                          {"paths", {(project_root() / "tests/cases/zh_docs.txt").string()}},
                          {"documents", "blank_lines"}};
  const std::string pairs = (project_root() / "tests/cases/pairs_same.jsonl").string();
  experiment["model"]["context"] = 64;
  experiment["probes"] = {{{"type", "minimal_pairs"}, {"name", "blimp"}, {"path", pairs}},
                          {{"type", "held_out"}, {"texts", 10}}};
  experiment["analysis"]["primary"] = "held_out.bits_per_byte";
  const plan::Plan plan = plan::make_plan(catalog(), place.write("t.json", experiment.dump()), {});
  run::Job job{.results = results, .corpus = plan.corpus, .trials = {plan.trials[0]}};
  const std::string choices = job.trials[0].probes.settings().at(0).at("choices");
  fs::copy_file(plan.corpus, plan.corpus.parent_path() / (choices + ".corpus"),
                fs::copy_options::overwrite_existing);
  fs::create_directories(store::trial_folder(results, job.trials[0].id));
  work(job);
  EXPECT_EQ(WEXITSTATUS(status), exit_ok) << read_file(log);
  const fs::path journal = store::journal_file(results, job.trials[0].id);
  const std::map<std::string, Json> metrics = metrics_in(journal);
  EXPECT_FALSE(metrics.contains("minimal_pairs"));
  EXPECT_TRUE(metrics.at("held_out").contains("held_out.bits_per_byte"));
  const store::TrialState state = store::read_trial_state(journal);
  EXPECT_EQ(state.outcome, "completed");
  EXPECT_THAT(state.message, HasSubstr("trained, but 1 of 2 measurements failed: minimal_pairs"));
  ASSERT_EQ(state.failures.size(), 1u);
  EXPECT_THAT(state.failures[0].message, HasSubstr("not found"));
  EXPECT_THAT(state.failures[0].groups, testing::Contains("blimp"));
  EXPECT_EQ(run::outcome_of(job.trials[0], state), "failed") << "what a sweep makes of it";
}

class WorkerPrecision : public WorkerProgram, public testing::WithParamInterface<const char*> {};

// A worker that only measures computes in float32, whatever the trial was trained in. One that has
// trained in bfloat16 measures the same numbers, so it scores in float32, too.
TEST_P(WorkerPrecision, MeasuresWhatAnotherOneHasTrained) {
  if (std::string_view(GetParam()) == "bfloat16" && !catalog().machine.bfloat16_refusal.empty())
    GTEST_SKIP() << catalog().machine.bfloat16_refusal;

  ::setenv("ABLATE_CACHE", (place.folder() / "cache").c_str(), 1);
  plan::Overrides overrides;
  overrides.set = {std::string("train.precision=") + GetParam()};
  const plan::Plan plan = plan::make_plan(catalog(), file, overrides);
  const std::string id = plan.trials[0].id;
  const auto journal_of = [&](std::string_view where, std::vector<run::Task> tasks) {
    run::Job job{.results = results / where, .corpus = plan.corpus, .trials = {plan.trials[0]}};
    fs::create_directories(store::trial_folder(job.results, id));
    for (const run::Task task : tasks) {
      job.task = task;
      work(job);
      EXPECT_EQ(WEXITSTATUS(status), exit_ok) << read_file(log);
    }
    return store::journal_file(job.results, id);
  };
  const fs::path whole = journal_of("whole", {run::Task::all});
  const fs::path trained = journal_of("trained", {run::Task::train});
  const fs::path parts = journal_of("parts", {run::Task::train, run::Task::measure});
  const fs::path nothing = journal_of("nothing", {run::Task::measure});

  EXPECT_TRUE(metrics_in(trained).empty());
  EXPECT_EQ(store::read_trial_state(trained).outcome, "unfinished");
  EXPECT_EQ(metrics_in(parts), metrics_in(whole));
  EXPECT_EQ(store::read_trial_state(parts).outcome, "completed");
  EXPECT_EQ(store::read_trial_state(nothing).outcome, "unfinished") << "it is not trained";
  EXPECT_FALSE(fs::exists(nothing.parent_path() / "weights.safetensors"));
}

INSTANTIATE_TEST_SUITE_P(Precisions, WorkerPrecision, testing::Values("float32", "bfloat16"),
                         [](const auto& with) { return std::string(with.param); });

TEST_F(WorkerProgram, LeavesTrialsUnfinishedOnAFullDisk) {
  ASSERT_EQ(place.ablate({"plan", file.string()}).exit_code, exit_ok);  // the corpus
  const auto with_small_files = [&] {
    const Limit limit(RLIMIT_FSIZE, 200'000);  // small files still fit
    return run({"--checkpoint-seconds", "0.000001"});
  };
  const Finished full = with_small_files();
  EXPECT_EQ(full.exit_code, exit_damaged);
  EXPECT_THAT(full.errors, AllOf(HasSubstr("weights.safetensors"), HasSubstr("File too large"),
                                 HasSubstr("free space on the disk")));
  const Json counted = Json::parse(place.ablate({"status", results.string(), "--json"}).output);
  EXPECT_EQ(counted.at("counts").at("failed"), 0);
  const Finished again = run();
  EXPECT_EQ(again.exit_code, exit_ok) << again.errors;

  std::string journals;
  for (const auto& [id, folder] : store::listed_trials(results))
    journals += read_file(folder / "journal.jsonl");
  EXPECT_THAT(journals, HasSubstr("no checkpoint after step 1: ")) << "that ended no trial";
}

TEST_F(WorkerProgram, TrainsABankThatNeedsTooMuchMemoryInHalves) {
  Json experiment = Json::parse(kTinyOfLargeWeights);
  experiment["model"]["width"] = 16;
  experiment["train"] = {{"budget", {{"steps", 1}}},
                         {"batch", 1 << 14},  // 17 MB a tensor and lane
                         {"precision", "float32"}};
  experiment["seeds"] = 4;
  place.write("tiny.json", experiment.dump());
  const auto with_little_memory = [&] {
    const Limit limit(RLIMIT_AS, 4'000'000'000);
    return run({"--workers", "1", "--lanes", "4"});
  };
  const Finished finished = with_little_memory();
  EXPECT_EQ(finished.exit_code, exit_ok) << finished.errors;
  std::string journals;
  for (const auto& [id, folder] : store::listed_trials(results))
    journals += read_file(folder / "journal.jsonl");
  EXPECT_THAT(journals, HasSubstr("a bank of 4 lanes failed and is trained again in two halves: "));
}

TEST_F(WorkerProgram, FailsATrialThatNeedsTooMuchMemoryAndNoOther) {
  Json experiment = Json::parse(kTinyOfLargeWeights);
  experiment["arms"].push_back(
      {{"name", "large"},
       {"set",
        {{"objective", {{"type", "causal_lm"}}}, {"train.batch", 1 << 16}}}});  // 268 MB a tensor
  experiment["match"] = {{"on", Json::array()}};
  place.write("tiny.json", experiment.dump());
  const auto with_little_memory = [&] {
    const Limit limit(RLIMIT_AS, 4'000'000'000);
    return run({"--workers", "1"});
  };
  const Finished finished = with_little_memory();
  EXPECT_EQ(finished.exit_code, exit_some_failed) << finished.errors;
  const Json counted = Json::parse(place.ablate({"status", results.string(), "--json"}).output);
  EXPECT_EQ(counted.at("counts").at("completed"), 2);
  EXPECT_EQ(counted.at("counts").at("failed"), 2);
  EXPECT_THAT(
      place.ablate({"status", results.string()}).output,
      AllOf(HasSubstr("large seed 1"), HasSubstr("out of memory: cannot allocate a tensor of "),
            HasSubstr("use a smaller batch, context or model, or fewer --workers")));
}

}  // namespace
}  // namespace ablate
