// Trials that are trained by several processes: whoever of them is killed, and whenever, the sweep ends with
// the bits of one that nobody disturbed.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <optional>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/base/rng.h"
#include "tests/end_to_end/program.h"

namespace ablate {
namespace {

using testing::HasSubstr;
using testing_support::at_line;
using testing_support::Finished;
using testing_support::Interruption;
using testing_support::journal_lines;
using testing_support::report_of;
using testing_support::tiny_experiment;
using testing_support::Workplace;

const std::string kRankedExperiment = tiny_experiment(R"({
  "arms": [{"name": "mlm", "set": {"objective": {"type": "masked_lm"}}}],
  "baseline": null,
  "seeds": 1,
  "corpus": {"tokens": 20000, "held_out_tokens": 4096},
  "train": {"budget": {"steps": 120}, "batch": 8, "dropout": 0.1},
  "probes": [{"type": "held_out", "texts": 50}]
})");

class RanksOfASweep : public testing::Test {
 protected:
  Finished run(const std::string& results, const std::vector<std::string>& more,
               const Interruption& interruption = {}) const {
    std::vector<std::string> arguments = {"run",
                                          file.string(),
                                          "--results",
                                          (place.folder() / results).string(),
                                          "--progress",
                                          "plain",
                                          "--workers",
                                          "1",
                                          "--checkpoint-seconds",
                                          "0.05"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return place.ablate(arguments, interruption);
  }

  Json metrics(const std::string& results) const {
    Json all = Json::object();
    const Json report = report_of(place, place.folder() / results);
    for (const Json& arm : report.at("arms"))
      all[arm.at("name").get<std::string>()] = arm.at("metrics");
    return all;
  }

  /// The metrics of a run that nobody disturbs.
  Json undisturbed(const std::string& results, const std::vector<std::string>& more) const {
    const Finished finished = run(results, more);
    EXPECT_EQ(finished.exit_code, exit_ok) << finished.errors;
    return metrics(results);
  }

  /// The process that is rank number `rank` of the worker that runs now; none where there is none yet.
  std::optional<pid_t> process_of(int rank) const {
    const std::string wanted =
        std::string("--follow") + '\0' + std::to_string(std::max(rank, 1)) + '\0';
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const std::string name = entry.path().filename();
      if (name.find_first_not_of("0123456789") != name.npos) continue;
      try {
        if (!read_file(entry.path() / "cmdline").ends_with(wanted) ||
            read_file(entry.path() / "environ").find(place.folder().string()) == std::string::npos)
          continue;
        if (rank > 0) return std::stoi(name);
        std::ifstream status(entry.path() / "status");
        for (std::string word; status >> word;)
          if (word == "PPid:" && status >> word) return std::stoi(word);
      } catch (const std::runtime_error&) {  // it has ended meanwhile
      }
    }
    return std::nullopt;
  }

  /// Kills one rank when the sweep has written so many lines and that rank is there. The sweep itself gets a
  /// signal that means nothing to it.
  Interruption kill_rank(const std::string& results, int rank, std::int64_t lines) const {
    return {.signal = SIGCONT, .when = [this, results, rank, lines] {
              if (journal_lines(place.folder() / results) < lines) return false;
              const auto process = process_of(rank);
              return process && ::kill(*process, SIGKILL) == 0;
            }};
  }

  Workplace place;
  std::filesystem::path file = place.write("tiny.json", kRankedExperiment);
};

TEST_F(RanksOfASweep, TrainWhatOneProcessTrainsUpToRounding) {
  const Json one = undisturbed("one", {}), two = undisturbed("two", {"--ranks", "2"});
  for (const auto& [arm, metrics] : one.items()) {
    const double loss = metrics.at("held_out.loss").at("mean");
    EXPECT_NEAR(two.at(arm).at("held_out.loss").at("mean").get<double>(), loss, 1e-3 * loss) << arm;
  }
  EXPECT_NE(one, two);  // by the last bits
}

TEST_F(RanksOfASweep, EndWithTheSameBitsWhoeverWasKilled) {
  for (const int size : {2, 3}) {
    const std::vector<std::string> ranks = {"--ranks", std::to_string(size)};
    const std::string whole = fmt::format("whole{}", size);
    const Json expected = undisturbed(whole, ranks);
    const std::int64_t all_lines = journal_lines(place.folder() / whole);
    Rng rng(static_cast<std::uint64_t>(size));
    for (int rank = size - 2; rank < size; ++rank) {
      const std::string results = fmt::format("killed{}of{}", rank, size);
      const auto lines = static_cast<std::int64_t>(rng.below(all_lines / 3));
      const Finished finished = run(results, ranks, kill_rank(results, rank, lines));
      EXPECT_EQ(finished.exit_code, exit_ok) << finished.errors;
      EXPECT_THAT(finished.errors, HasSubstr("it is tried once more"));
      const std::string who = fmt::format("rank {} ended by signal 9 (Killed)", rank);
      if (rank > 0) {
        EXPECT_THAT(finished.errors, HasSubstr(who));
      }
      EXPECT_EQ(metrics(results), expected) << results << " at " << lines << " of " << all_lines;
    }
  }
}

TEST_F(RanksOfASweep, StopWithACheckpointAndGoOn) {
  const std::vector<std::string> ranks = {"--ranks", "2"};
  const Json expected = undisturbed("whole", ranks);
  const std::int64_t half = journal_lines(place.folder() / "whole") / 2;
  for (const int signal : {SIGTERM, SIGKILL}) {
    const std::string results = fmt::format("stopped{}", signal);
    const Finished stopped = run(results, ranks, at_line(half, signal, place.folder() / results));
    EXPECT_EQ(stopped.exit_code, signal == SIGTERM ? +exit_preempted : 128 + SIGKILL)
        << stopped.errors;
    EXPECT_EQ(undisturbed(results, ranks), expected);
  }
}

TEST_F(RanksOfASweep, AreRefusedWhereABatchHasFewerTexts) {
  const Finished refused = run("refused", {"--ranks", "9"});
  EXPECT_EQ(refused.exit_code, exit_usage);
  EXPECT_THAT(refused.errors,
              HasSubstr("has 8 texts in a batch, and each rank needs at least one"));
}

TEST_F(RanksOfASweep, AreRefusedWhereLossesDependOnOtherTexts) {
  place.write("tiny.json", tiny_experiment(R"({
    "arms": [{"name": "a", "set": {"objective": {"type": "contrastive"}}}], "baseline": null
  })"));
  const Finished refused = run("coupled", {"--ranks", "2"});
  EXPECT_EQ(refused.exit_code, exit_usage);
  EXPECT_THAT(refused.errors, HasSubstr("the losses of its objective depend on all of them"));
}

}  // namespace
}  // namespace ablate
