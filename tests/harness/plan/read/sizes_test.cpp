// Sizes of a model, where arms name different backbones.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/plan/read/experiment.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::HasSubstr;

/// The small catalogue, in which a pipe has a bore.
const Catalog& catalog_with_bores() {
  static const std::vector<BackboneSpec> backbones = [] {
    std::vector<BackboneSpec> made = {testing_support::box_backbone("box", {}),
                                      testing_support::box_backbone("pipe", {})};
    made[1].params.push_back(integer("bore", 2, 1, 9, "units"));
    return made;
  }();
  const Catalog& small = testing_support::small_catalog();
  static const Catalog catalog{small.objectives, backbones, small.probes, small.heads, "box"};
  return catalog;
}

class Sizes : public testing::Test {
 protected:
  Json model_of(const std::string& arm, const std::vector<std::string>& set = {}) {
    const auto file = folder.write("experiment.json", experiment.dump(2));
    Overrides overrides;
    overrides.set = set;
    for (const ResolvedArm& one : read_experiment(catalog_with_bores(), file, overrides).arms)
      if (one.name == arm) return one.model;
    return Json();
  }

  std::string refusal() {
    try {
      model_of("plain");
      return "";
    } catch (const ExperimentRefused& refused) {
      return refused.what();
    }
  }

  testing_support::PlanFolder folder;
  Json experiment = testing_support::small_experiment();
};

TEST_F(Sizes, ThatBothBackbonesHaveAreKept) {
  experiment["model"] = {{"backbone", "pipe"}, {"width", 32}, {"bore", 3}};
  experiment["arms"][0]["set"]["model.backbone"] = "box";
  EXPECT_EQ(model_of("plain"), Json({{"backbone", "box"}, {"width", 32}, {"context", 16}}));
  EXPECT_EQ(model_of("hide[rate=0.15]"),
            Json({{"backbone", "pipe"}, {"width", 32}, {"context", 16}, {"bore", 3}}));
  EXPECT_EQ(model_of("plain", {"model.width=64"})["width"], 64) << "flags reach every arm";
  EXPECT_EQ(model_of("plain", {"model.width=64"})["backbone"], "box");
}

TEST_F(Sizes, OfABaseFileAreKeptWhereAnotherFileNamesTheBackbone) {
  folder.write("base.json", R"({"model": {"backbone": "pipe", "width": 32, "bore": 3}})");
  experiment["extends"] = {"base.json"};
  experiment["model"] = {{"backbone", "box"}};
  EXPECT_EQ(model_of("plain"), Json({{"backbone", "box"}, {"width", 32}, {"context", 16}}));
}

TEST_F(Sizes, OfAnotherBackboneAreRefusedWhereTheyAreGivenWithIt) {
  experiment["model"] = {{"backbone", "box"}, {"bore", 3}};
  EXPECT_THAT(refusal(), HasSubstr("no parameter is named 'bore'"));
  experiment["model"] = {{"width", 8}};
  experiment["arms"][0]["set"]["model"] = {{"backbone", "box"}, {"bore", 3}};
  EXPECT_THAT(refusal(), HasSubstr("no parameter is named 'bore'"));
}

}  // namespace
}  // namespace ablate::plan
