// Pictures with captions in JSON Lines, from the files to the report: what a user of CLIP would try first.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/exit_code.h"
#include "harness/base/rng.h"
#include "tests/end_to_end/program.h"

namespace ablate {
namespace {

using testing::HasSubstr;

constexpr const char* kCaptions = R"({
  "name": "captions",
  "question": "Which loss teaches what a picture and its caption have in common?",
  "corpus": {"kind": "text", "paths": ["captions.jsonl"], "format": "jsonl",
             "picture": {"field": "codes", "values": 16}},
  "model": {"depth": 1, "width": 32, "heads": 2, "context": 24},
  "train": {"budget": {"steps": 200}, "batch": 16, "packing": "padded", "learning_rate": 1e-2},
  "objective": {"type": "contrastive", "pairs": "modalities", "projection": "none", "scale": "learned"},
  "arms": [{"name": "clip", "set": {"objective.directions": "both", "objective.temperature": 0.07}},
           {"name": "siglip", "set": {"objective.loss": "sigmoid", "objective.temperature": 0.1}}],
  "baseline": "clip",
  "seeds": 1,
  "probes": ["held_out", {"type": "zero_shot", "test": "test.jsonl", "wording": "a {}"}],
  "analysis": {"primary": "zero_shot.accuracy"}
})";

constexpr std::string_view kAnimals[] = {"cat", "dog", "owl", "cow"};

/// Four codes for each animal, one in ten of them any.
Json codes_of(std::int64_t animal, Rng& rng) {
  Json codes = Json::array();
  for (std::int64_t place = 0; place < 4; ++place)
    codes.push_back(rng.uniform() < 0.1 ? rng.below(16) : 4 * animal + place);
  return codes;
}

std::string captions(int lines) {
  constexpr std::string_view kForms[] = {"a {}", "the {} is here", "we saw a {} today"};
  Rng rng(1);
  std::string text;
  for (int i = 0; i < lines; ++i) {
    const std::int64_t animal = rng.below(4);
    const std::string_view form = kForms[rng.below(3)];
    const Json line = {{"text", fmt::format(fmt::runtime(form), kAnimals[animal])},
                       {"codes", codes_of(animal, rng)}};
    text += line.dump() + "\n";
  }
  return text;
}

std::string labelled_pictures(int lines) {
  Rng rng(2);
  std::string text;
  for (int i = 0; i < lines; ++i) {
    const std::int64_t animal = rng.below(4);
    text += Json{{"codes", codes_of(animal, rng)}, {"label", kAnimals[animal]}}.dump() + "\n";
  }
  return text;
}

TEST(PictureCaptions, TeachBothLossesToNameAPictureByItsClass) {
  const testing_support::Workplace place;
  place.write("captions.jsonl", captions(1500));
  place.write("test.jsonl", labelled_pictures(120));
  const std::string results = (place.folder() / "results").string();
  const auto finished = place.ablate({"run", place.write("captions.json", kCaptions).string(),
                                      "--results", results, "--progress", "none"});
  ASSERT_EQ(finished.exit_code, exit_ok) << finished.errors;
  const Json report = testing_support::report_of(place, results);
  ASSERT_EQ(report.at("arms").size(), 2u);
  for (const Json& arm : report.at("arms")) {
    const auto mean = [&](const char* metric) {
      return arm.at("metrics").at(metric).at("mean").get<double>();
    };
    EXPECT_EQ(mean("zero_shot.chance"), 0.25);
    EXPECT_GT(mean("zero_shot.accuracy"), 0.8) << arm.at("name");
    EXPECT_LT(mean("zero_shot.untrained"), 0.6) << arm.at("name");
  }
}

TEST(PictureCaptions, AreRefusedAtTheLineOfTheFaultAndOfTheProbe) {
  const testing_support::Workplace place;
  place.write("captions.jsonl", captions(40) + "{\"text\": \"a cat\", \"codes\": [16]}\n");
  place.write("test.jsonl", labelled_pictures(20));
  const std::string file = place.write("captions.json", kCaptions).string();
  const auto damaged = place.ablate({"plan", file});
  EXPECT_EQ(damaged.exit_code, exit_usage);
  EXPECT_THAT(damaged.errors, HasSubstr("captions.jsonl:41: 'codes' has the patch 16"));

  place.write("captions.jsonl", captions(40));
  const auto wording = place.ablate({"plan", file, "--set", "probes.zero_shot.wording=a cat"});
  EXPECT_EQ(wording.exit_code, exit_usage);
  EXPECT_THAT(wording.errors, HasSubstr("where the name of a class goes"));
}

}  // namespace
}  // namespace ablate
