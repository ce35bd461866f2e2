// Every shipped experiment runs at a tiny budget and ends in a report.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "experiments/catalog.h"
#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/plan/file/merge.h"
#include "harness/plan/file/shipped.h"
#include "harness/plan/read/experiment.h"
#include "tests/end_to_end/program.h"
#include "tests/paths.h"

namespace ablate {
namespace {

using testing_support::Finished;
using testing_support::report_of;
using testing_support::Workplace;

namespace fs = std::filesystem;

const fs::path kFolder = project_root() / "experiments";

/// The experiments that need no files but those that are shipped.
std::vector<std::string> shipped() {
  std::vector<std::string> names = plan::shipped_names();
  std::erase_if(names, [](const std::string& name) {
    return name == "wikitext" || name == "text_labels" || name == "evaluate_text";
  });
  EXPECT_GE(names.size(), 45u);
  return names;
}

bool is_of_the_lecture(const std::string& name) { return name.starts_with("lecture/"); }

/// Settings under which every probe of the experiment measures on little.
std::vector<std::string> little_to_probe(const fs::path& file) {
  static const std::map<std::string, int> kLittle = {{"texts", 20},
                                                     {"samples", 4},
                                                     {"steps", 4},
                                                     {"documents", 10},
                                                     {"asked", 1},
                                                     {"training_documents", 20},
                                                     {"development_documents", 10},
                                                     {"test_documents", 20},
                                                     {"training_tokens", 200},
                                                     {"development_tokens", 100},
                                                     {"test_tokens", 200},
                                                     {"training_pairs", 32},
                                                     {"development_pairs", 8},
                                                     {"test_pairs", 8},
                                                     {"epochs", 1}};
  std::vector<std::string> settings;
  for (const plan::PlannedProbe& probe : plan::read_experiment(catalog(), file, {}).probes)
    for (const auto& [key, value] : kLittle)
      if (const Json set = probe.section.value(key, Json()); set.is_number() && set > value)
        settings.push_back("probes." + plan::probe_name(probe.section) + '.' + key + '=' +
                           std::to_string(value));
  return settings;
}

class ShippedExperiment : public testing::TestWithParam<std::string> {};

TEST_P(ShippedExperiment, EndsInAReportAtItsSmokeBudget) {
  const Workplace place;
  const fs::path results = place.folder() / "results";
  std::vector<std::string> arguments = {"run",        (kFolder / (GetParam() + ".json")).string(),
                                        "--results",  results.string(),
                                        "--progress", "none"};
  if (GetParam() == "understanding_or_generation")  // it sweeps the budget
    arguments.insert(arguments.end(), {"--only", "arm=mlm[tokens=100000]"});
  else if (GetParam() == "repeated_text")  // so does it
    arguments.insert(arguments.end(), {"--only", "arm=diffusion[tokens=30000]"});
  else if (GetParam() == "learning_dynamics")  // its points need more steps
    arguments.insert(arguments.end(), {"--set", "train.budget={\"positions\":32768}"});
  else if (GetParam() == "detection")  // it matches FLOPs, of which a step is a larger part here
    arguments.insert(arguments.end(),
                     {"--set", "train.budget={\"flops\":8e9}", "--set", "match.tolerance=0.5"});
  else
    arguments.insert(arguments.end(), {"--set", "train.budget={\"positions\":8192}"});
  if (GetParam() == "compare_objectives_tuned")
    for (const char* set :
         {"tuning.learning_rate=[3e-3,1e-2]", "tuning.seeds=1", "tuning.extension=0"})
      arguments.insert(arguments.end(), {"--set", set});
  for (const std::string& set : little_to_probe(kFolder / (GetParam() + ".json")))
    arguments.insert(arguments.end(), {"--set", set});
  arguments.insert(arguments.end(), {"--set", "seeds=1"});
  if (!is_of_the_lecture(GetParam()))  // whose text is shipped
    for (const char* set : {"corpus.tokens=30000", "corpus.held_out_tokens=5000"})
      arguments.insert(arguments.end(), {"--set", set});
  const Finished finished = place.ablate(arguments);
  ASSERT_EQ(finished.exit_code, exit_ok) << finished.errors;
  const Json report = report_of(place, results);
  EXPECT_FALSE(report.at("arms").empty());
  for (const Json& arm : report.at("arms"))
    EXPECT_TRUE(arm.at("failed") == 0 && !arm.at("metrics").empty()) << arm.at("name");
}

INSTANTIATE_TEST_SUITE_P(All, ShippedExperiment, testing::ValuesIn(shipped()),
                         [](const auto& made) {
                           std::string name = made.param;
                           std::ranges::replace(name, '/', '_');
                           return name;
                         });

TEST(ShippedExperiments, CanBeExtendedFromAnywhere) {
  const Workplace place;
  const auto file = place.write(
      "mine.json", R"({"name": "mine", "extends": ["ablate:masking_rate.json"], "seeds": 7})");
  const Finished finished = place.ablate({"plan", file.string(), "--drop", "clm", "--json"});
  ASSERT_EQ(finished.exit_code, exit_ok) << finished.errors;
  const Json plan = Json::parse(finished.output);
  EXPECT_EQ(plan.at("experiment"), "mine");
  EXPECT_EQ(plan.at("trials").size(), 5u * 7u);
}

TEST(PrintedPlan, SaysWhatTheSeedsCanShowOnceAndCountsInFull) {
  const Workplace place;
  const Finished finished = place.ablate({"plan", (kFolder / "quickstart.json").string(), "--set",
                                          "seeds=3", "--set", "corpus.tokens=1234567"});
  ASSERT_EQ(finished.exit_code, exit_ok) << finished.errors;
  const std::string& plan = finished.output;
  const std::size_t once = plan.find("no difference can be significant");
  ASSERT_NE(once, plan.npos);
  EXPECT_EQ(plan.find("no difference can be significant", once + 1), plan.npos) << plan;
  EXPECT_THAT(plan, testing::ContainsRegex("\n  main +[0-9]+ +- +12[0-9]{5} ")) << "tokens";
}

TEST(ShippedExperiments, SayWhatTheyAskAndWhatToExpect) {
  for (const std::string& name : shipped()) {
    const std::string text = read_file(kFolder / (name + ".json"), 1 << 20);
    EXPECT_THAT(text, testing::StartsWith("// ")) << name;
    EXPECT_THAT(text, testing::HasSubstr("Expected reading")) << name;
    EXPECT_THAT(text, testing::HasSubstr("\"baseline\"")) << name;
    EXPECT_THAT(text, testing::HasSubstr("\"primary\"")) << name;
  }
}

}  // namespace
}  // namespace ablate
