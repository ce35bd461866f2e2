// The files that `ablate init` writes, as they stand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/catalog.h"
#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/plan/file/shipped.h"
#include "harness/plan/read/experiment.h"
#include "tests/end_to_end/program.h"
#include "tests/paths.h"

namespace ablate::commands {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::Finished;
using testing_support::Workplace;

class Init : public testing::Test {
 protected:
  std::string at(const std::string& name) const { return (place.folder() / name).string(); }

  /// What `plan` says of a file that `init` wrote with these arguments.
  Json planned(const std::string& name, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"init", at(name)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Finished written = place.ablate(arguments);
    EXPECT_EQ(written.exit_code, exit_ok) << written.errors;
    EXPECT_THAT(written.output, HasSubstr("ablate run  " + at(name) + ".json --report"));
    const Finished plan = place.ablate({"plan", at(name) + ".json", "--json"});
    EXPECT_EQ(plan.exit_code, exit_ok) << plan.errors;
    return plan.exit_code == exit_ok ? Json::parse(plan.output) : Json();
  }

  const Workplace place{};
};

TEST_F(Init, WritesAnExperimentThatCanBePlanned) {
  const Json plan = planned("mine");
  EXPECT_EQ(plan.at("experiment"), "mine");
  EXPECT_EQ(plan.at("arms").size(), 3u);
  EXPECT_EQ(plan.at("warnings"), Json::array()) << "its seeds can decide";
  EXPECT_THAT(read_file(at("mine.json")),
              AllOf(HasSubstr("// What differs"), HasSubstr("ablate plan mine.json")));
}

/// Of every experiment that needs no files of the user's.
TEST_F(Init, CopiesAnExperimentUnderAnotherName) {
  for (const std::string& like : plan::shipped_names()) {
    if (like == "wikitext" || like == "text_labels" || like == "evaluate_text") continue;
    SCOPED_TRACE(like);
    const std::string name = "my_" + like.substr(like.find('/') + 1);
    ASSERT_EQ(place.ablate({"init", at(name), "--like", like}).exit_code, exit_ok);
    const plan::Experiment mine = plan::read_experiment(catalog(), at(name) + ".json", {});
    const plan::Experiment own =
        plan::read_experiment(catalog(), project_root() / "experiments" / (like + ".json"), {});
    EXPECT_EQ(mine.name, name);
    EXPECT_EQ(mine.question, own.question);
    std::filesystem::remove(at(name) + ".json");
    ASSERT_EQ(mine.arms.size(), own.arms.size());
    for (std::size_t i = 0; i < mine.arms.size(); ++i) {
      EXPECT_EQ(mine.arms[i].name, own.arms[i].name);
      EXPECT_EQ(mine.arms[i].objective, own.arms[i].objective);
      EXPECT_EQ(mine.arms[i].model, own.arms[i].model);
    }
  }
}

TEST_F(Init, RefusesWhatWouldBeLostOrCannotBeNamed) {
  ASSERT_EQ(place.ablate({"init", at("mine")}).exit_code, exit_ok);
  const std::string before = read_file(at("mine.json"));
  for (const std::string name : {"mine", "mine.json"}) {
    const Finished again = place.ablate({"init", at(name), "--like", "quickstart"});
    EXPECT_EQ(again.exit_code, exit_usage);
    EXPECT_THAT(again.errors, HasSubstr("mine.json exists already"));
  }
  EXPECT_EQ(read_file(at("mine.json")), before);
  for (const char* name : {"a b", "MyTest", "_x", "-x"})
    EXPECT_THAT(place.ablate({"init", at(name)}).errors, HasSubstr("cannot name an experiment"));
  EXPECT_THAT(place.ablate({"init", at("other"), "--like", "experiments/masking_rate.json"}).errors,
              HasSubstr("no experiment of this name comes with the program"));
  EXPECT_THAT(place.ablate({"init", at("other"), "--like", "masking_rat"}).errors,
              HasSubstr("did you mean 'masking_rate'?"));
  EXPECT_FALSE(std::filesystem::exists(at("other.json")));
}

}  // namespace
}  // namespace ablate::commands
