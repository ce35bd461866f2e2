// docs/examples/weights.md describes a trial's files well enough to compute its loss from them: the
// script next to it does so with numpy only, and agrees with what the trial recorded.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/store/journal/trial_folders.h"
#include "tests/end_to_end/program.h"
#include "tests/paths.h"

namespace ablate {
namespace {

using testing_support::Finished;
using testing_support::python_with_numpy;
using testing_support::report_of;
using testing_support::Workplace;

// Three arms that cover all choices of architecture and packing for causal_lm.
constexpr const char* kWeightsExperiment = R"({
  "name": "weights",
  "corpus": {"kind": "language", "topics": 2, "states": 6, "vocabulary": 16,
             "tokens": 20000, "held_out_tokens": 4096},
  "model": {"depth": 2, "width": 32, "heads": 2, "context": 32},
  "train": {"budget": {"steps": 60}, "batch": 8, "precision": "float32"},
  "arms": [
    {"name": "isolated", "set": {"objective": {"type": "causal_lm"}}},
    {"name": "joined", "set": {"objective": {"type": "causal_lm"}, "train.packing": "joined",
                               "model.positions": "learned", "model.head": "tied"}},
    {"name": "padded", "set": {"objective": {"type": "causal_lm"}, "train.packing": "padded",
                               "model.norm": "rms_norm", "model.activation": "swiglu"}},
    {"name": "mlm", "set": {"objective": {"type": "masked_lm"}}}
  ],
  "baseline": "isolated",
  "seeds": 1,
  "match": {"on": []},
  "probes": [{"type": "held_out", "texts": 50}],
  "analysis": {"primary": "held_out.loss"}
})";

constexpr double kTolerance = 1e-5;  // nats: float32 sums in another order differ by some 1e-7

std::string quoted(const std::filesystem::path& path) { return "'" + path.string() + "'"; }

class Weights : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    python = python_with_numpy();
    if (python.empty()) return;
    place = std::make_unique<Workplace>();
    results = place->folder() / "results";
    run = place->ablate({"run", place->write("weights.json", kWeightsExperiment).string(),
                         "--results", results.string(), "--progress", "none"});
  }
  static void TearDownTestSuite() { place.reset(); }

  void SetUp() override {
    if (python.empty())
      GTEST_SKIP() << "no python3 with numpy is installed (Debian: python3-numpy)";
    ASSERT_EQ(run.exit_code, exit_ok) << run.errors;
  }

  static std::string trial_of(const std::string& arm) {
    const Json plan = Json::parse(read_file(results / "plan.json"));
    for (const Json& trial : plan.at("trials"))
      if (trial.at("arm") == arm) return trial.at("id");
    return {};
  }

  /// The output of the script for an arm's trial, on both streams.
  static Finished script(const std::string& arm) {
    const std::string command = python + " " +
                                quoted(project_root() / "docs/examples/reproduce_loss.py") + " " +
                                quoted(results) + " --trial " + trial_of(arm) + " 2>&1";
    Finished finished;
    FILE* const pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return finished;
    char part[4096];
    while (const std::size_t size = std::fread(part, 1, sizeof part, pipe))
      finished.output.append(part, size);
    const int status = ::pclose(pipe);
    finished.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return finished;
  }

  inline static std::string python;
  inline static std::unique_ptr<Workplace> place;
  inline static std::filesystem::path results;
  inline static Finished run;
};

TEST_F(Weights, AreEnoughToReproduceTheRecordedLoss) {
  const Json report = report_of(*place, results);
  for (const Json& arm : report.at("arms")) {
    const std::string name = arm.at("name");
    if (name == "mlm") continue;
    const Finished finished = script(name);
    EXPECT_EQ(finished.exit_code, 0) << name << ": " << finished.output;
    const std::string label = "reproduced ";
    const std::size_t at = finished.output.find(label);
    ASSERT_NE(at, std::string::npos) << finished.output;
    EXPECT_NEAR(std::stod(finished.output.substr(at + label.size())),
                arm.at("metrics").at("held_out.loss").at("mean").get<double>(), kTolerance)
        << name;
  }
}

TEST_F(Weights, OfAnotherObjectiveAreRefused) {
  const Finished finished = script("mlm");
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_NE(finished.output.find("has the objective masked_lm; only causal_lm is supported"),
            std::string::npos)
      << finished.output;
}

TEST_F(Weights, ThatAreGoneAreNamed) {
  const auto file = store::trial_folder(results, trial_of("isolated")) / "weights.safetensors";
  const auto elsewhere = place->folder() / "elsewhere";
  std::filesystem::rename(file, elsewhere);
  const Finished finished = script("isolated");
  std::filesystem::rename(elsewhere, file);
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_NE(finished.output.find("there is no file " + file.string()), std::string::npos)
      << finished.output;
}

TEST_F(Weights, OfAnotherTrialAreRefused) {
  const auto weights = [](const char* arm) {
    return store::trial_folder(results, trial_of(arm)) / "weights.safetensors";
  };
  const std::string own = read_file(weights("isolated"));
  write_file(weights("isolated"), read_file(weights("joined")));
  const Finished finished = script("isolated");
  write_file(weights("isolated"), own);
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_NE(finished.output.find("belongs to trial " + trial_of("joined")), std::string::npos)
      << finished.output;
}

}  // namespace
}  // namespace ablate
