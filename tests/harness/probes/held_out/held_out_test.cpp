// Properties of the held-out probe: the exact predictor reaches the optimum, a leak shows, a
// uniform model has a loss of ln V.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "harness/data/batches/batches.h"
#include "harness/plan/rows/train_params.h"
#include "harness/probes/held_out/held_out.h"
#include "harness/probes/held_out/minimiser.h"
#include "harness/probes/measuring.h"
#include "harness/probes/tally.h"
#include "harness/statistics/one_sample/summary.h"
#include "objectives/registry.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;
using ::testing::ElementsAre;

const Json kHeldOutProbe = {{"type", "held_out"}, {"texts", 60}};

Json with_type(const ObjectiveSpec& spec, Json params = Json::object()) {
  params["type"] = spec.name;
  return params;
}

Params params_of(const ObjectiveSpec& spec, Json given) {
  given.erase("type");
  return Params(spec.params, given);
}

double excess_of_exact(const SmallWorld& world, const ObjectiveSpec& spec, const Json& objective,
                       const std::string& packing) {
  Oracle exact(world.language.chain(),
               exact_rule(world.language.chain(), spec, params_of(spec, objective)));
  const Measurement m = measured(world, trial_of(objective, packing), exact, kHeldOutProbe);
  EXPECT_GT(m.metrics.at("held_out.context_free"), m.metrics.at("held_out.optimum"));
  for (const auto& [name, value] : m.metrics)
    if (name.starts_with("held_out.excess_ahead")) {
      EXPECT_NEAR(value, 0, 1e-6) << name << ", " << packing;
    }
  if (spec.name == "discounted_futures") {
    EXPECT_NEAR(m.metrics.at("held_out.discounted_excess"), 0, 1e-6) << packing;
  }
  return m.metrics.at("held_out.excess");
}

/// The settings at which an objective is replayed: its defaults, where they have an exact optimum.
Json replayed(const ObjectiveSpec& spec) {
  Json params = Json::object();
  if (spec.name == "fill_in_the_middle") params["rate"] = 0;  // moved text: brute force alone
  return params;
}

// The replay test: layout, visibility, weights and loss, without any training.
TEST(HeldOut, ScoresTheExactPredictorOfEveryObjectiveAtItsOptimum) {
  const SmallWorld world;
  std::size_t count = 0;
  for (const ObjectiveSpec& spec : objectives::objective_specs()) {
    const Params params(spec.params, replayed(spec));
    if (spec.optimum_kind(params) != OptimumKind::exact) continue;
    if (spec.name == "contrastive") continue;  // in the next test
    for (const char* packing : {"isolated", "padded"})
      EXPECT_NEAR(excess_of_exact(world, spec, with_type(spec, replayed(spec)), packing), 0, 1e-6)
          << spec.name << ", " << packing;
    ++count;
  }
  EXPECT_GE(count, 5u);
}

TEST(HeldOut, ScoresTheExactPredictorOfMaskedTokensThatAreReadOutBeforeTheirPlace) {
  const SmallWorld world;
  const ObjectiveSpec& spec = objective_named("masked_lm");
  for (const double rate : {0.15, 0.5})
    for (const char* packing : {"isolated", "padded"})
      EXPECT_NEAR(excess_of_exact(world, spec,
                                  with_type(spec, {{"readout", "next"}, {"rate", rate}}), packing),
                  0, 1e-6);
}

TEST(HeldOut, ScoresTheExactPredictorOfAllTokensOfWhichSomeWereReplaced) {
  const SmallWorld world;
  const ObjectiveSpec& spec = objective_named("replaced_token_prediction");
  const Json all = with_type(spec, {{"rate", 0.3}, {"predict", "all"}});
  for (const char* packing : {"isolated", "padded"})
    EXPECT_NEAR(excess_of_exact(world, spec, all, packing), 0, 1e-6) << packing;
}

TEST(HeldOut, ScoresEachMemberOfAMixtureAloneWhateverItsShare) {
  const SmallWorld world;
  const ObjectiveSpec& spec = objective_named("mixture");
  const Json objective = with_type(spec, {{"shares", {1, 0}}});
  Oracle exact(world.language.chain(),
               exact_rule(world.language.chain(), spec, params_of(spec, objective)));
  const Measurement m = measured(world, trial_of(objective, "isolated"), exact, kHeldOutProbe);
  for (const char* name : {"held_out.excess_causal_lm", "held_out.excess_masked_lm"})
    EXPECT_NEAR(m.metrics.at(name), 0, 1e-6) << name;
  EXPECT_EQ(m.metrics.at("held_out.loss"), m.metrics.at("held_out.loss_causal_lm"));
  EXPECT_NE(m.metrics.at("held_out.loss_masked_lm"), m.metrics.at("held_out.loss_causal_lm"));
}

TEST(HeldOut, ScoresTheExactPredictorOfPairsAtItsOptimumAmongThoseOfATrainingStep) {
  const SmallWorld world;
  for (const char* packing : {"isolated", "padded"})
    for (const std::int64_t rows : {4, 7}) {
      plan::Trial trial = trial_of({{"type", "contrastive"}, {"segment", 3}}, packing);
      trial.config["train"]["batch"] = rows;
      Oracle exact(uniform_rule(world.vocabulary()));
      exact.compare_by(exact_comparison(world.language.chain()));
      const Measurement m = measured(world, trial, exact, kHeldOutProbe);
      EXPECT_NEAR(m.metrics.at("held_out.excess"), 0, 1e-6);
      EXPECT_LT(m.metrics.at("held_out.optimum"), m.metrics.at("held_out.context_free"));
      EXPECT_LT(m.metrics.at("held_out.context_free"), std::log(3 * rows));
      EXPECT_NEAR(m.metrics.at("held_out.untrained_loss"), m.metrics.at("held_out.context_free"),
                  0.3);
      EXPECT_EQ(m.details.at("texts").get<std::int64_t>() % rows, 0) << "a step of fewer rows";
    }
}

TEST(HeldOut, ScoresAGeneratorAtItsOptimumAndWhatDetectsItsSamplesWithoutAFloor) {
  const SmallWorld world;
  const ObjectiveSpec& masked = objective_named("masked_lm");
  const Oracle::Rule exact =
      exact_rule(world.language.chain(), masked,
                 Params(masked.params, {{"mask_share", 1}, {"random_share", 0}}));
  const auto ids = static_cast<std::size_t>(world.vocabulary().size());
  Oracle oracle(world.language.chain(), [&](const Seen& seen) {
    return seen.head == 1 ? exact(seen) : std::vector<double>(ids, 0.0);
  });
  const Json learned = {{"type", "replaced_token_detection"}, {"generator", "learned"}};
  const Measurement m = measured(world, trial_of(learned), oracle, kHeldOutProbe);
  EXPECT_NEAR(m.metrics.at("held_out.excess_generator"), 0, 1e-6);
  EXPECT_GT(m.metrics.at("held_out.optimum_generator"), 0.1);
  EXPECT_TRUE(m.metrics.contains("held_out.loss"));
  for (const char* const name : {"held_out.context_free", "held_out.optimum", "held_out.excess"})
    EXPECT_FALSE(m.metrics.contains(name)) << name;
  EXPECT_THAT(m.details.at("absent").at("held_out.context_free").get<std::string>(),
              ::testing::HasSubstr("own generator"));
}

TEST(HeldOut, ReadsTextWithoutMasksAndBesideThatAsInTraining) {
  const SmallWorld world;
  const ObjectiveSpec& spec = objective_named("causal_lm");
  const Json masked = {{"type", "causal_lm"}, {"input_mask", 0.4}};
  Oracle plain(world.language.chain(),
               exact_rule(world.language.chain(), spec, params_of(spec, Json::object())));
  Oracle same = plain;
  const Measurement clean =
      measured(world, trial_of({{"type", "causal_lm"}}), plain, kHeldOutProbe);
  const Measurement m = measured(world, trial_of(masked), same, kHeldOutProbe);
  EXPECT_EQ(m.metrics.at("held_out.loss"), clean.metrics.at("held_out.loss"));
  EXPECT_EQ(m.metrics.at("held_out.optimum"), clean.metrics.at("held_out.optimum"));
  EXPECT_GT(m.metrics.at("held_out.optimum_as_trained"), m.metrics.at("held_out.optimum") + 0.05);
  EXPECT_EQ(m.metrics.at("held_out.context_free_as_trained"),
            m.metrics.at("held_out.context_free"));
  EXPECT_FALSE(clean.metrics.contains("held_out.loss_as_trained"));
}

TEST(HeldOut, ReplaysTheExactPredictorOfMaskedInputs) {
  const SmallWorld world;
  const Chain& chain = world.language.chain();
  // Filtering, with masks as no evidence: log P(token | what is read before it).
  Oracle exact(chain, [&chain](const Seen& seen) {
    const bool starts = seen.visible[0] == begin_token;
    const auto tokens = seen.visible.subspan(starts);
    const auto size = static_cast<std::size_t>(chain.composite_states());
    Evidence evidence = emission_likelihood(chain, tokens);
    for (std::size_t t = 0; t < tokens.size(); ++t)
      if (tokens[t] == mask_token)
        std::fill_n(evidence.begin() + static_cast<std::ptrdiff_t>(t * size), size, 1.0);
    evidence.resize(evidence.size() + size, 1.0);
    const auto all =
        predicted(chain, static_cast<std::int64_t>(tokens.size()) + 1, evidence, starts);
    const std::span<const double> states(all.data() + tokens.size() * size, size);
    std::vector<double> logits(static_cast<std::size_t>(special_count + chain.ordinary), -700.0);
    const auto log_of = [&](Token token) {
      const Evidence there = emission_likelihood(chain, {&token, 1});
      double sum = 0;
      for (std::size_t z = 0; z < size; ++z) sum += states[z] * there[z];
      return std::log(std::max(sum, 1e-300));
    };
    logits[end_token] = log_of(end_token);
    for (Token v = special_count; v < special_count + chain.ordinary; ++v)
      logits[static_cast<std::size_t>(v)] = log_of(v);
    return logits;
  });
  for (const Json& objective :
       {Json{{"type", "causal_lm"}, {"input_mask", 0.4}},
        Json{{"type", "causal_lm"}, {"input_mask", 0.9}, {"input_mask_rate", "uniform"}}}) {
    const Measurement m = measured(world, trial_of(objective), exact, kHeldOutProbe);
    EXPECT_NEAR(m.metrics.at("held_out.excess"), 0, 1e-6);
    EXPECT_NEAR(m.metrics.at("held_out.excess_as_trained"), 0, 1e-6);
  }
}

// Two texts of 2 and 6 targets that cost 1 and 9 nats: 10 / 8 a target. The first lacks 1.5 of what that
// predicts, the second has as much more.
TEST(Tally, ContributionsAreResidualsByTheMeanWeight) {
  const std::vector<double> totals = {1, 9}, weights = {2, 6};
  EXPECT_THAT(contributions(totals, weights), ElementsAre(1.25 - 1.5 / 4, 1.25 + 1.5 / 4));
  const std::vector<double> alike = {3, 9};
  EXPECT_THAT(contributions(alike, weights), ElementsAre(1.5, 1.5)) << "length is no deviation";
  Tally tally{.texts = {{.loss = {2, 2}, .optimum = 1}, {.loss = {12, 6}, .optimum = 3}}};
  EXPECT_THAT(tally.headline_contributions(), ElementsAre(1.25 - 1.5 / 4, 1.25 + 1.5 / 4));
  const double deviation = statistics::deviation(tally.headline_contributions());
  EXPECT_NEAR(tally.excess_error(), deviation / std::sqrt(2.0), 1e-12);
}

TEST(Tally, TheAreaUnderTheCurveIsHowOftenTheSecondClassHasTheHigherOdds) {
  ClassOdds odds;
  EXPECT_FALSE(odds.area());
  const auto add = [&](Token target, double of_second) {
    odds.add(target, -std::log(target == 1 ? of_second : 1 - of_second));
  };
  add(1, 0.9);
  EXPECT_FALSE(odds.area()) << "of one class alone";
  add(0, 0.2);
  EXPECT_EQ(odds.area(), 1);
  add(0, 0.95);  // above one of them
  add(1, 0.2);   // below one, and equal to the other
  EXPECT_EQ(odds.area(), (1 + 0 + 0.5 + 0) / 4);
  for (int i = 0; i < 9; ++i) add(0, 0.01);  // the rate of the classes does not matter
  EXPECT_NEAR(*odds.area(), (1.5 + 18) / 22, 1e-12);
  odds.add(1, 0);    // certain
  odds.add(0, 800);  // wrong beyond what exp() can tell
  EXPECT_GT(*odds.area(), 0);
}

TEST(HeldOut, StatesTheAreaUnderTheCurveOfHeadsOfTwoClasses) {
  const SmallWorld world;
  const ObjectiveSpec& spec = objective_named("replaced_token_detection");
  const Json objective = with_type(spec, {{"rate", 0.3}});
  Oracle exact(world.language.chain(),
               exact_rule(world.language.chain(), spec, params_of(spec, objective)));
  const double of_exact =
      measured(world, trial_of(objective), exact, kHeldOutProbe).metrics.at("held_out.auc");
  EXPECT_GT(of_exact, 0.8);
  EXPECT_LT(of_exact, 1);
  Oracle uniform(world.language.chain(), [](const Seen&) { return std::vector<double>(2, 0.0); });
  EXPECT_EQ(measured(world, trial_of(objective), uniform, kHeldOutProbe).metrics.at("held_out.auc"),
            0.5);
  Oracle masked(uniform_rule(world.vocabulary()));
  EXPECT_FALSE(measured(world, trial_of({{"type", "masked_lm"}}), masked, kHeldOutProbe)
                   .metrics.contains("held_out.auc"));
}

/// Fills every mask with the same token, and says where that is not the token of the text, as a learned
/// generator does.
class FillsWithOneToken : public Oracle {
 public:
  static constexpr Token kFilling = special_count;
  using Oracle::Oracle;

  train::Filled filled(const train::Inputs& inputs,
                       std::vector<train::HeadTargets> targets) override {
    train::Inputs read = inputs;
    read.tokens = inputs.tokens.clone();
    const train::LaneTargets& masked = targets[1].front();
    train::LaneTargets& labels = targets[0].front();
    labels.targets = labels.targets.clone();
    for (std::int64_t i = 0; i < masked.positions.numel(); ++i) {
      const auto at = masked.positions[i].item<std::int64_t>();
      read.tokens.view({-1})[at] = std::int64_t{kFilling};
      const bool replaced = masked.targets[i].item<Token>() != kFilling;
      labels.targets.masked_fill_(labels.positions.eq(at), replaced ? 1 : 0);
    }
    return {read, std::move(targets)};
  }
};

// The labels of a learned generator's samples are known only once the masks are filled.
TEST(HeldOut, StatesTheAreaUnderTheCurveOfALearnedGeneratorsSamples) {
  const SmallWorld world;
  const Json learned = {
      {"type", "replaced_token_detection"}, {"generator", "learned"}, {"rate", 0.3}};
  const auto found = [&](double doubt) {
    const std::vector<double> of_generator(static_cast<std::size_t>(world.vocabulary().size()),
                                           0.0);
    FillsWithOneToken oracle(world.language.chain(), [=](const Seen& seen) {
      const bool suspect =
          seen.row[seen.place] == mask_token;  // the oracle shows what it read last
      return seen.head == 1 ? of_generator : std::vector<double>{0, suspect ? doubt : -doubt};
    });
    return measured(world, trial_of(learned), oracle, kHeldOutProbe).metrics;
  };
  EXPECT_EQ(found(0).at("held_out.auc"), 0.5);
  const auto doubting = found(3);
  EXPECT_GT(doubting.at("held_out.auc"), 0.8) << "all replaced tokens were masks";
  EXPECT_LT(doubting.at("held_out.auc"), 1) << "some masks were filled with the right one";
  EXPECT_NEAR(found(-3).at("held_out.auc"), 1 - doubting.at("held_out.auc"), 1e-12);
}

TEST(HeldOut, SaysWhichTextsItScored) {
  const SmallWorld world;
  Oracle uniform(world.language.chain(), uniform_rule(world.vocabulary()));
  const auto set_of = [&](const char* packing, std::int64_t context) {
    const plan::Trial trial = trial_of({{"type", "causal_lm"}}, packing, context);
    return measured(world, trial, uniform, kHeldOutProbe).item_sets.at("held_out.excess");
  };
  EXPECT_EQ(set_of("isolated", 24), set_of("isolated", 24));
  EXPECT_NE(set_of("isolated", 24), set_of("padded", 24));
  EXPECT_NE(set_of("isolated", 24), set_of("isolated", 20));
}

TEST(HeldOut, IsTheMeanOfWhatTextsContribute) {
  const SmallWorld world;
  Oracle uniform(world.language.chain(), uniform_rule(world.vocabulary()));
  const Measurement m =
      measured(world, trial_of({{"type", "masked_lm"}, {"rate", .3}}), uniform, kHeldOutProbe);
  for (const char* name : {"held_out.excess", "held_out.excess_at_15"}) {
    EXPECT_EQ(m.items.at(name).size(), 60u);
    EXPECT_NEAR(statistics::mean(m.items.at(name)), m.metrics.at(name), 1e-9) << name;
  }
}

// A bound from below is one: what filtering says of a prefix' continuation lies above it.
TEST(HeldOut, ScoresAGoodPredictorAboveALowerOptimum) {
  const SmallWorld world;
  const ObjectiveSpec& spec = objective_named("prefix_lm");
  for (const char* packing : {"isolated", "padded"}) {
    const double excess = excess_of_exact(world, spec, with_type(spec), packing);
    EXPECT_GE(excess, 0) << packing;
    EXPECT_LT(excess, 0.5) << packing;
  }
}

TEST(HeldOut, ScoresTheExactMaskedPredictorAtItsOptimumUnderEveryMixtureOfHiding) {
  const SmallWorld world;
  const ObjectiveSpec& spec = objective_named("masked_lm");
  for (const Json& params : {Json{{"rate", 0.5}, {"mask_share", 1.0}, {"random_share", 0.0}},
                             Json{{"rate", 0.3}, {"mask_share", 0.0}, {"random_share", 1.0}},
                             Json{{"rate", 0.8}, {"mask_share", 0.4}, {"random_share", 0.2}}})
    EXPECT_NEAR(excess_of_exact(world, spec, with_type(spec, params), "isolated"), 0, 1e-6)
        << params;
}

TEST(HeldOut, StandsBesideTheInitialWeights) {
  const SmallWorld world;
  const ObjectiveSpec& spec = objective_named("causal_lm");
  Oracle exact(world.language.chain(),
               exact_rule(world.language.chain(), spec, params_of(spec, with_type(spec))));
  const auto metrics =
      measured(world, trial_of(with_type(spec), "isolated"), exact, kHeldOutProbe).metrics;
  EXPECT_NEAR(metrics.at("held_out.untrained_loss"), std::log(world.vocabulary().size()), 1e-5)
      << "the fixture's untrained model is uniform";
  EXPECT_LT(metrics.at("held_out.untrained_accuracy"), metrics.at("held_out.accuracy"));
}

TEST(HeldOut, CallsTheExactPredictorFullyLearned) {
  const SmallWorld world;
  const ObjectiveSpec& spec = objective_named("causal_lm");
  const Chain& chain = world.language.chain();
  Oracle exact(chain, exact_rule(chain, spec, Params()));
  const Measurement m = measured(world, trial_of(with_type(spec)), exact, kHeldOutProbe);
  EXPECT_NEAR(m.metrics.at("held_out.share_learned"), 1, 1e-6);
  EXPECT_NEAR(m.metrics.at("held_out.excess_error"), 0, 1e-6);
  EXPECT_EQ(m.details.at("optimum_kind"), "exact");
}

/// The minimiser of a training loss, by the exact predictor of causal LM.
Oracle::Rule minimising_rule(const SmallWorld& world, const TrainingLoss& loss) {
  const ObjectiveSpec& spec = objective_named("causal_lm");
  const Oracle::Rule exact = exact_rule(world.language.chain(), spec, Params());
  const auto size = static_cast<std::int64_t>(world.vocabulary().size());
  return [exact, loss, size, minimiser = Minimiser(loss, size)](const Seen& seen) {
    std::vector<double> distribution = exact(seen), logits;
    double sum = 0;
    for (double& logit : distribution) sum += logit = std::exp(logit);
    for (double& probability : distribution) probability /= sum;
    distribution.resize(static_cast<std::size_t>(size),
                        0.0);  // sentinels: models predict them as well
    for (std::size_t token = 0; token < distribution.size(); ++token) {
      const bool smoothed = loss.label_smoothing > 0;
      logits.push_back(
          distribution[token] > 1e-30 || smoothed ? -minimiser.cost(distribution, token) : -80);
    }
    return logits;
  };
}

TEST(HeldOut, ScoresWhatAShapedLossAsksForAtTheExcessThatItStates) {
  const SmallWorld world;
  for (const Json& loss : {Json{{"label_smoothing", .2}}, Json{{"focal", 2.0}},
                           Json{{"focal", .5}, {"z", .1}}, Json{{"entropy_weight", 1.0}}})
    for (const char* packing : {"isolated", "padded"}) {
      plan::Trial trial = trial_of({{"type", "causal_lm"}}, packing);
      trial.config["train"]["loss"] = loss;
      const TrainingLoss shaped = plan::loss_of(trial.config["train"]);
      Oracle asked_for(world.language.chain(), minimising_rule(world, shaped));
      asked_for.in_double();
      const auto metrics = measured(world, trial, asked_for, kHeldOutProbe).metrics;
      EXPECT_NEAR(metrics.at("held_out.excess"), metrics.at("held_out.minimiser_excess"), 1e-6)
          << loss << ", " << packing;
      if (loss.contains("entropy_weight")) {
        EXPECT_NEAR(metrics.at("held_out.excess"), 0, 1e-6);
      } else {
        EXPECT_GT(std::abs(metrics.at("held_out.excess")), 1e-4) << "the draw may be on its side";
      }
    }
  Oracle exact(world.language.chain(),
               exact_rule(world.language.chain(), objective_named("causal_lm"), Params()));
  EXPECT_FALSE(measured(world, trial_of({{"type", "causal_lm"}}), exact, kHeldOutProbe)
                   .metrics.contains("held_out.minimiser_excess"));
}

// It reads the next token off the row, which causal visibility hides from an honest network.
TEST(HeldOut, ShowsAModelThatSeesItsTargetAsFarBelowTheOptimum) {
  const SmallWorld world;
  const auto size = static_cast<std::size_t>(world.vocabulary().size());
  Oracle leaking(world.language.chain(), [size](const Seen& seen) {
    std::vector<double> logits(size, 0.0);
    if (seen.place + 1 < seen.row.size())
      logits[static_cast<std::size_t>(seen.row[seen.place + 1])] = 4;
    return logits;
  });
  const Measurement m = measured(world, trial_of({{"type", "causal_lm"}}), leaking, kHeldOutProbe);
  EXPECT_LT(m.metrics.at("held_out.excess"), -10 * m.metrics.at("held_out.excess_error"));
  EXPECT_GT(m.metrics.at("held_out.excess_error"), 0);
  EXPECT_EQ(m.metrics.at("held_out.accuracy"), 1);
}

/// Weight of the scored targets over that of all that the loss is a mean over: 1, but of a loss
/// whose weights are 1 in expectation alone.
double scored_share(const SmallWorld& world, const ObjectiveSpec& spec) {
  const plan::ResolvedPhase phase =
      testing::phase_of(trial_of(with_type(spec)), testing::any_model(world.vocabulary()));
  const data::Batches batches(world.corpus.held_out(), phase.objective,
                              {.rows = 32, .context = phase.context, .seed = 1});
  const auto numbers = scored_texts(1, batches.texts(), kHeldOutProbe.at("texts"));
  double weight = 0, unscored = 0;
  for (std::size_t first = 0; first < numbers.size(); first += 32) {  // scored in steps of 32 rows
    const auto chunk =
        std::span(numbers).subspan(first, std::min<std::size_t>(32, numbers.size() - first));
    const data::Scored scored = batches.read(chunk).batch.scored.front();
    weight += scored.weight();
    unscored += scored.unscored;
  }
  return (weight - unscored) / weight;
}

TEST(HeldOut, ChargesAUniformModelTheLogOfTheVocabulary) {
  const SmallWorld world;
  for (const ObjectiveSpec& spec : objectives::objective_specs()) {
    if (!spec.predicts_tokens()) continue;
    Oracle uniform(world.language.chain(), uniform_rule(world.vocabulary()));
    const Measurement m = measured(world, trial_of(with_type(spec)), uniform, kHeldOutProbe);
    EXPECT_NEAR(m.metrics.at("held_out.loss"),
                std::log(world.vocabulary().size()) * scored_share(world, spec), 1e-6)
        << spec.name;
    if (m.metrics.contains("held_out.share_learned")) {
      EXPECT_LT(m.metrics.at("held_out.share_learned"), 0) << spec.name;
    }
  }
}

TEST(HeldOut, ScoresArmsOfOneObjectiveOnTheSameExamplesAtItsYardstick) {
  const SmallWorld world;
  const Chain& chain = world.language.chain();
  const ObjectiveSpec& spec = objective_named("masked_lm");
  Oracle one(chain, exact_rule(chain, spec, Params(spec.params, Json{{"rate", 0.15}}))),
      other = one;
  const Json low = {{"type", "masked_lm"}, {"rate", 0.15}},
             high = {{"type", "masked_lm"}, {"rate", 0.8}};
  const Measurement a = measured(world, trial_of(low), one, kHeldOutProbe);
  const Measurement b = measured(world, trial_of(high), other, kHeldOutProbe);
  EXPECT_EQ(a.metrics.at("held_out.loss_at_15"), b.metrics.at("held_out.loss_at_15"));
  EXPECT_EQ(a.metrics.at("held_out.loss"), a.metrics.at("held_out.loss_at_15"));
  EXPECT_NE(b.metrics.at("held_out.loss"), b.metrics.at("held_out.loss_at_15"));
  EXPECT_NEAR(b.metrics.at("held_out.excess_at_15"), 0, 1e-6);
}

TEST(HeldOut, AsksAPairHeadAboutPairsOfEitherKindWhateverItWasTrainedFor) {
  const SmallWorld world;
  const auto measured_with = [&](const Json& settings) {
    Json objective = {{"type", "masked_lm"}, {"format", "pair"}};
    objective.update(settings);
    Oracle network(uniform_rule(world.vocabulary()));
    return measured(world, trial_of(objective), network, kHeldOutProbe).metrics;
  };
  const auto nsp = measured_with({{"pair", "nsp"}}), sop = measured_with({{"pair", "sop"}}),
             other = measured_with({{"pair", "sop"}, {"rate", 0.4}, {"segments", "tokens"}});
  for (const char* what : {"accuracy", "loss", "majority", "optimum", "excess"}) {
    const auto name = [&](const char* of) { return fmt::format("held_out.pair_{}{}", what, of); };
    EXPECT_EQ(nsp.at(name("")), nsp.at(name("_nsp"))) << "its own kind, at the defaults";
    EXPECT_EQ(sop.at(name("")), sop.at(name("_sop")));
    EXPECT_EQ(nsp.at(name("_sop")), sop.at(name("_sop"))) << "the same pairs for the same model";
    EXPECT_EQ(other.at(name("_nsp")), nsp.at(name("_nsp"))) << "whatever the arm's settings are";
  }
  EXPECT_NE(nsp.at("held_out.pair_optimum_nsp"), nsp.at("held_out.pair_optimum_sop"));
  EXPECT_FALSE(nsp.contains("held_out.loss_nsp")) << "of the pair head alone";
  for (const char* unlabelled : {"pair", "plain"})
    EXPECT_FALSE(measured_with({{"format", unlabelled}}).contains("held_out.pair_accuracy_nsp"));
}

/// The optimum depends on the scored examples alone.
double optimum_of(const SmallWorld& world, const Json& objective, std::int64_t seed,
                  std::int64_t texts) {
  Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
  plan::Trial trial = trial_of(objective);
  trial.seed = seed;
  return measured(world, trial, network, {{"type", "held_out"}, {"texts", texts}})
      .metrics.at("held_out.optimum");
}

TEST(HeldOut, DrawsItsTextsAndTheirNoiseBySeed) {
  const SmallWorld world;
  const Json causal = {{"type", "causal_lm"}}, masked = {{"type", "masked_lm"}};
  constexpr std::int64_t kAll = 1'000'000;
  for (const Json& objective : {causal, masked}) {
    EXPECT_EQ(optimum_of(world, objective, 1, 60), optimum_of(world, objective, 1, 60));
    EXPECT_GT(std::abs(optimum_of(world, objective, 1, 60) - optimum_of(world, objective, 7, 60)),
              1e-6)
        << objective << ": other texts";
  }
  EXPECT_GT(std::abs(optimum_of(world, masked, 1, kAll) - optimum_of(world, masked, 7, kAll)), 1e-6)
      << "other masks of the same texts";
  EXPECT_NEAR(optimum_of(world, causal, 1, kAll), optimum_of(world, causal, 7, kAll), 1e-9)
      << "the held-out text is the corpus's, and nothing of it is corrupted";
}

TEST(HeldOut, ScoresEachTextOnceAndThoseOfASmallerNumberFirst) {
  const std::vector<std::int64_t> all = scored_texts(3, 50, 100), some = scored_texts(3, 50, 20);
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), 50u);
  ASSERT_EQ(some.size(), 20u);
  EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin()));
  EXPECT_NE(some, scored_texts(4, 50, 20));
}

TEST(HeldOut, TakesAllTextsWhereFewerAreThereThanAskedFor) {
  const SmallWorld world;
  Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
  const Measurement m = measured(world, trial_of({{"type", "causal_lm"}}), network,
                                 {{"type", "held_out"}, {"texts", 1000000}});
  EXPECT_EQ(m.details.at("texts"), world.corpus.held_out().tokens.size() / 24);
}

/// Six documents "ab bcd c" of pieces of 1, 2 and 3 bytes in each part.
data::Corpus small_text() {
  data::CorpusContent content{
      .pieces = {"c", "ab", "bcd", "x"}, .ordinary = 4, .about = {{"kind", "text"}}};
  for (auto* part : {&content.training, &content.held_out}) {
    for (int i = 0; i < 6; ++i)
      for (const Token token :
           {Token{begin_token}, Token{17}, Token{18}, Token{16}, Token{end_token}})
        part->tokens.push_back(token);
    part->documents = 6;
    part->bytes = 6 * 6;
  }
  return stored(content);
}

TEST(HeldOutOnText, CountsTheBitsOfScoredTokensOverTheirBytes) {
  const data::Corpus corpus = small_text();
  const Vocabulary vocabulary{.ordinary = 4};
  Oracle uniform(uniform_rule(vocabulary));
  const Measurement m = measured_on_text(corpus, trial_of({{"type", "causal_lm"}}, "isolated", 5),
                                         uniform, kHeldOutProbe);
  // Three tokens of 6 bytes in all are scored, and the end token, which stands for none.
  EXPECT_NEAR(m.metrics.at("held_out.bits_per_byte"), 3 * std::log2(20) / 6, 1e-6);
  EXPECT_NEAR(m.metrics.at("held_out.loss"), std::log(20), 1e-6);
  EXPECT_FALSE(m.metrics.contains("held_out.optimum"));
  EXPECT_EQ(m.details.at("optimum_kind"), "none");
  EXPECT_FALSE(m.details.contains("absent")) << "text has no optimum under any objective";
}

TEST(HeldOut, SaysWhyAnArmHasNoExcessWhereItsOptimumIsNotKnown) {
  const SmallWorld world;
  Oracle uniform(world.language.chain(), uniform_rule(world.vocabulary()));
  plan::Trial trial = trial_of({{"type", "denoising"}});
  trial.shape = {48, 48};
  const Measurement m = measured(world, trial, uniform, kHeldOutProbe);
  for (const char* name : {"held_out.optimum", "held_out.excess", "held_out.share_learned"}) {
    EXPECT_FALSE(m.metrics.contains(name)) << name;
    EXPECT_TRUE(m.details.at("absent").contains(name)) << name;
  }
}

TEST(HeldOutOnText, TakesTheFloorFromCountsOfTheTrainingText) {
  const data::Corpus corpus = small_text();
  Oracle uniform(uniform_rule({.ordinary = 4}));
  const Measurement m = measured_on_text(corpus, trial_of({{"type", "causal_lm"}}, "isolated", 5),
                                         uniform, kHeldOutProbe);
  // Each of four ids (the end token one of them) was seen 6 times of 24; one is added to each of
  // five.
  EXPECT_NEAR(m.metrics.at("held_out.context_free"), -std::log(7.0 / 29), 1e-9);
}

}  // namespace
}  // namespace ablate::probes
