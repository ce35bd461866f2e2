// Subjects, networks and texts for the tests of questions in the formats of all objectives.

#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/probes/cloze/costs.h"
#include "objectives/registry.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes::testing {

/// Every objective that has a format, at its defaults and at other settings of its format.
inline std::vector<Json> with_format() {
  std::vector<Json> objectives = {
      {{"type", "fill_in_the_middle"}, {"rate", 0.5}, {"spm_rate", 1}},
      {{"type", "fill_in_the_middle"}, {"rate", 0.5}, {"spm_rate", 1}, {"spm_form", "v1"}},
      {{"type", "fill_in_the_middle"}, {"rate", 0.5}, {"spm_rate", 0}},
      {{"type", "mixture_of_denoisers"}, {"asked_as", "r"}},
      {{"type", "mixture_of_denoisers"}, {"asked_as", "s"}},
      {{"type", "mixture_of_denoisers"}, {"asked_as", "x"}},
      {{"type", "denoising"}, {"infill_rate", 0}, {"mask_rate", 0.3}},
      {{"type", "denoising"}, {"infill_rate", 0}, {"delete_rate", 0.3}},
      {{"type", "block_diffusion"}, {"block", 1}},
      {{"type", "permutation_lm"}, {"order", "uniform"}},
      {{"type", "permutation_lm"}, {"order", "text"}}};
  for (const ObjectiveSpec& spec : objectives::objective_specs())
    if (spec.cloze_format != nullptr) objectives.push_back({{"type", spec.name}});
  return objectives;
}

/// Calls `use` with a subject of an objective and a network; `encoder`: that reads inputs apart.
template <class Use>
void with_subject(const SmallWorld& world, const Json& objective, train::Network& network,
                  const Use& use, bool encoder = false) {
  const plan::ResolvedModel model = any_model(world.vocabulary());
  plan::ResolvedPhase phase = phase_of(trial_of(objective), model);
  phase.objective.needs.separate_inputs = encoder;
  phase.shape = {2 * phase.context, 2 * phase.context};  // room for every format
  use(Subject{.model = model,
              .phase = phase,
              .corpus = world.corpus,
              .language = &world.language,
              .network = network});
}

/// The objective's spec, and its parameters.
inline std::pair<const ObjectiveSpec*, Params> spec_of(const Json& objective) {
  const ObjectiveSpec& spec = objective_named(objective.at("type"));
  Json given = objective;
  given.erase("type");
  return {&spec, Params(spec.params, given)};
}

/// Logits that depend on every token that is seen, and on nothing else; only ordinary ids have
/// probability.
inline Oracle::Rule arbitrary_rule(const Vocabulary& vocabulary) {
  return [vocabulary](const Seen& seen) {
    Rng rng(7);
    for (const auto tokens : {seen.source, seen.visible})
      for (const Token token : tokens) rng = rng.fork(static_cast<std::uint64_t>(token));
    // A query is not among what it sees: the place in the row says nothing, its position all.
    const bool query = seen.at >= seen.visible.size();
    rng = rng.fork(query ? static_cast<std::uint64_t>(seen.position) : seen.at).fork(seen.head);
    std::vector<double> logits(static_cast<std::size_t>(vocabulary.size()), -1e4);
    for (Token token = special_count; token < vocabulary.end_ordinary(); ++token)
      logits[static_cast<std::size_t>(token)] = rng.normal();
    return logits;
  };
}

/// Knows that a middle of fill-in-the-middle is text where the parts stand in this order, and nothing
/// else.
inline Oracle::Rule knowing(std::string_view order, const Vocabulary& vocabulary) {
  return [order, vocabulary](const Seen& seen) {
    std::vector<double> logits(static_cast<std::size_t>(vocabulary.size()), 0.0);
    const auto suffix = std::ranges::find(seen.visible, Token{suffix_token});
    if (suffix == seen.visible.end()) return logits;
    const bool suffix_first = *(suffix - 1) == prefix_token;
    if (suffix_first == (order == "spm"))
      for (std::size_t id = 0; id < logits.size(); ++id)
        if (!vocabulary.is_ordinary(static_cast<Token>(id))) logits[id] = -1e4;
    return logits;
  };
}

/// All texts of `length` ordinary tokens.
inline std::vector<std::vector<Token>> all_texts(const Vocabulary& vocabulary, std::size_t length) {
  std::vector<std::vector<Token>> texts = {{}};
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<std::vector<Token>> longer;
    for (const std::vector<Token>& text : texts)
      for (Token token = special_count; token < vocabulary.end_ordinary(); ++token) {
        longer.push_back(text);
        longer.back().push_back(token);
      }
    texts = std::move(longer);
  }
  return texts;
}

inline constexpr Token kLeft[] = {begin_token, special_count, special_count + 2};
inline constexpr Token kRight[] = {special_count + 1, special_count + 1, end_token};

inline constexpr Token kOpenRight[] = {special_count + 1, special_count + 3};  // more follows
inline constexpr std::span<const Token> kRights[] = {{}, kOpenRight};

inline constexpr double kExact = 1e-10;  // nats, where logits are in double

inline const Json kClozeProbe = {{"type", "cloze"}, {"documents", 20}};

}  // namespace ablate::probes::testing
