// Writing outputs: an exact copier is found to be one, each lane learns by itself, and files are read
// as they are documented.

#include <ATen/ops/equal.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "harness/probes/seq2seq/pair_files_spec.h"
#include "harness/probes/seq2seq/pair_format.h"
#include "harness/probes/seq2seq/pair_prompt.h"
#include "harness/probes/seq2seq/pairs.h"
#include "harness/probes/seq2seq/sequence_bank.h"
#include "harness/probes/specs.h"
#include "models/registry.h"
#include "models/specs/encoder_decoder_spec.h"
#include "models/specs/transformer_spec.h"
#include "tests/harness/probes/byte_tokenizer.h"
#include "tests/harness/probes/fixture.h"
#include "tests/paths.h"

namespace ablate::probes {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Needs kTold{.attention = Attention::bidirectional, .alignment = Alignment::in_place};
const Vocabulary kEight{.ordinary = 8};

TuningLane lane(double rate, std::uint64_t seed) { return {rate, seed}; }

SequenceSettings sequence_settings(std::vector<TuningLane> lanes, const Needs& needs = {}) {
  return {
      .lanes = std::move(lanes), .epochs = 4, .batch = 16, .needs = needs, .vocabulary = kEight};
}

std::vector<TokenPair> reversed_pairs(std::size_t count, std::uint64_t seed) {
  std::vector<TokenPair> pairs(count);
  Rng rng(seed);
  for (TokenPair& pair : pairs) {
    for (std::int64_t left = 1 + rng.below(3); left > 0; --left)
      pair.input.push_back(16 + static_cast<Token>(rng.below(8)));
    pair.outputs = {{pair.input.rbegin(), pair.input.rend()}};
  }
  return pairs;
}

/// A network that reverses what stands between a begin token and a separator.
class Reverser : public Oracle {
 public:
  Reverser() : Oracle(rule), one_{{"none", at::zeros({1, 1}).requires_grad_(true), 0}} {}

  std::vector<train::Parameter>& parameters() override { return one_; }

  at::Tensor losses(const at::Tensor& hidden,
                    const std::vector<train::LaneTargets>& targets) override {
    const at::Tensor logs = logits(hidden, 0, targets[0].positions).log_softmax(-1);
    return at::stack({logs.gather(1, targets[0].targets.unsqueeze(1)).sum().neg()});
  }

 private:
  static std::vector<double> rule(const Seen& seen) {
    std::vector<double> logits(24, 0.0);
    const auto separator = static_cast<std::size_t>(
        std::find(seen.row.begin(), seen.row.end(), Token{separator_token}) - seen.row.begin());
    // In place a mask predicts itself; left to right, what precedes a token predicts it.
    const bool masked = seen.row[seen.place] == mask_token;
    const std::size_t number = seen.place - separator - (masked ? 1 : 0);
    const bool ends = number + 1 == separator;  // the input has that many tokens
    logits[ends ? std::size_t{end_token}
                : static_cast<std::size_t>(seen.row[separator - 1 - number])] = 50;
    return logits;
  }

  std::vector<train::Parameter> one_;
};

TEST(SequenceBank, FindsThatAnExactReverserIsExact) {
  const std::vector<TokenPair> pairs = reversed_pairs(100, 1);
  for (const Needs& needs : {Needs{}, kTold}) {
    const SequenceBank bank(std::make_unique<Reverser>(), sequence_settings({lane(0, 1)}, needs));
    const auto outputs = bank.written(pairs, 10);
    ASSERT_EQ(outputs.size(), 1u);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      EXPECT_EQ(outputs[0][i], pairs[i].outputs[0]) << i;
    EXPECT_NEAR(bank.losses(pairs)[0], 0, 1e-6);
  }
}

TEST(SequenceBank, StopsAtTheLongestOutput) {
  const SequenceBank bank(std::make_unique<Reverser>(), sequence_settings({lane(0, 1)}));
  const std::vector<TokenPair> pairs = {{.input = {16, 17, 18}, .outputs = {{18, 17, 16}}}};
  EXPECT_THAT(bank.written(pairs, 2)[0][0], ElementsAre(18, 17));
}

/// A small network with the same weights in every lane. `stacks`: 1, or 2 with an encoder.
std::unique_ptr<train::Network> small_bank(std::int64_t lanes, int stacks = 1,
                                           const Vocabulary& vocabulary = kEight) {
  const bool one = stacks == 1;
  train::NetworkSettings settings;
  settings.model =
      Params(one ? models::transformer_spec().params : models::encoder_decoder_spec().params,
             {{"depth", 1}, {"width", 32}, {"heads", 2}, {"context", 24}});
  settings.hosting.vocabulary = vocabulary;
  settings.hosting.needs.separate_inputs = !one;
  settings.hosting.shape = {24, one ? 0 : 24};
  settings.lanes = lanes;
  auto network = models::build_network(one ? "transformer" : "encoder_decoder", settings);
  train::initialise(*network, std::vector<std::uint64_t>(static_cast<std::size_t>(lanes), 7));
  return network;
}

SequenceBank tuned_on(const std::vector<TokenPair>& pairs, const SequenceSettings& settings,
                      int stacks = 1) {
  SequenceBank bank(small_bank(std::ssize(settings.lanes), stacks), settings);
  bank.fine_tune(pairs, [](double) {});
  return bank;
}

TEST(SequenceBank, AtRateZeroLeavesTheWeightsBitForBit) {
  SequenceBank bank =
      tuned_on(reversed_pairs(32, 1), sequence_settings({lane(0, 1), lane(1e-2, 1)}));
  const auto before = small_bank(2);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < before->parameters().size(); ++i) {
    const at::Tensor &was = before->parameters()[i].value, &is = bank.parameters()[i].value;
    EXPECT_TRUE(at::equal(was[0], is[0])) << before->parameters()[i].name;
    changed += !at::equal(was[1], is[1]);
  }
  EXPECT_GT(changed, 0u);
}

TEST(SequenceBank, GivesALaneTheSameWeightsAloneAsBesideOthers) {
  const std::vector<TokenPair> pairs = reversed_pairs(40, 3);
  for (const Needs& needs : {Needs{}, kTold}) {
    SequenceBank alone = tuned_on(pairs, sequence_settings({lane(3e-3, 5)}, needs));
    SequenceBank beside =
        tuned_on(pairs, sequence_settings({lane(1e-2, 9), lane(3e-3, 5), lane(1e-4, 2)}, needs));
    for (std::size_t i = 0; i < alone.parameters().size(); ++i)
      EXPECT_TRUE(at::equal(alone.parameters()[i].value[0], beside.parameters()[i].value[1]))
          << alone.parameters()[i].name;
    const SequenceBank part = beside.part(1, small_bank(1));
    EXPECT_EQ(part.written(pairs, 4)[0], alone.written(pairs, 4)[0]);
    EXPECT_EQ(part.losses(pairs)[0], alone.losses(pairs)[0]);
  }
}

// In every form that a backbone can have, the loss of pairs that were not seen falls below what is
// known without the input, ln 8 = 2.08 nats for each token.
TEST(SequenceBank, LearnsFromTheInputInEveryForm) {
  const std::vector<TokenPair> training = reversed_pairs(256, 1), test = reversed_pairs(64, 2);
  Needs prefix{.attention = Attention::bidirectional}, apart = prefix;
  apart.separate_inputs = true;
  const std::vector<std::pair<Needs, int>> forms = {
      {Needs{}, 1}, {prefix, 1}, {apart, 2}, {kTold, 1}};
  for (const auto& [needs, stacks] : forms) {
    SequenceSettings settings = sequence_settings({lane(1e-2, 1)}, needs);
    settings.epochs = 20;
    EXPECT_LT(tuned_on(training, settings, stacks).losses(test)[0], 1.7)
        << static_cast<int>(needs.alignment) << stacks << static_cast<int>(needs.attention);
  }
}

// What is stored was fine-tuned by this recipe: order of pairs, schedule, optimizer.
TEST(SequenceBank, IsTunedByTheRecipeThatResultsAreStoredOf) {
  const std::vector<TokenPair> pairs = reversed_pairs(40, 3);
  const SequenceBank bank = tuned_on(pairs, sequence_settings({lane(3e-3, 5)}));
  EXPECT_NEAR(bank.losses(pairs)[0], 2.614756, 1e-4);
}

TEST(SequenceBank, RefusesABankOfAnotherSize) {
  EXPECT_THROW(SequenceBank(small_bank(2), sequence_settings({lane(0, 1)})), std::invalid_argument);
  const SequenceBank bank(small_bank(1), sequence_settings({lane(0, 1)}));
  EXPECT_THROW(bank.part(0, small_bank(2)), std::invalid_argument);
}

const Json kSmallTask = {{"type", "seq2seq"},    {"tokens", 4},
                         {"training_pairs", 64}, {"development_pairs", 16},
                         {"test_pairs", 16},     {"learning_rates", {1e-2, 0}},
                         {"seeds", 2},           {"epochs", 3}};

Measurement measured_with(const data::Corpus& corpus, const data::Language* language,
                          const Vocabulary& vocabulary, const std::string& objective,
                          const Json& probe, const std::filesystem::path& cache = {}) {
  plan::Trial trial = trial_of({{"type", objective}});
  trial.shape = {24, 0};
  const auto build = [&](std::int64_t lanes) { return small_bank(lanes, 1, vocabulary); };
  const auto network = build(1);
  const plan::ResolvedModel model = any_model(vocabulary);
  const plan::ResolvedPhase phase = phase_of(trial, model);
  const Subject subject{.seed = trial.seed,
                        .model = model,
                        .phase = phase,
                        .corpus = corpus,
                        .language = language,
                        .network = *network,
                        .untrained = [&] { return build(1); },
                        .cache = cache,
                        .bank = build};
  const Measurement measurement = measure(subject, probe_of(probe), {});
  const auto fresh = build(1);
  for (std::size_t i = 0; i < fresh->parameters().size(); ++i)
    EXPECT_TRUE(at::equal(fresh->parameters()[i].value, network->parameters()[i].value))
        << "the trained model has changed";
  return measurement;
}

TEST(Seq2Seq, OfUntrainedWeightsIsItsOwnFloorAndChoosesTheRateThatLearns) {
  const SmallWorld world;
  for (const char* objective : {"causal_lm", "prefix_lm", "masked_lm", "span_corruption"}) {
    const Measurement m =
        measured_with(world.corpus, &world.language, world.vocabulary(), objective, kSmallTask);
    EXPECT_EQ(m.metrics.at("seq2seq.exact_match"), m.metrics.at("seq2seq.untrained_exact_match"));
    EXPECT_EQ(m.metrics.at("seq2seq.loss"), m.metrics.at("seq2seq.untrained_loss"));
    EXPECT_EQ(m.details.at("fine_tuned").at("learning_rate"), 1e-2) << objective;
    EXPECT_LT(m.metrics.at("seq2seq.loss"), m.metrics.at("seq2seq.prompted_loss")) << objective;
    EXPECT_EQ(m.metrics.at("seq2seq.optimum"), 0);
    EXPECT_EQ(m.items.at("seq2seq.exact_match").size(), 16u);
    EXPECT_EQ(m.items.at("seq2seq.f1").size(), 16u);
    EXPECT_EQ(m.details.at("told_length"), objective == std::string("masked_lm"));
    EXPECT_EQ(m.samples.size(), 8u);
  }
}

TEST(Seq2Seq, OfATaskHasItsOptimumUnderItsOwnName) {
  const SmallWorld world;
  Json probe = kSmallTask;
  probe.update({{"task", "paraphrase"}, {"name", "paraphrase"}});
  const Measurement m =
      measured_with(world.corpus, &world.language, world.vocabulary(), "causal_lm", probe);
  EXPECT_GT(m.metrics.at("paraphrase.optimum"), 0);
  EXPECT_GT(m.metrics.at("paraphrase.loss"), m.metrics.at("paraphrase.optimum"));
}

class PairFiles : public ::testing::Test {
 protected:
  PairFiles() : folder_(scratch_folder("pairs")) {}
  ~PairFiles() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  Json prepared(const Json& settings) const {
    const ProbeSpec& spec = Catalog{.probes = probe_specs()}.probe("seq2seq");
    Json probe =
        spec.prepare(Params(spec.params, settings),
                     {.folder_of = [this](const std::string&) { return folder_; },
                      .cache = folder_ / "cache",
                      .tokenizer = [] { return std::make_shared<const ByteTokenizer>(); }});
    probe["type"] = "seq2seq";
    return probe;
  }

  void expect_refused(const std::string& text, const std::string& reason) const {
    try {
      read_pair_lines(file("a.jsonl", text), "input", "output");
      ADD_FAILURE() << text;
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), HasSubstr(reason));
    }
  }

  std::filesystem::path folder_;
};

TEST_F(PairFiles, HoldOneOutputOrSeveral) {
  const auto lines = read_pair_lines(
      file("a.jsonl", "{\"q\": \"x\", \"a\": \"y\"}\n\n{\"q\": \"x\", \"a\": [\"y\", \"z\"]}\n"),
      "q", "a");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0].outputs, ElementsAre("y"));
  EXPECT_THAT(lines[1].outputs, ElementsAre("y", "z"));
}

TEST_F(PairFiles, AreRefusedWithFileLineAndReason) {
  expect_refused("\n", "contains no pairs");
  expect_refused("{\"input\": \"x\"}", "a.jsonl:1: has no 'output'");
  expect_refused("{\"input\": \"x\", \"output\": []}", "a.jsonl:1: 'output' is an empty list");
  expect_refused("{\"input\": \"x\", \"output\": [1]}",
                 "a.jsonl:1: an entry of 'output' is not a string");
  expect_refused("{\"input\": \" \", \"output\": \"y\"}", "a.jsonl:1: 'input' is blank");
  expect_refused("{\"input\": \"x\", \"output\": [\"y\", \"\"]}",
                 "a.jsonl:1: 'output' has a blank output");
}

TEST_F(PairFiles, AreMeasuredByContentAndLeaveOutWhatDoesNotFit) {
  const std::string pair = "{\"input\": \"ab\", \"output\": [\"ba\", \"x\"]}\n";
  file("train.jsonl", pair + pair + pair + pair);
  file("test.jsonl", pair + "{\"input\": \"" + std::string(30, 'l') + "\", \"output\": \"y\"}\n");
  Json probe = prepared({{"train", "train.jsonl"},
                         {"test", "test.jsonl"},
                         {"training_pairs", 3},
                         {"development_pairs", 1},
                         {"learning_rates", {1e-2}},
                         {"epochs", 30}});
  EXPECT_FALSE(probe.contains("train"));
  const Measurement m = measured_with(byte_corpus(), nullptr, {.ordinary = 256}, "causal_lm", probe,
                                      folder_ / "cache");
  EXPECT_EQ(m.details.at("pairs").at("too_long"), 1);
  EXPECT_EQ(m.details.at("pairs").at("training"), 3);
  EXPECT_EQ(m.metrics.at("seq2seq.exact_match"), 1);  // the test pair is one that was trained on
  EXPECT_NEAR(m.metrics.at("seq2seq.chrf"), 100, 1e-9);
  EXPECT_EQ(m.samples.at(0).at("text"), "ba");
  EXPECT_FALSE(m.metrics.contains("seq2seq.optimum"));
}

// What is written is right in capitals and with other white space, in every script.
TEST_F(PairFiles, AreWrittenRightInOtherCapitalsAndWhiteSpace) {
  const auto measured = [&](const std::string& learned, const std::string& asked) {
    const std::string line = "{\"input\": \"ab\", \"output\": \"" + learned + "\"}\n";
    file("train.jsonl", line + line + line + line);
    file("test.jsonl", "{\"input\": \"ab\", \"output\": \"" + asked + "\"}\n");
    const Json probe = prepared({{"train", "train.jsonl"},
                                 {"test", "test.jsonl"},
                                 {"training_pairs", 3},
                                 {"development_pairs", 1},
                                 {"learning_rates", {1e-2}},
                                 {"epochs", 60}});
    return measured_with(byte_corpus(), nullptr, {.ordinary = 256}, "causal_lm", probe,
                         folder_ / "cache");
  };
  const Measurement capitals = measured("ЖУК", "жук");
  EXPECT_EQ(capitals.metrics.at("seq2seq.exact_match"), 1);
  EXPECT_EQ(capitals.metrics.at("seq2seq.f1"), 1);
  const Measurement space = measured("ab\u00A0c", "ab c");
  EXPECT_EQ(space.metrics.at("seq2seq.exact_match"), 1);
  EXPECT_NEAR(space.metrics.at("seq2seq.chrf"), 100, 1e-9);
}

TEST_F(PairFiles, AreCountedWhereInputsWereTrainedOn) {
  const std::filesystem::path cases = project_root() / "tests/cases";
  std::vector<std::string> warnings;
  const ProbeSpec& spec = Catalog{.probes = probe_specs()}.probe("seq2seq");
  spec.prepare(Params(spec.params, {{"train", (cases / "s2s_train_cyr.jsonl").string()},
                                    {"test", (cases / "s2s_test_cyr.jsonl").string()},
                                    {"training_pairs", 50},
                                    {"development_pairs", 10},
                                    {"test_pairs", 100}}),
               {.folder_of = [this](const std::string&) { return folder_; },
                .cache = folder_ / "cache",
                .tokenizer = [] { return std::make_shared<const ByteTokenizer>(); },
                .warn = [&](const std::string& what) { warnings.push_back(what); }});
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("there are 60 test pairs of the 100 asked for"),
                                    HasSubstr("60 of 60 test inputs are also in train")));
}

TEST(PairPrompt, HoldsAsManyDemonstrationsAsFit) {
  const PairPrompt format{.before = {40}, .after = {41}};
  const TokenPair one{.input = {16, 17}, .outputs = {{18}, {19}}},
      two{.input = {20, 21, 22, 23}, .outputs = {{24}}};
  const std::vector<const TokenPair*> pairs = {&one, &two};
  const std::vector<Token> asked = {30, 31};
  const auto made = [&](std::size_t room) { return pair_prompt(format, pairs, asked, room); };
  EXPECT_THAT(made(4).prompt, ElementsAre(begin_token, 30, 31, 40));
  EXPECT_EQ(made(4).shown, 0u);
  EXPECT_THAT(made(9).prompt, ElementsAre(begin_token, 16, 17, 40, 18, 41, 30, 31, 40));
  EXPECT_EQ(made(9).shown, 1u);
  EXPECT_THAT(made(16).prompt,
              ElementsAre(begin_token, 16, 17, 40, 18, 41, 20, 21, 22, 23, 40, 24, 41, 30, 31, 40));
  EXPECT_EQ(made(16).shown, 2u);
  EXPECT_THAT(made(3).prompt, ElementsAre(begin_token, 31, 40)) << "cut on the left";
  EXPECT_EQ(after_shots(0), "");
  EXPECT_EQ(after_shots(4), "_4");
}

TEST_F(PairFiles, AreAskedAboutAfterDemonstrationsToo) {
  const std::string pair = "{\"input\": \"ab\", \"output\": \"ba\"}\n";
  file("train.jsonl", pair + pair + pair + pair);
  file("test.jsonl", pair);
  const Json probe = prepared({{"train", "train.jsonl"},
                               {"test", "test.jsonl"},
                               {"training_pairs", 3},
                               {"development_pairs", 1},
                               {"learning_rates", {1e-2}},
                               {"epochs", 1},
                               {"shots", {3, 0, 1}},
                               {"before_output", "="},
                               {"after_output", ";"}});
  const Measurement m = measured_with(byte_corpus(), nullptr, {.ordinary = 256}, "causal_lm", probe,
                                      folder_ / "cache");
  for (const char* name : {"prompted_loss", "prompted_loss_1", "prompted_f1_3"})
    EXPECT_TRUE(m.metrics.contains(std::string("seq2seq.") + name)) << name;
  EXPECT_NE(m.metrics.at("seq2seq.prompted_loss"), m.metrics.at("seq2seq.prompted_loss_1"));
  // 24 tokens less 4 of marks: six for the question with its output, six for each demonstration.
  EXPECT_EQ(m.details.at("shown"), Json({{"0", 0.0}, {"1", 1.0}, {"3", 2.0}}));
}

TEST_F(PairFiles, MayBeAsLongAsThePromptWhichIsCutToFit) {
  std::string pairs;  // of 18 tokens, which fit with 6 of marks
  for (const char* input : {"abcdefghi", "bcdefghij", "cdefghijk", "defghijkl"})
    pairs += Json({{"input", input}, {"output", "123456789"}}).dump() + "\n";
  file("train.jsonl", pairs);
  file("test.jsonl", pairs);
  Json settings = {{"train", "train.jsonl"},  {"test", "test.jsonl"}, {"training_pairs", 3},
                   {"development_pairs", 1},  {"epochs", 1},          {"shots", {0, 2}},
                   {"learning_rates", {1e-2}}};
  const auto measured_at = [&](std::int64_t longest) {
    settings["longest"] = longest;
    return measured_with(byte_corpus(), nullptr, {.ordinary = 256, .sentinels = 24},
                         "span_corruption", prepared(settings), folder_ / "cache");
  };
  const Measurement given = measured_at(24), whole = measured_at(0);
  EXPECT_EQ(given.details.at("pairs").at("too_long"), 0) << "whatever stands before an output";
  EXPECT_EQ(given.metrics, whole.metrics) << "0 is the context";
  settings["shots"] = {4};
  EXPECT_THROW(measured_at(24), std::invalid_argument) << "there are 3 training pairs";
}

TEST_F(PairFiles, AreComparedAndShownAsTheTextItself) {
  const std::string pair = "{\"input\": \"ab\", \"output\": \"x\\n\u00e9\\n\"}\n";
  file("train.jsonl", pair + pair + pair + pair);
  file("test.jsonl", pair);
  const Json probe = prepared({{"train", "train.jsonl"},
                               {"test", "test.jsonl"},
                               {"training_pairs", 3},
                               {"development_pairs", 1},
                               {"learning_rates", {1e-2}},
                               {"epochs", 1}});
  const Measurement m = measured_with(byte_corpus(), nullptr, {.ordinary = 256}, "causal_lm", probe,
                                      folder_ / "cache");
  EXPECT_EQ(m.samples.at(0).at("about").at("reference"), "x\n\u00e9\n");
  EXPECT_EQ(m.samples.at(0).at("about").at("prompt"), "ab");
}

std::string refused_by(const Json& settings, bool language, std::int64_t context,
                       std::int64_t fewest) {
  const ProbeSpec& spec = Catalog{.probes = probe_specs()}.probe("seq2seq");
  const ObjectiveSpec& objective = objective_named("causal_lm");
  const Params params(objective.params, Json::object());
  return spec.refusal(Params(spec.params, settings),
                      {objective, params, {}, {}, language, context, fewest});
}

TEST(Seq2SeqSpec, SaysWhatItCannotMeasure) {
  EXPECT_EQ(refused_by(Json::object(), true, 64, 64), "");
  const Json files = {{"train", "a"}, {"test", "b"}};
  EXPECT_EQ(refused_by(files, false, 64, 64), "");
  EXPECT_THAT(refused_by(files, true, 64, 64), HasSubstr("the built-in language has tasks"));
  EXPECT_THAT(refused_by({{"task", "copy"}}, false, 64, 64), HasSubstr("leave 'task' out"));
  EXPECT_THAT(refused_by(Json::object(), false, 64, 64), HasSubstr("give 'train' and 'test'"));
  EXPECT_THAT(refused_by({{"learning_rates", Json::array()}}, true, 64, 64),
              HasSubstr("learning_rates is empty"));
  EXPECT_THAT(refused_by({{"shots", Json::array()}}, true, 64, 64), HasSubstr("shots is empty"));
  EXPECT_THAT(refused_by({{"shots", {0, 4}}}, true, 64, 64), HasSubstr("leave 'shots' out"));
  EXPECT_THAT(refused_by({{"tokens", 30}}, true, 64, 64), HasSubstr("give tokens of at most 29"));
  EXPECT_THAT(refused_by(files, false, 64, 32), HasSubstr("probes.seq2seq.longest=32"));
  EXPECT_THAT(refused_by({{"longest", 65}}, true, 64, 64), HasSubstr("longest = 65"));
}

}  // namespace
}  // namespace ablate::probes
