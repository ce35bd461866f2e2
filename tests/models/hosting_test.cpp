// Every objective on every backbone of every mixer that can host it: no prediction depends on later tokens, and
// isolated documents do not see each other, bitwise.

#include <ATen/core/grad_mode.h>
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "harness/data/batches/batches.h"
#include "harness/plan/resolve/pair.h"
#include "harness/probes/scoring.h"
#include "harness/train/step/feed.h"
#include "harness/train/step/targets.h"
#include "models/specs/head_specs.h"
#include "models/specs/layer_specs.h"
#include "models/specs/specs.h"
#include "objectives/registry.h"
#include "tests/models/bank.h"

namespace ablate::models {
namespace {

constexpr Token kOrdinary = 40;
constexpr std::int64_t kContext = 32, kRows = 4;

/// Documents of 3 to 17 tokens, including begin and end tokens, in sentences of 4.
struct Corpus {
  Corpus() {
    Rng rng(11);
    while (tokens.size() < 2000) {
      const std::int64_t words = 1 + rng.below(15);
      add(begin_token, special_mark);
      for (std::int64_t i = 0; i < words; ++i)
        add(special_count + static_cast<Token>(rng.below(kOrdinary)),
            static_cast<std::uint8_t>(word_mark | (i % 4 == 0 ? sentence_mark : 0)));
      add(end_token, special_mark);
    }
    part.tokens = tokens;
    part.marks = marks;
  }

  void add(Token token, std::uint8_t mark) {
    tokens.push_back(token);
    marks.push_back(mark);
  }

  std::vector<Token> tokens;
  std::vector<std::uint8_t> marks;
  data::Part part;
};

Json stack_of(const Json& layers) { return {{"layers", layers}}; }

Json with_experts(const Json& layers) {
  return {{"layers", layers}, {"feed_forwards", {"experts"}}};
}

/// Stacks of each mixer and of all in turn, and of attention with experts.
std::vector<Json> stacks() {
  std::vector<Json> made;
  Json all = Json::array();
  for (const LayerKind& mixer : mixer_kinds()) {
    made.push_back(stack_of(Json::array({mixer.name})));
    all.push_back(mixer.name);
  }
  made.push_back(stack_of(all));
  made.push_back(with_experts({"attention"}));
  return made;
}

/// One objective on one backbone, with a batch.
struct Hosted {
  Hosted(const ObjectiveSpec& spec, const BackboneSpec& on, const Json& stack) : backbone(on) {
    const Params params(spec.params, Json::object());
    Vocabulary vocabulary{.ordinary = kOrdinary, .sentinels = kContext};
    objective = spec.build(params, {vocabulary, kContext});
    Json given = {
        {"depth", mixer_specs().size()}, {"width", 16}, {"heads", 2}, {"context", kContext}};
    given.update(stack);
    model = Params(backbone.params, given);
    refusal = plan::mismatch(objective.needs, backbone.offer, head_specs());
    if (refusal.empty() && backbone.cannot_host != nullptr)
      refusal = backbone.cannot_host(model, objective.needs);
    if (!refusal.empty()) return;
    objective.needs = plan::hosted(objective.needs, backbone.offer, head_specs());
    const data::Batches batches(
        corpus.part, objective,
        {.packing = data::Packing::isolated, .rows = kRows, .context = kContext});
    batch = batches.step(3).batch;
    train::NetworkSettings settings;
    settings.model = model;
    settings.hosting = {vocabulary, objective.needs, batches.shape()};
    network = build_network(backbone.name, settings);
    train::initialise(*network, {5});
    testing::stir(*network, {5});
  }

  /// The losses of a training step by head, and the gradients of the network's routers by name.
  struct Step {
    at::Tensor losses;  // float64 [head, 1]
    std::map<std::string, at::Tensor> routers;
  };
  Step step() {
    std::vector<train::HeadTargets> targets;
    for (std::size_t head = 0; head < batch.scored.size(); ++head)
      targets.push_back(train::to_targets({&batch, 1}, head, "cpu"));
    const at::Tensor scales = at::full({static_cast<std::int64_t>(targets.size()), 1}, 0.01);
    Step made{network->accumulate(train::to_inputs({&batch, 1}, "cpu"), targets, scales).losses,
              {}};
    for (train::Parameter& parameter : network->parameters())
      if (parameter.name.ends_with("router"))
        made.routers[parameter.name] = parameter.value.grad().clone();
    return made;
  }

  /// Losses of all scored targets, by head, computed from the logits; equal only if bitwise equal.
  std::vector<std::vector<double>> costs(const data::Batch& read) {
    const at::NoGradGuard no_gradient;
    std::vector<std::vector<double>> all;
    for (probes::TargetScores& head : probes::score_targets(*network, read, "cpu"))
      all.push_back(std::move(head.costs));
    return all;
  }

  Corpus corpus;
  const BackboneSpec& backbone;
  Objective objective;
  Params model;
  data::Batch batch;
  std::string refusal;
  std::unique_ptr<train::Network> network;
};

void change(Token& token) {
  token = token == special_count ? special_count + 1 : Token{special_count};
}

template <class Work>
void on_every_pair(const Json& stack, const Work& work) {
  std::size_t hosts = 0;
  for (const ObjectiveSpec& spec : objectives::objective_specs())
    for (const BackboneSpec& backbone : backbone_specs()) {
      Hosted hosted(spec, backbone, stack);
      if (!hosted.refusal.empty()) continue;
      SCOPED_TRACE(fmt::format("{} on {} of {}", spec.name, backbone.name, stack.dump()));
      work(hosted);
      ++hosts;
    }
  EXPECT_GE(hosts, 3 * objectives::objective_specs().size() / 2);
}

template <class Work>
void on_every_pair(const Work& work) {
  for (const Json& stack : stacks()) on_every_pair(stack, work);
}

/// How many tokens beyond its own position a head reads: sequential modules read true tokens, and a head of
/// later states is compared with what those are.
std::int64_t read_ahead(const Hosted& hosted, std::size_t head) {
  const HeadNeed& need = hosted.objective.needs.heads[head];
  if (need.kind == "next_latent") return need.settings().integer("steps");
  return need.traits.continues ? need.traits.ahead - 1 : 0;
}

/// Whether the place sees one of the touched places of its row.
bool sees_any(const data::Batch& batch, const std::vector<bool>& touched, std::size_t place) {
  const auto row = touched.begin() + static_cast<std::ptrdiff_t>(place) -
                   static_cast<std::ptrdiff_t>(place) % batch.time;
  return std::find(row + batch.visible_from[place], row + batch.visible_until[place], true) !=
         row + batch.visible_until[place];
}

TEST(Hosting, NothingIsPredictedFromWhatLiesAhead) {
  on_every_pair([](Hosted& hosted) {
    if (hosted.objective.needs.alignment == Alignment::in_place) return;
    const auto before = hosted.costs(hosted.batch);
    for (const std::int64_t cut : {5, 17, 30}) {
      // Everything after the cut changes in every row, except inputs that all positions may read.
      data::Batch changed = hosted.batch;
      std::vector<bool> touched(changed.tokens.size());
      for (std::size_t i = 0; i < changed.tokens.size(); ++i) {
        const auto t = static_cast<std::int64_t>(i) % changed.time;
        const bool input = changed.visible_until[i] > t + 1;
        touched[i] = t > cut && !input && changed.tokens[i] != pad_token;
        if (touched[i]) change(changed.tokens[i]);
      }
      const auto after = hosted.costs(changed);
      std::int64_t compared = 0;
      for (std::size_t head = 0; head < before.size(); ++head)
        for (std::size_t i = 0; i < before[head].size(); ++i) {
          const std::int32_t position = hosted.batch.scored[head].positions[i];
          const std::int64_t at = position % changed.time;
          // A place that sees both sides, as those of a masked row do, may depend on what follows.
          const bool sees_it = sees_any(changed, touched, static_cast<std::size_t>(position));
          if (at + read_ahead(hosted, head) <= cut && !sees_it) {
            ++compared;
            EXPECT_EQ(before[head][i], after[head][i]) << "head " << head << " at " << at;
          }
        }
      EXPECT_GT(compared + (cut == 5), 0);
    }
  });
}

/// The document of each position: positions of a document see from the same position on.
std::vector<std::pair<std::int64_t, std::int32_t>> documents(const std::vector<std::int32_t>& from,
                                                             std::int64_t time) {
  std::vector<std::pair<std::int64_t, std::int32_t>> made;
  for (std::size_t i = 0; i < from.size(); ++i)
    made.emplace_back(static_cast<std::int64_t>(i) / time, from[i]);
  return made;
}

TEST(Hosting, IsolatedDocumentsDoNotSeeEachOther) {
  on_every_pair([](Hosted& hosted) {
    const data::Batch& batch = hosted.batch;
    const auto document = documents(batch.visible_from, batch.time);
    const auto before = hosted.costs(batch);
    for (std::int64_t row = 0; row < batch.rows; ++row) {
      // The first document of a row changes, including the inputs of its encoder.
      data::Batch changed = batch;
      const auto first = static_cast<std::size_t>(row * batch.time);
      for (std::size_t i = first; i < first + static_cast<std::size_t>(batch.time); ++i)
        if (document[i] == document[first] && batch.visible_until[i] > 0) change(changed.tokens[i]);
      if (batch.source.time > 0) {
        const auto source_first = static_cast<std::size_t>(row * batch.source.time);
        for (std::int64_t j = 0; j < batch.source_until[first]; ++j)
          change(changed.source.tokens[source_first + static_cast<std::size_t>(j)]);
      }
      const auto after = hosted.costs(changed);
      std::int64_t others = 0;
      for (std::size_t head = 0; head < before.size(); ++head)
        for (std::size_t i = 0; i < before[head].size(); ++i) {
          const auto at = static_cast<std::size_t>(batch.scored[head].positions[i]);
          if (document[at] == document[first]) continue;
          EXPECT_EQ(before[head][i], after[head][i]) << "head " << head << " at " << at;
          ++others;
        }
      EXPECT_GT(others, 0);
    }
  });
}

TEST(Hosting, AHiddenTokenStandsNowhereButWhereTheObjectiveSaysSo) {
  on_every_pair([](Hosted& hosted) {
    const bool in_place = hosted.objective.needs.alignment == Alignment::in_place;
    const data::Batch& batch = hosted.batch;
    const data::Scored& scored = batch.scored.front();
    std::size_t shown = 0, seen = 0;
    for (std::size_t i = 0; i < scored.positions.size(); ++i) {
      const auto at = static_cast<std::size_t>(scored.positions[i]);
      const std::size_t own = in_place ? at : at + 1;  // where the target would stand
      const auto place = static_cast<std::int64_t>(own) % batch.time;
      if (!in_place && (batch.visible_until[at] <= place || place == 0)) continue;  // not seen
      ++seen;
      shown += batch.tokens[own] == scored.targets[i];
    }
    // Kept tokens, and random ones that happen to be right: at most a fifth with the defaults, or half of
    // all where nothing says which were kept and all are scored.
    const double most = scored.need.traits.reads_shown ? 0.6 : 0.3;
    EXPECT_LE(static_cast<double>(shown), most * static_cast<double>(seen) + 3);
    const Needs& needs = hosted.objective.needs;
    if (in_place || (needs.attention_least == Attention::bidirectional && !needs.reads)) {
      EXPECT_GT(seen, 0u);
    }
  });
}

/// In the trunk, in an encoder and in blocks of heads.
TEST(Hosting, ExpertsAreBalancedWhereverTheyStandWithoutAChangeOfTheLoss) {
  std::set<std::string> places;
  Json stack = with_experts({"attention"});
  stack["expert_balance"] = 0.0;
  std::vector<Hosted::Step> without;
  on_every_pair(stack, [&](Hosted& hosted) { without.push_back(hosted.step()); });
  stack["expert_balance"] = 10.0;
  auto before = without.begin();
  on_every_pair(stack, [&](Hosted& hosted) {
    const Hosted::Step with = hosted.step();
    EXPECT_TRUE(with.losses.equal(before->losses));
    ASSERT_EQ(with.routers.size(), before->routers.size());
    EXPECT_GE(with.routers.size(), mixer_specs().size());
    for (const auto& [name, gradient] : with.routers) {
      EXPECT_TRUE(gradient.isfinite().all().item<bool>()) << name;
      EXPECT_FALSE(gradient.allclose(before->routers.at(name))) << name;
      places.insert(name.substr(0, name.find('.')));
    }
    ++before;
  });
  EXPECT_GE(places.size(), 3u) << ::testing::PrintToString(places);
}

TEST(Hosting, SaysWhyAPairCannotBe) {
  for (const ObjectiveSpec& spec : objectives::objective_specs())
    for (const BackboneSpec& backbone : backbone_specs()) {
      const Hosted hosted(spec, backbone, stack_of({"attention"}));
      const bool in_place = hosted.objective.needs.alignment == Alignment::in_place;
      if (backbone.name == "encoder") {
        EXPECT_EQ(hosted.refusal.empty(), in_place) << spec.name;
      } else if (backbone.name == "decoder") {
        const bool least = hosted.objective.needs.attention_least == Attention::bidirectional;
        EXPECT_EQ(hosted.refusal.empty(), !in_place && !least) << spec.name;
      } else if (backbone.name == "transformer") {
        EXPECT_EQ(hosted.refusal, "") << spec.name;
      } else if (backbone.name == "encoder_decoder" && !hosted.objective.needs.reads) {
        EXPECT_NE(hosted.refusal, "") << spec.name;
      }
    }
}

TEST(Hosting, ARecurrenceSeesThePastOrBothWaysAndNoPrefix) {
  for (const ObjectiveSpec& spec : objectives::objective_specs())
    for (const BackboneSpec& backbone : backbone_specs())
      for (const Json& layers : {Json{"linear_attention"}, Json{"attention", "linear_attention"},
                                 Json{"attention", "mamba2"}, Json{"gated_delta"}}) {
        const Hosted recurrent(spec, backbone, stack_of(layers)),
            attentive(spec, backbone, stack_of({"attention"}));
        const Needs& needs = attentive.objective.needs;  // as hosted
        const bool prefix = attentive.refusal.empty() && needs.reads && !needs.separate_inputs &&
                            needs.attention == Attention::bidirectional &&
                            needs.alignment == Alignment::continuation;
        const bool two = attentive.refusal.empty() && needs.two_intervals;
        EXPECT_EQ(recurrent.refusal.empty(), attentive.refusal.empty() && !prefix && !two)
            << spec.name << " on " << backbone.name;
        if (!prefix && !two) continue;
        EXPECT_THAT(recurrent.refusal, ::testing::HasSubstr(fmt::format(
                                           "leave {} out of", layers.back().get<std::string>())));
      }
}

}  // namespace
}  // namespace ablate::models
