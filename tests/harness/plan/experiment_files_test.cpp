// Good and bad experiment files, checked with both the reader and the published schema.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/base/files.h"
#include "harness/base/json/json_source.h"
#include "harness/plan/describe/schema.h"
#include "harness/plan/file/faults.h"
#include "harness/plan/make_plan.h"
#include "tests/harness/plan/schema_judge.h"
#include "tests/harness/plan/small_catalog.h"
#include "tests/paths.h"

namespace ablate::plan {
namespace {

namespace fs = std::filesystem;
using testing_support::judge;
using testing_support::small_catalog;

const fs::path kFiles = ablate::project_root() / "tests/experiment_files";

std::vector<fs::path> json_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// The error message for a file, with file names relative to `bad`; empty if it is accepted.
std::string refusal_of_file(const fs::path& file) {
  try {
    make_plan(small_catalog(), file, {});
    return "";
  } catch (const ExperimentRefused& refused) {
    std::string what = refused.what();
    const std::string prefix = (kFiles / "bad").string() + "/";
    for (std::size_t at = what.find(prefix); at != what.npos; at = what.find(prefix, at))
      what.erase(at, prefix.size());
    return what + "\n";
  }
}

TEST(ExperimentFiles, GoodOnesAreAccepted) {
  const testing_support::PlanFolder cache;
  for (const fs::path& file : json_files(kFiles / "good"))
    EXPECT_EQ(refusal_of_file(file), "") << file;
}

// If ABLATE_UPDATE_GOLDENS is set, the expected texts are rewritten instead; review the difference.
TEST(ExperimentFiles, BadOnesAreRefusedWithTheseWords) {
  const testing_support::PlanFolder cache;
  for (const fs::path& file : json_files(kFiles / "bad")) {
    const fs::path words = fs::path(file).replace_extension(".txt");
    if (std::getenv("ABLATE_UPDATE_GOLDENS") != nullptr) write_file(words, refusal_of_file(file));
    const std::string expected = read_file(words);
    EXPECT_EQ(refusal_of_file(file), expected) << file;
  }
}

TEST(ExperimentFiles, ARefusalWritesNothing) {
  const testing_support::PlanFolder folder;
  for (const char* name : {"unknown_key", "many_faults", "huge_grid"}) {
    EXPECT_NE(refusal_of_file(kFiles / "bad" / (std::string(name) + ".json")), "");
    EXPECT_TRUE(fs::is_empty(folder.path())) << name;
  }
}

TEST(ExperimentFiles, TheSchemaAgreesWithTheReader) {
  // Only the reader refuses files that are not JSON, or faults that depend on several values.
  const std::set<std::string> beyond = {"build_refused",    "cannot_host",
                                        "duplicate_arms",   "duplicate_key",
                                        "extends_itself",   "fault_in_base",
                                        "huge_grid",        "missing_parts",
                                        "no_baseline",      "more_seeds_than_trials",
                                        "not_a_number",     "probe_refused",
                                        "probe_twice",      "sizes_together",
                                        "swept_twice",      "trailing_comma",
                                        "unknown_baseline", "unmatched",
                                        "zip_lengths"};
  Json values = Json::array();
  std::vector<std::pair<std::string, bool>> expected;
  for (const char* folder : {"good", "good/base", "bad"})
    for (const fs::path& file : json_files(kFiles / folder)) {
      const JsonSource source(file.string(), read_file(file));
      if (!source.faults().empty()) continue;
      values.push_back(source.value());
      expected.emplace_back(file.stem().string(),
                            file.string().find("/good/") != std::string::npos);
    }
  const auto judged = judge(experiment_schema(small_catalog()), values);
  if (!judged) GTEST_SKIP() << "python3 with jsonschema is not installed";
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto& [name, good] = expected[i];
    EXPECT_EQ((*judged)[i], good || beyond.contains(name)) << name;
  }
}

TEST(ExperimentFiles, TheSchemaRefusesWhatTheReaderRefusesOneChangeAway) {
  const testing_support::PlanFolder folder;
  const Json good = testing_support::small_experiment();
  const std::vector<std::pair<const char*, Json>> changes = {
      {"/name", "Upper"},
      {"/name", 3},
      {"/question", 3},
      {"/corpus/kind", "txt"},
      {"/corpus/topics", 0},
      {"/corpus/topic", 1},
      {"/model/width", 0},
      {"/model/width", 8.5},
      {"/model/width", 8.0},
      {"/model/backbone", "box"},
      {"/model/backbone", "bx"},
      {"/train/batch", 0},
      {"/train/budget", Json::object()},
      {"/train/budget/steps", 3},
      {"/train/schedule", "linear"},
      {"/train/schedule", "line"},
      {"/train/curve", 3},
      {"/arms/0/name", "a b"},
      {"/arms/0/name", nullptr},
      {"/arms/0/seet", 1},
      {"/arms/0/label", "plain text"},
      {"/arms/0/label", ""},
      {"/arms/0/label", "two\nlines"},
      {"/arms/0/label", 3},
      {"/arms/1/grid/objective.rate", 0.3},
      {"/arms/1/grid/corpus.seed", {1}},
      {"/arms/1/grid/objective.rate", {{"linspace", {0.1, 0.2, 1}}}},
      {"/arms/1/grid/objective.rate", {{"linspace", {0.15, 1.5, 4}}}},
      {"/arms/1/grid/objective.rate", {{"logspace", {0, 0.3, 2}}}},
      {"/arms/1/grid/objective.rate", {{"range", {0.15, 0.99, 0.5}}}},
      {"/arms/1/grid/objective.rate", {{"range", {0.15, 1.1, 0.5}}}},
      {"/arms/1/grid/objective.rate", {{"range", {1.5, 0.15, -0.5}}}},
      {"/arms/1/grid/objective.rate", {0.15, 1.5}},
      {"/arms/1/grid/objective.rate", {0.15, "much"}},
      {"/arms/1/grid/objective.rte", {0.15, 0.3}},
      {"/arms/1/grid/objective.order", {{"linspace", {0, 1, 2}}}},
      {"/arms/1/grid/train.batch", {4, 4.5}},
      {"/arms/1/zip", {{"train.batch", {4, 0}}}},
      {"/arms/1/zip", {{"train.bach", {4, 8}}}},
      {"/arms/1/list", {{{"objective.order", "mixd"}}}},
      {"/arms/1/list", {{{"objective.ordr", "mixed"}}}},
      {"/arms/1/set/objective.order", "sorted"},
      {"/arms/1/set/objective.ordr", "sorted"},
      {"/arms/1/set/objective.order", 3},
      {"/arms/1/set/objective.type", "hid"},
      {"/arms/1/set/model.width", 16},
      {"/arms/1/set/model.width", "wide"},
      {"/arms/1/set/model.backbone", "pip"},
      {"/arms/1/set/train.budget.tokens", 800},
      {"/arms/1/set/train.budget.token", 800},
      {"/arms/1/set/train.budget", {{"steps", 9}}},
      {"/arms/1/set/train.budget", {{"steps", 9}, {"tokens", 9}}},
      {"/arms/1/set/train.batch", nullptr},
      {"/arms/1/set/train.phases", {{{"name", "a"}, {"budget", {{"steps", 3}}}}}},
      {"/arms/1/set/train.phases", {{{"name", "a"}}}},
      {"/arms/1/set/train.start.file", "x"},
      {"/arms/1/zip", {{"train.batch", 3}}},
      {"/arms/1/list", Json::array()},
      {"/arms/1/list", {Json::object()}},
      {"/arms/0/set/objective/type", "pla"},
      {"/arms/0/set/objective/rate", 0.2},
      {"/arms", Json::array()},
      {"/seeds", 0},
      {"/seeds", {1, 1}},
      {"/seeds", Json::array()},
      {"/seeds", {5, 0}},
      {"/match", {{"on", {"token"}}}},
      {"/match", {{"tolerance", -1}}},
      {"/match", {{"on", {"tokens"}}}},
      {"/tuning", Json::object()},
      {"/probes", "loss"},
      {"/probes", {"lost"}},
      {"/probes", {{{"type", "loss"}, {"texts", 0}}}},
      {"/probes", {{{"type", "loss"}, {"texts", 3}}}},
      {"/probes", {{{"texts", 3}}}},
      {"/analysis/primary", "loss.at_15"},
      {"/analysis/primary", "loss.exces"},
      {"/analysis/primary", 3},
      {"/analysis/alpha", 0},
      {"/analysis/correction", "bonferroni"},
      {"/analysis/effect", 1},
      {"/limits", {{"trials", 0}}},
      {"/limits", {{"trials", 100}}},
      {"/extends", "x"},
      {"/extends", {"/x"}},
      {"/train/phases", {{{"name", "a"}, {"budget", {{"steps", 3}}}}}},
      {"/train/phases", {{{"name", "a"}, {"budget", {{"share", 0.5}}}, {"corpus", {{"seed", 2}}}}}},
      {"/train/phases", {{{"name", "a"}, {"budget", {{"share", 2}}}}}},
      {"/train/phases", {{{"name", "a"}, {"budget", {{"steps", 3}, {"tokens", 3}}}}}},
      {"/train/phases", {{{"name", "A"}, {"budget", {{"steps", 3}}}}}},
      {"/train/phases", {{{"name", "a"}}}},
      {"/train/phases", {{{"budget", {{"steps", 3}}}}}},
      {"/train/phases", {{{"name", "a"}, {"budget", {{"steps", 3}}}, {"corpus", "mian"}}}},
      {"/train/phases", {{{"name", "a"}, {"budget", {{"steps", 3}}}, {"epochs", 1}}}},
      {"/train/phases", Json::array()},
      {"/train/start", {{"file", "x"}}},
      {"/unknown", 1},
  };
  Json values = Json::array();
  std::vector<bool> accepted;
  for (const auto& [pointer, value] : changes) {
    Json changed = good;
    changed[Json::json_pointer(pointer)] = value;
    accepted.push_back(testing_support::refusal_of(folder, changed).empty());
    values.push_back(std::move(changed));
  }
  const auto judged = judge(experiment_schema(small_catalog()), values);
  if (!judged) GTEST_SKIP() << "python3 with jsonschema is not installed";
  for (std::size_t i = 0; i < changes.size(); ++i)
    EXPECT_EQ((*judged)[i], accepted[i]) << changes[i].first << " = " << changes[i].second;
}

}  // namespace
}  // namespace ablate::plan
