// What the shell is offered for a line that is being typed, by `ablate complete` and by the script for bash.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "tests/end_to_end/program.h"
#include "tests/paths.h"

namespace ablate::commands {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

class Completion : public testing::Test {
 protected:
  std::vector<std::string> offered(std::vector<std::string> words) const {
    words.insert(words.begin(), {"complete", "--"});
    const testing_support::Finished finished = place.ablate(words);
    EXPECT_EQ(finished.exit_code, exit_ok) << finished.errors;
    return lines_of(finished.output);
  }

  static std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

  const testing_support::Workplace place{};
};

TEST_F(Completion, OffersCommandsFlagsAndExperiments) {
  EXPECT_THAT(offered({""}), IsSupersetOf({"plan", "run", "report", "init"}));
  EXPECT_THAT(offered({""}), Not(Contains("complete")));
  EXPECT_THAT(offered({"pl"}), ElementsAre("plan"));
  EXPECT_THAT(offered({"run", "quickst"}), ElementsAre("quickstart"));
  EXPECT_THAT(offered({"plan", "lecture/ob"}), ElementsAre("lecture/objectives"));
  EXPECT_THAT(offered({"plan", "quickstart", "quickst"}), IsEmpty()) << "one file is named already";
  EXPECT_THAT(offered({"plan", "quickstart", "--on"}), ElementsAre("--only"));
  EXPECT_THAT(offered({"export", "lang"}), ElementsAre("language"));
  EXPECT_THAT(offered({"completion", ""}), ElementsAre("bash", "fish", "zsh"));
  EXPECT_THAT(offered({"describe", "masked_l"}), ElementsAre("masked_lm"));
  EXPECT_THAT(offered({"describe", "held_out.bits"}), Contains("held_out.bits_per_byte"));
  EXPECT_THAT(offered({}), Not(IsEmpty()));
  EXPECT_THAT(offered({"nightly", "quick"}), IsEmpty()) << "its file is a suite";
  EXPECT_THAT(offered({"gate", "cal"}), ElementsAre("calibrate"));
}

TEST_F(Completion, OffersArmsSettingsAndTheirValues) {
  EXPECT_THAT(offered({"preview", "masking_rate", "--arm", "ml"}), Contains("mlm[rate=0.3]"));
  EXPECT_THAT(offered({"preview", "no_such_file", "--arm", ""}), IsEmpty());
  EXPECT_THAT(offered({"run", "x", "--set", "train.sche"}), ElementsAre("train.schedule="));
  EXPECT_THAT(offered({"run", "x", "--set", "train.schedule=c"}),
              ElementsAre("train.schedule=constant", "train.schedule=cosine"));
  EXPECT_THAT(offered({"run", "x", "--set", "corpus.tokenizer.kind=w"}),
              ElementsAre("corpus.tokenizer.kind=words"));
  EXPECT_THAT(
      offered({"run", "x", "--set", "probes.generation."}),
      AllOf(Contains("probes.generation.samples="), Each(StartsWith("probes.generation."))));
  EXPECT_THAT(offered({"run", "x", "--workers", ""}), IsEmpty()) << "a number";
}

/// What bash is offered with the cursor at the end of a line.
TEST_F(Completion, InBashReplacesWhatFollowsTheLastBreak) {
  const auto in_bash = [&](const std::string& line) {
    const std::string out = (place.folder() / "out").string();
    const auto script = place.write(
        "typed.sh", fmt::format("cd '{3}'\nPATH='{0}':$PATH\nsource <(ablate completion bash)\n"
                                "compopt() {{ :; }}  # there is no line that is being typed\n"
                                "COMP_LINE='{1}'\nCOMP_POINT=${{#COMP_LINE}}\n_ablate\n"
                                "printf '%s\\n' \"${{COMPREPLY[@]}}\" > '{2}'\n",
                                programs_folder().string(), line, out, place.folder().string()));
    EXPECT_EQ(testing_support::run_shell("LC_ALL=C", "bash " + script.string()), 0);
    return lines_of(read_file(out));
  };
  EXPECT_THAT(in_bash("ablate pla"), ElementsAre("plan"));
  EXPECT_THAT(in_bash("ablate run quickstart --set train.schedule=cos"), ElementsAre("cosine"));
  // What would be more than one word, or run something, is quoted; lines with quotes are left alone.
  std::filesystem::create_directories(place.folder() / "results");
  place.write("results/my $(run)/plan.json", "{}");
  EXPECT_THAT(in_bash("ablate report results/m"), ElementsAre("results/my\\ \\$\\(run\\)"));
  EXPECT_THAT(in_bash("ablate report \"results/m"), ElementsAre(""));
}

}  // namespace
}  // namespace ablate::commands
