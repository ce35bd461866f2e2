// Merging and assigning settings.

#include "harness/plan/file/merge.h"

#include <gtest/gtest.h>

namespace ablate::plan {
namespace {

Json merged(Json target, const Json& patch, const std::string& pointer = "") {
  merge(target, patch, pointer);
  return target;
}

TEST(Merge, IsRfc7396) {
  // The examples of the RFC's appendix A in which the patch is an object.
  const auto example = [](const char* target, const char* patch, const char* result) {
    EXPECT_EQ(merged(Json::parse(target), Json::parse(patch)), Json::parse(result))
        << target << " + " << patch;
  };
  example(R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})");
  example(R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})");
  example(R"({"a":"b"})", R"({"a":null})", R"({})");
  example(R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})");
  example(R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})");
  example(R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})");
  example(R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})");
  example(R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})");
  example(R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})");
  example(R"([1,2])", R"({"a":"b","c":null})", R"({"a":"b"})");
  example(R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})");
}

TEST(Merge, DropsTheParametersOfThePreviousTag) {
  const Json file = {{"objective", {{"type", "masked"}, {"rate", 0.3}}}};
  EXPECT_EQ(merged(file, {{"objective", {{"type", "causal"}}}}),
            Json({{"objective", {{"type", "causal"}}}}));
  EXPECT_EQ(merged(file, {{"objective", {{"type", "masked"}}}}), file);
  EXPECT_EQ(merged(file, {{"objective", {{"keep", 0.1}}}})["objective"]["rate"], 0.3);
}

TEST(Merge, ReplacesABudgetByAnother) {
  const Json file = {{"train", {{"budget", {{"tokens", 100}}}, {"batch", 4}}}};
  const Json changed = merged(file, {{"train", {{"budget", {{"steps", 5}}}}}});
  EXPECT_EQ(changed, Json({{"train", {{"budget", {{"steps", 5}}}, {"batch", 4}}}}));
}

TEST(Assign, MakesSectionsThenTagsThenSettings) {
  Json settings = {{"objective", {{"type", "causal"}, {"depth", 2}}}};
  assign(settings, {{"objective.rate", 0.2, "", ""},
                    {"objective.type", "masked", "", ""},
                    {"objective", {{"type", "other"}, {"keep", 0.1}}, "", ""}});
  EXPECT_EQ(settings, Json({{"objective", {{"type", "masked"}, {"rate", 0.2}}}}));
}

TEST(Assign, DoesNotDependOnTheOrderOfPathsThatDiffer) {
  std::vector<Assignment> made = {
      {"model.width", 3, "", ""}, {"objective.type", "b", "", ""}, {"objective.rate", 1, "", ""}};
  Json forward = {{"objective", {{"type", "a"}, {"old", 1}}}}, backward = forward;
  assign(forward, made);
  std::reverse(made.begin(), made.end());
  assign(backward, made);
  EXPECT_EQ(forward, backward);
}

TEST(Assign, NamesProbesOfTheListByTheirType) {
  Json settings = {{"probes", {"loss", {{"type", "words"}, {"most", 5}}}}};
  assign(settings, {{"probes.words.least", 2, "", ""},
                    {"probes.loss.texts", 3, "", ""},
                    {"probes.topics.layers", 4, "", ""}});
  EXPECT_EQ(settings["probes"], Json::parse(R"([{"type": "loss", "texts": 3},
                                                {"type": "words", "most": 5, "least": 2},
                                                {"type": "topics", "layers": 4}])"));
}

TEST(Assign, FindsAProbeByItsNameAndNotByTheTypeOfANamedOne) {
  Json settings = {{"probes", {{{"type", "labels"}, {"name", "intent"}}, {{"type", "labels"}}}}};
  assign(settings, {{"probes.intent.count", 1, "", ""}, {"probes.labels.count", 2, "", ""}});
  ASSERT_EQ(settings["probes"].size(), 2u);
  EXPECT_EQ(settings["probes"][0]["count"], 1);
  EXPECT_EQ(settings["probes"][1]["count"], 2);
}

TEST(ProbeName, IsItsNameOrItsType) {
  EXPECT_EQ(probe_name("loss"), "loss");
  EXPECT_EQ(probe_name({{"type", "loss"}}), "loss");
  EXPECT_EQ(probe_name({{"type", "loss"}, {"name", "mine"}}), "mine");
  EXPECT_EQ(probe_name({{"type", 3}}), "");
  EXPECT_EQ(probe_name(7), "");
}

TEST(FindPointer, FindsOnlyWhatExists) {
  const Json value = {{"a", {{"b.c", {1, 2, 3}}}}};
  EXPECT_EQ(*find_pointer(value, "/a/b.c/1"), 2);
  EXPECT_EQ(*find_pointer(value, ""), value);
  for (const char* absent : {"/b", "/a/b.c/3", "/a/b.c/x", "/a/b.c/1/d", "/a/b.c/-1"})
    EXPECT_EQ(find_pointer(value, absent), nullptr) << absent;
}

}  // namespace
}  // namespace ablate::plan
