// What the program says to those who ask for what cannot be: exit status 2, the reason and a remedy.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/exit_code.h"
#include "tests/end_to_end/program.h"
#include "tests/harness/store/fake_results.h"
#include "tests/paths.h"

namespace ablate::commands {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_support::Finished;
using testing_support::Workplace;

using Arguments = std::vector<std::string>;

class Refusals : public testing::Test {
 protected:
  /// What a command says that is refused.
  std::string refusal(const Arguments& arguments) const {
    const Finished finished = place.ablate(arguments);
    EXPECT_EQ(finished.exit_code, exit_usage) << arguments[0] << ": " << finished.output;
    return finished.errors;
  }

  std::string at(const std::string& name) const { return (place.folder() / name).string(); }

  /// A results folder of two arms with two seeds.
  std::string results(const std::string& name, const std::string& experiment = "fake") const {
    store::freeze_plan(at(name), store::testing_support::fake_plan({"clm", "mlm"}, 2, experiment),
                       {{"experiment.json", "{}"}});
    for (const char* trial : {"t0", "t1", "t2", "t3"})
      store::testing_support::write_trial(at(name), trial);
    return at(name);
  }

  const Workplace place{};
  const std::string file = (project_root() / "experiments/quickstart.json").string();
};

TEST_F(Refusals, CountsThatNoMachineHas) {
  for (const Arguments& given : {Arguments{"run", file, "--results", at("r"), "--workers", "-1"},
                                 {"run", file, "--results", at("r"), "--workers", "0"},
                                 {"run", file, "--results", at("r"), "--workers", "4097"},
                                 {"run", file, "--results", at("r"), "--measurers", "-1"},
                                 {"noise", file, "--results", at("r"), "--workers", "-1"},
                                 {"noise", file, "--results", at("r"), "--first-seed", "-1"},
                                 {"preview", file, "--arm", "clm", "--count", "-1"},
                                 {"preview", file, "--arm", "clm", "--count", "0"}})
    EXPECT_THAT(refusal(given), HasSubstr("not in range")) << given[0] << ' ' << given.back();
  EXPECT_FALSE(fs::exists(at("r")));
}

TEST_F(Refusals, LossesOfTokensWhereNoneIsPredicted) {
  place.write("sedd.json",
              R"({"name": "sedd", "question": "?", "extends": ["ablate:base/small.json"],
    "arms": [{"name": "sedd", "set": {"objective": {"type": "uniform_diffusion"}}}],
    "baseline": "sedd", "probes": ["held_out"], "analysis": {"primary": "held_out.loss"}})");
  EXPECT_THAT(refusal({"plan", at("sedd.json"), "--set", "train.loss.focal=1"}),
              HasSubstr("train.loss shapes the cross-entropy of tokens, and uniform_diffusion "
                        "trains no head by it"));
}

TEST_F(Refusals, OfANameThatNoExperimentHasGiveTheClosest) {
  for (const char* command : {"plan", "run"}) {
    EXPECT_THAT(refusal({command, "masking_rat"}), HasSubstr("did you mean 'masking_rate'?"));
    EXPECT_THAT(refusal({command, "nothing_like_it"}), HasSubstr("there are: adapt_to_generate, "));
  }
  // Not of `run`, which asks for a worker first: there is none where tests are built without LibTorch.
  EXPECT_THAT(refusal({"plan", "masking_rat.json"}), HasSubstr("could not be read"));
}

TEST_F(Refusals, OfATaskThatCannotBeDrawnAreToldOnce) {
  const std::string told = refusal({"plan", (project_root() / "experiments/planning.json").string(),
                                    "--set", "corpus.star.nodes=3"});
  EXPECT_THAT(told, HasSubstr("corpus.star: 2 arms with paths of 3 need 5 nodes and there are 3"));
  EXPECT_EQ(told.find("error: "), told.rfind("error: ")) << told;
}

TEST_F(Refusals, OfAnObjectiveAreAtItsPlaceWhateverIsToBeMeasured) {
  const std::string own = place
                              .write("mixed.json", R"({
  "name": "mixed", "extends": ["ablate:base/small.json"], "baseline": "causal",
  "arms": [
    {"name": "causal", "set": {"objective": {"type": "causal_lm"}}},
    {"name": "mixed", "set": {"objective": {"type": "mixture", "shares": [1, 2, 3]}}}
  ],
  "analysis": {"primary": "held_out.excess"}
})")
                              .string();
  for (const char* probes :
       {R"(["held_out"])", R"(["held_out","generation"])", R"(["cloze","prompts","held_out"])",
        R"(["held_out","speculative_decoding"])"})
    EXPECT_THAT(refusal({"plan", own, "--set", std::string("probes=") + probes}),
                AllOf(HasSubstr(own + ":5:"), HasSubstr("arm 'mixed': mixture: shares has 3")))
        << probes;
  // One that no probe can ask anything of, beside a metric that it would have.
  const std::string none = place
                               .write("none.json", R"({
  "name": "none", "extends": ["ablate:base/small.json"], "baseline": "causal",
  "arms": [
    {"name": "causal", "set": {"objective": {"type": "causal_lm"}}},
    {"name": "mixed", "set": {"objective": {"type": "mixture", "members": [{"type": "contrastive"}]}}}
  ],
  "analysis": {"primary": "held_out.loss_causal_lm"}
})")
                               .string();
  EXPECT_THAT(refusal({"plan", none}),
              AllOf(HasSubstr(none + ":5:"), HasSubstr("arm 'mixed': mixture: none of its members"),
                    Not(HasSubstr("internal error"))));
}

TEST_F(Refusals, FoldersThatCannotBeMade) {
  const std::string below = place.write("a_file", "").string() + "/r";
  const auto remedy =
      AllOf(HasSubstr(below + ": cannot be created"),
            HasSubstr("choose a folder that you can write to"), Not(HasSubstr("filesystem error")));
  EXPECT_THAT(refusal({"collect", below, results("one")}), remedy);
  const std::string page = at("absent/claims.md");
  const Finished claims = place.ablate({"claims", results("two"), "--out", page});
  EXPECT_EQ(claims.exit_code, exit_usage);
  EXPECT_EQ(claims.output, "") << "it is checked first";
  EXPECT_THAT(claims.errors, AllOf(HasSubstr("--out " + page), HasSubstr("make it first"),
                                   Not(HasSubstr(".tmp."))));
}

TEST_F(Refusals, OfAFolderWithoutResultsAreTheSameForAllCommands) {
  fs::create_directories(at("empty"));
  for (const std::string& folder : {at("empty"), at("absent")})
    for (const Arguments& given : {Arguments{"status", folder},
                                   {"show", folder, "clm,1"},
                                   {"report", folder},
                                   {"claims", folder},
                                   {"diff", folder, folder},
                                   {"try", folder},
                                   {"doctor", folder},
                                   {"doctor", folder, "--rebuild"},
                                   {"collect", at("all"), folder},
                                   {"export", folder, "--to", "csv", "--out", at("out")}})
      EXPECT_THAT(refusal(given),
                  HasSubstr(folder + ": holds no results (no plan.json); give the folder that "
                                     "`ablate run FILE --results DIR` filled"))
          << given[0];
  EXPECT_FALSE(fs::exists(at("all")));
  EXPECT_THAT(refusal({"nightly", at("absent.json")}), HasSubstr("there is no such file"));
}

TEST_F(Refusals, CollectsNothingWhereOneFolderIsOfAnotherExperiment) {
  EXPECT_THAT(refusal({"collect", at("all"), results("mine"), results("other", "another")}),
              HasSubstr("only results of one experiment can be collected"));
  EXPECT_FALSE(fs::exists(at("all")));
}

TEST_F(Refusals, ClaimsSaysWhichFolderNoClaimIsAbout) {
  const Finished claims = place.ablate({"claims", results("mine", "my_own")});
  EXPECT_EQ(claims.exit_code, exit_ok);
  EXPECT_THAT(claims.errors,
              HasSubstr("mine: is of experiment 'my_own', and no claim is about it"));
}

TEST_F(Refusals, OfNoiseSpeakOfItsOwnFlags) {
  EXPECT_THAT(refusal({"noise", file, "--results", at("r"), "--arm", "clmm"}),
              AllOf(HasSubstr("--arm clmm: no arm has this name; did you mean 'clm'?"),
                    Not(HasSubstr("--only"))));
  EXPECT_THAT(place.ablate({"noise", "--help"}).output, Not(HasSubstr("adds an arm")));
  EXPECT_THAT(place.ablate({"plan", "--help"}).output, HasSubstr("adds an arm"));
}

TEST_F(Refusals, OfWhatIsMissingShowAnExampleAndNoOtherWord) {
  EXPECT_THAT(refusal({"gate", "pin", "main"}),
              AllOf(HasSubstr("--reason is required"),
                    HasSubstr("For example: ablate gate pin main --reason"),
                    Not(HasSubstr("did you mean"))));
  EXPECT_THAT(refusal({"show", "x"}), HasSubstr("For example: ablate show results/masking_rate"));
  EXPECT_THAT(refusal({"rnu", "x"}), HasSubstr("did you mean 'run'?"));
  EXPECT_THAT(refusal({"run", "x", "--reslts", "y"}), HasSubstr("did you mean '--results'?"));
  for (const Arguments& command : {Arguments{"gate", "pin"},
                                   {"gate", "judge"},
                                   {"gate", "history"},
                                   {"gate", "export"},
                                   {"export", "language"}}) {
    Arguments given = command;
    given.push_back("--help");
    EXPECT_THAT(place.ablate(given).output, HasSubstr("Example")) << command[1];
  }
}

TEST_F(Refusals, ShowListsTheSeedsOfAnArm) {
  EXPECT_THAT(refusal({"show", results("r"), "clm,9"}),
              HasSubstr("no trial is 'clm,9'; arm clm has the seeds 1, 2"));
}

TEST_F(Refusals, TellAFolderFromAnExperimentFile) {
  EXPECT_THAT(refusal({"plan", place.folder().string()}),
              HasSubstr("this is a folder, not an experiment file; name a file in it"));
}

}  // namespace
}  // namespace ablate::commands
