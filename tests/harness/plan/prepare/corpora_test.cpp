// The plan shows what its corpora hold, and warns about what their user probably does not mean.

#include "harness/plan/prepare/corpora.h"

#include <gmock/gmock.h>

#include "harness/plan/trial/plan_json.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing_support::plan_of;
using testing_support::small_experiment;

TEST(Corpora, OfAPlanAreTheMainOneAndThoseOfPhasesEachOnce) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  const Json phases = Json::parse(R"([
    {"name": "a", "budget": {"share": 0.5}},
    {"name": "b", "budget": {"share": 0.25}, "corpus": {"seed": 2}},
    {"name": "c", "budget": {"share": 0.25}, "corpus": {"seed": 2}}
  ])");
  experiment["train"]["phases"] = phases;
  const Plan plan = plan_of(folder, experiment);
  ASSERT_EQ(plan.corpora.size(), 2u);
  EXPECT_EQ(plan.corpora[0]["name"], "main");
  EXPECT_EQ(plan.corpora[0]["hash"], plan.trials[0].config.at("corpus")["hash"]);
  EXPECT_EQ(plan.corpora[1]["name"], plan.corpora[1]["hash"].get<std::string>().substr(0, 8));
  EXPECT_GE(plan.corpora[0]["training"]["tokens"], 4000);
  EXPECT_GE(plan.corpora[0]["held_out"]["tokens"], 1000);
}

TEST(Corpora, OfAPlanAreInItsJson) {
  const testing_support::PlanFolder folder;
  const Plan plan = plan_of(folder, small_experiment());
  Json json = to_json(plan);
  EXPECT_EQ(json["corpora"], plan.corpora);
  json.erase("corpora");
  EXPECT_EQ(plan_from_json(json).corpora, Json::array()) << "plans of earlier versions have none";
}

TEST(Corpora, WarnInThePlan) {
  const testing_support::PlanFolder folder;
  folder.write("text.txt",
               std::string(200, 'a') + ".\n\n" + std::string(4000, 'b') + " caf\xE9.\n");
  Json experiment = small_experiment();
  experiment["corpus"] = {{"kind", "text"}, {"paths", {"text.txt"}}, {"documents", "blank_lines"}};
  experiment["train"]["budget"] = {{"steps", 2}};
  experiment["model"]["context"] = 8;
  EXPECT_THAT(plan_of(folder, experiment).warnings,
              AllOf(Contains(HasSubstr("corpus main: ")), Contains(HasSubstr("asks for 10 %")),
                    Contains(HasSubstr("iconv -f WINDOWS-1252 -t UTF-8"))));
}

TEST(Corpora, WarnWhereAPhaseTrainsOnWhatAnotherHoldsOut) {
  const testing_support::PlanFolder folder;
  folder.write("main.txt", "One one.\n\nTwo two.\n\nThree three.\n");
  folder.write("kept.txt", "Kept one.\n\nKept two.\n");
  folder.write("more.txt", "Other one.\n\nKept two.\n\nOther two.\n");
  folder.write("last.txt", "Last one.\n\nLast two.\n");
  const auto warnings = [&](const char* main_held_out) {
    Json experiment = small_experiment();
    experiment["corpus"] = {{"kind", "text"},
                            {"paths", {"main.txt"}},
                            {"documents", "blank_lines"},
                            {"tokenizer", {{"kind", "bytes"}}},
                            {"held_out", {{"paths", {main_held_out}}}}};
    experiment["train"]["phases"] = Json::parse(R"([
      {"name": "a", "budget": {"share": 0.5}},
      {"name": "b", "budget": {"share": 0.5},
       "corpus": {"paths": ["more.txt"], "held_out": {"paths": ["last.txt"]}}}
    ])");
    experiment["train"]["budget"] = {{"steps", 4}};
    experiment["model"]["context"] = 8;
    return plan_of(folder, experiment).warnings;
  };
  EXPECT_THAT(warnings("kept.txt"),
              Contains(HasSubstr("1 of its 3 training documents are held out of corpus main")));
  EXPECT_THAT(warnings("last.txt"),
              testing::Not(Contains(HasSubstr("training documents are held out"))));
}

TEST(Corpora, SayWhichLinksAreLeftOut) {
  const testing_support::PlanFolder folder;
  folder.write("elsewhere/a.txt", "One one.\n\nTwo two.\n\nThree three.\n\nFour four.\n");
  std::filesystem::create_directory(folder / "text");
  std::filesystem::create_symlink("../elsewhere/a.txt", folder / "text/a.txt");
  std::filesystem::create_symlink("../elsewhere/b.txt", folder / "text/b.txt");
  Json experiment = small_experiment();
  experiment["corpus"] = {{"kind", "text"}, {"paths", {"text"}}, {"documents", "blank_lines"}};
  experiment["train"]["budget"] = {{"steps", 2}};
  experiment["model"]["context"] = 8;
  const Plan plan = plan_of(folder, experiment);
  EXPECT_EQ(plan.corpora[0]["training"]["documents"].get<int>() +
                plan.corpora[0]["held_out"]["documents"].get<int>(),
            4);
  EXPECT_THAT(plan.warnings, Contains(AllOf(HasSubstr("corpus main: the link '"),
                                            HasSubstr("b.txt' is left out, because"))));
}

}  // namespace
}  // namespace ablate::plan
