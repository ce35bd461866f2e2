// The zero-shot probe: models that know names and pictures exactly are as good as Bayes, and files are read
// as they say.

#include <ATen/Functions.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "harness/probes/zero_shot/pictures_spec.h"
#include "harness/train/network/network.h"
#include "tests/harness/probes/byte_tokenizer.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const Json kDials = {{"names", 4}, {"states", 9}, {"picture", {{"patches", 4}, {"values", 5}}}};
const Json kModalities = {{"type", "contrastive"}, {"pairs", "modalities"}};
const Json kZeroShot = {{"type", "zero_shot"}, {"test_pictures", 400}};

/// A network whose state of a passage is all at one dimension, which a function of its tokens names.
class Naming : public Oracle {
 public:
  using Name = std::function<std::int64_t(std::span<const Token>)>;
  explicit Naming(Name name) : Oracle(uniform_rule({.ordinary = 8})), name_(std::move(name)) {}

  at::Tensor hidden(const train::Inputs& inputs) override {
    constexpr std::int64_t kWidth = 64;
    at::Tensor states = at::zeros({1, inputs.tokens.size(1), inputs.tokens.size(2), kWidth});
    for (std::int64_t row = 0; row < inputs.tokens.size(1); ++row) {
      std::vector<Token> passage;
      const at::Tensor tokens = inputs.tokens[0][row];
      EXPECT_EQ(tokens[0].item<Token>(), classify_token);
      for (std::int64_t at = 1; at < tokens.size(0); ++at)
        if (const auto token = tokens[at].item<Token>(); token != pad_token)
          passage.push_back(token);
      states[0][row][0][name_(passage)] = 1;
    }
    return states;
  }

 private:
  Name name_;
};

/// The most probable name given a picture; of another passage, whose name its only token is.
std::int64_t name_by_bayes(const data::Language& language, std::span<const Token> passage) {
  const Chain& chain = language.chain();
  if (std::ssize(passage) != chain.patches)
    return std::ranges::find(language.names(), passage.front()) - language.names().begin();
  const std::vector<double> likelihood = picture_likelihood(chain, passage);
  std::vector<double> posterior(language.names().size(), 0.0);
  for (std::size_t block = 0; block < likelihood.size(); ++block)
    posterior[static_cast<std::size_t>(chain.blocks[block].name)] += likelihood[block];
  return std::ranges::max_element(posterior) - posterior.begin();
}

TEST(ZeroShot, OfTheExactPosteriorIsTheCeiling) {
  const SmallWorld world(kDials);
  Naming network([&](auto passage) { return name_by_bayes(world.language, passage); });
  const Measurement found = measured(world, trial_of(kModalities), network, kZeroShot);
  const auto& metrics = found.metrics;
  EXPECT_EQ(metrics.at("zero_shot.accuracy"), metrics.at("zero_shot.bayes"));
  EXPECT_GT(metrics.at("zero_shot.bayes"), 0.6);
  EXPECT_LT(metrics.at("zero_shot.bayes"), 1);
  EXPECT_EQ(metrics.at("zero_shot.chance"), 0.25);
  EXPECT_NEAR(metrics.at("zero_shot.untrained"), 0.25, 0.1) << "the first class, whatever is shown";
  EXPECT_EQ(found.items.at("zero_shot.accuracy").size(), 400u);
}

TEST(ZeroShot, OfWhatKnowsNothingIsChance) {
  const SmallWorld world(kDials);
  Naming network([&](auto passage) -> std::int64_t {
    if (std::ssize(passage) == 1) return name_by_bayes(world.language, passage);
    return passage.front() % 4;  // a patch of the topic: nothing of the name
  });
  const auto metrics = measured(world, trial_of(kModalities), network, kZeroShot).metrics;
  EXPECT_NEAR(metrics.at("zero_shot.accuracy"), 0.25, 0.1);
}

class ZeroShotFiles : public ::testing::Test {
 protected:
  ZeroShotFiles() : folder_(scratch_folder("zero_shot")) { tokenizer_.reserve_patches(8); }
  ~ZeroShotFiles() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& text) const { std::ofstream(folder_ / "test.jsonl") << text; }

  Json prepared(Json settings = Json::object(), const Json& corpus = pictured()) const {
    settings["type"] = "zero_shot";
    settings["test"] = "test.jsonl";
    const Preparation preparation{
        .section = corpus,
        .folder_of = [this](const std::string&) { return folder_; },
        .cache = folder_,
        .tokenizer = [this]() { return std::make_shared<const ByteTokenizer>(tokenizer_); }};
    return prepare_zero_shot(probe_of(settings).params, preparation);
  }

  static Json pictured() {
    return {{"kind", "text"}, {"picture", {{"field", "codes"}, {"values", 8}}}};
  }

  std::filesystem::path folder_;
  ByteTokenizer tokenizer_;
};

const std::string kTwoKinds =
    "{\"codes\": [1, 2], \"label\": \"dog\"}\n{\"codes\": [3], \"label\": \"cat\"}\n"
    "{\"codes\": [1], \"label\": \"dog\"}\n";

TEST_F(ZeroShotFiles, AskForTheTextOfEachClass) {
  write(kTwoKinds);
  Json settings = prepared({{"wording", "a {}."}});
  EXPECT_FALSE(settings.contains("test")) << "a hash, wherever the file lies";
  settings["type"] = "zero_shot";
  data::CorpusContent content{
      .pieces = tokenizer_.pieces(), .ordinary = 256 + 8, .about = {{"kind", "text"}}};
  content.training.tokens = {begin_token, 16 + 'a', end_token};
  content.training.documents = 1;
  const std::map<std::string, std::int64_t> texts = {{"a cat.", 0}, {"a dog.", 1}};
  Naming network([&](auto passage) -> std::int64_t {
    if (passage.front() >= 256 + 16) return passage.front() == 256 + 16 + 1 ? 1 : 0;
    std::string text;
    for (const Token token : passage) text += static_cast<char>(token - special_count);
    return texts.at(text);
  });
  const auto metrics =
      measured_on_text(stored(content), trial_of(kModalities), network, settings, folder_).metrics;
  EXPECT_EQ(metrics.at("zero_shot.accuracy"), 1);
  EXPECT_EQ(metrics.at("zero_shot.chance"), 0.5);
  EXPECT_FALSE(metrics.contains("zero_shot.bayes"));
}

TEST_F(ZeroShotFiles, AreRefusedWithTheirRemedy) {
  write(kTwoKinds);
  const auto refusal = [&](const Json& settings, const Json& corpus) {
    return [=, this] { prepared(settings, corpus); };
  };
  const auto invalid = [](const char* what) {
    return ThrowsMessage<std::invalid_argument>(HasSubstr(what));
  };
  EXPECT_THAT(refusal({}, {{"kind", "text"}}), invalid("give corpus.picture"));
  EXPECT_THAT(refusal({{"wording", "a dog"}}, pictured()), invalid("with {}"));
  EXPECT_THAT(refusal({}, {{"kind", "language"}, {"names", 1}, {"picture", Json::object()}}),
              invalid("set corpus.names to 2 or more"));
  write("{\"codes\": [1], \"label\": \"dog\"}\n");
  EXPECT_THAT(refusal({}, pictured()), invalid("has 1 classes"));
  write(kTwoKinds + "{\"codes\": [8], \"label\": \"dog\"}\n");
  EXPECT_THAT(refusal({}, pictured()), ThrowsMessage<std::runtime_error>(
                                           HasSubstr("test.jsonl:4: 'codes' has the patch 8")));
  write(kTwoKinds + "{\"codes\": [7]}\n");
  EXPECT_THAT(refusal({}, pictured()),
              ThrowsMessage<std::runtime_error>(HasSubstr("test.jsonl:4")));
}

}  // namespace
}  // namespace ablate::probes
