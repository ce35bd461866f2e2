// Mixture: each text is made into an example by one of several objectives, drawn by their shares. They
// share the model, its vocabulary and its head.
//
// A causal member and a masked one whose tokens are read out at the place before (masked_lm with
// readout: next) are GPT-BERT: one stack, of which some rows read the past and others both directions.
// The member of a text is drawn by seed and step, never by what the model does, so that batches depend
// on nothing else. A member makes of a text what it would make alone.
//
// A member that does not predict tokens, such as contrastive learning, keeps a head of its own: beside
// others it is an auxiliary loss, on texts of its own, with its weight.
//
// Source: Charpentier & Samuel 2024, "GPT or BERT: why not both?", arXiv:2410.24159, section 2. Sampled
// denoisers: Tay et al. 2022, arXiv:2205.05131; see mixture_of_denoisers.cpp.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "objectives/common/mixing/members.h"
#include "objectives/registry.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d e f\n"
    "inputs   (those of the member that the text drew; here it has none)\n"
    "shown    a b c d e f     causal_lm: each place reads the past\n"
    "targets  a b c d e f\n"
    "     or\n"
    "shown    a _ c _ e f     masked_lm with readout: next: each reads both directions\n"
    "targets  . b . d . .     each predicted at the place before its own\n";

constexpr std::string_view kDiffers =
    "every text draws its member; in the source's code each device has one member throughout\n"
    "members are as they are elsewhere in this program; the source's masked one lowers its rate "
    "(final_rate), hides spans, and prefers tokens that were hidden least often (masks: in_turn)\n";

/// A name that lives as long as the program, as those of facts must.
std::string_view kept(std::string name) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> names;
  const std::lock_guard lock(mutex);
  return *names.insert(std::move(name)).first;
}

/// Names of a member, and of what is stated of it.
struct MemberNames {
  std::string_view own, share, corruption, prediction;
};

std::vector<MixtureMember> known_members(const Params& params) {
  return members_of(params, objective_specs());
}

struct Mixture {
  std::vector<MixtureMember> members;
  std::vector<Objective> objectives;  // of the members
  std::vector<MemberNames> names;     // of the members
  std::vector<std::int32_t> heads;    // of the members' labels
  Shares shares;
  std::vector<Shares> by_corpus;  // empty: the same for all

  const Shares& shares_for(const Text& text) const {
    if (by_corpus.empty()) return shares;
    if (text.corpus >= std::ssize(by_corpus))
      reject(
          "mixture: shares_by_corpus has {} entries, and the phase draws texts of {} corpora or "
          "more; give one entry for each corpus, in their order",
          by_corpus.size(), text.corpus + 1);
    return by_corpus[static_cast<std::size_t>(text.corpus)];
  }

  // A member may be made of members itself: what it stated counts on behind its own number.
  std::size_t member_of(const Example& example) const {
    return static_cast<std::size_t>(example.member) % objectives.size();
  }
  /// Whether the member that made the example predicts tokens; what another one is scored on is of a
  /// further head.
  bool of_tokens(const Example& example) const {
    return members[member_of(example)].predicts_tokens();
  }
  void state(std::size_t member, Example& example) const {
    if (!members[member].predicts_tokens())
      for (Label& label : example.labels) label.head = heads[member];
    example.member = static_cast<std::int32_t>(
        static_cast<std::size_t>(example.member) * objectives.size() + member);
    example.maker = names[member].own;
  }
  Example as_made(Example example) const {
    example.member /= static_cast<std::int32_t>(objectives.size());
    return example;
  }
};

Mixture mixture_of(const Params& params, const Context& context) {
  Mixture mixture{.members = known_members(params)};
  mixture.shares = shares_of(params, mixture.members.size());
  mixture.by_corpus = shares_by_corpus(params, mixture.members.size());
  for (std::size_t i = 0; i < mixture.members.size(); ++i) {
    const MixtureMember& member = mixture.members[i];
    mixture.heads.push_back(head_of_labels(mixture.members, i));
    mixture.objectives.push_back(member.spec->build(member.params, context));
    const std::string& name = member.name;
    mixture.names.push_back({kept(name), kept("share_" + name), kept("corruption_" + name),
                             kept("prediction_" + name)});
  }
  return mixture;
}

std::vector<Example> transform(const Mixture& mixture, const Text& text, const Rng& rng) {
  const std::size_t member =
      mixture.shares_for(text).drawn(rng.fork("member").uniform(), text.progress);
  std::vector<Example> examples = mixture.objectives[member].transform(text, rng);
  for (Example& example : examples) {
    mixture.state(member, example);
    for (std::size_t i = 0; i < mixture.names.size(); ++i)
      example.facts.push_back({mixture.names[i].share, i == member ? 1.0 : 0.0});
  }
  return examples;
}

/// The tolerance allows for sampling changing shares at discrete steps.
std::vector<Intended> intended(const Mixture& mixture) {
  std::vector<Intended> all;
  for (std::size_t i = 0; i < mixture.members.size(); ++i) {
    const double change = std::abs(mixture.shares.last[i] - mixture.shares.first[i]);
    if (mixture.by_corpus.empty())  // else they depend on how often each corpus is drawn
      all.push_back({mixture.names[i].share, mixture.shares.mean(i), 0.01 + 0.05 * change});
    // Where a share changes, what changes over training does not do so evenly over its examples.
    if (change > 0 || !mixture.shares.has(i)) continue;
    for (Intended own : mixture.objectives[i].intended) {
      if (own.name != "corruption" && own.name != "prediction") continue;
      own.name =
          own.name == "corruption" ? mixture.names[i].corruption : mixture.names[i].prediction;
      all.push_back(own);
    }
  }
  return all;
}

Lengths lengths(const Mixture& mixture, std::int64_t tokens) {
  Lengths most;
  for (const Objective& objective : mixture.objectives) {
    const Lengths own = lengths_of(objective, static_cast<std::size_t>(tokens));
    most = {std::max(most.inputs, own.inputs), std::max(most.targets, own.targets),
            std::max(most.both, own.both)};
  }
  return most;
}

/// Whether the optimum of every member that predicts tokens is known.
bool knows_optima(const Mixture& mixture) {
  for (std::size_t i = 0; i < mixture.members.size(); ++i)
    if (mixture.members[i].predicts_tokens() && !mixture.objectives[i].optimum) return false;
  return true;
}

/// The optimum of a further head on an example that was made for it, where the member knows it.
std::vector<Loss> further_optima(const Mixture& mixture, const Chain& language, const Text& text,
                                 const Example& example) {
  const std::size_t member = mixture.member_of(example);
  const Objective& own = mixture.objectives[member];
  if (mixture.of_tokens(example) || !own.optimum) return {};
  std::vector<Loss> optima(static_cast<std::size_t>(mixture.heads[member]));
  optima.back() = own.optimum(language, text, mixture.as_made(example));
  return optima;
}

Objective build(const Params& params, const Context& context) {
  const auto mixture = std::make_shared<const Mixture>(mixture_of(params, context));
  const std::size_t asked = asked_member(params, mixture->members);
  const Objective& answers = mixture->objectives[asked];
  Objective made{
      .needs = joined_needs(mixture->members, mixture->objectives),
      .transform = [mixture](const Text& text, Rng rng) { return transform(*mixture, text, rng); },
      .context_free =
          [mixture](std::span<const double> unigram, const Text& text, const Example& example) {
            if (!mixture->of_tokens(example)) return Loss();
            return mixture->objectives[mixture->member_of(example)].context_free(
                unigram, text, mixture->as_made(example));
          },
      .lengths = [mixture](std::int64_t tokens) { return lengths(*mixture, tokens); },
      .intended = intended(*mixture),
      .cloze = answers.cloze,
      .cloze_stop = answers.cloze_stop,
      .cloze_hidden = answers.cloze_hidden,
      .unmask = answers.unmask,
      .block = answers.block,
      .cloze_orders = answers.cloze_orders};
  made.needs.documents = answers.needs.reading().attention;
  for (std::size_t i = 0; i < mixture->members.size(); ++i)
    if (mixture->shares.has(i))
      for (const Idle& idle : mixture->objectives[i].idle) made.idle.push_back(idle);
  if (made.needs.heads.size() > 1)
    made.label_optima = [mixture](const Chain& language, const Text& text, const Example& example) {
      return further_optima(*mixture, language, text, example);
    };
  if (knows_optima(*mixture))
    made.optimum = [mixture](const Chain& language, const Text& text, const Example& example) {
      if (!mixture->of_tokens(example)) return Loss();
      return mixture->objectives[mixture->member_of(example)].optimum(language, text,
                                                                      mixture->as_made(example));
    };
  return made;
}

/// The weakest of the members' kinds: each text has the optimum of the member that made its example,
/// and what a model reads tells it which one that was wherever that matters.
OptimumKind optimum_kind(const Params& params) {
  OptimumKind joined = OptimumKind::exact;
  for (const MixtureMember& member : known_members(params)) {
    if (!member.predicts_tokens()) continue;
    const OptimumKind own = member.spec->optimum_kind(member.params);
    const bool opposite =
        joined != OptimumKind::exact && own != OptimumKind::exact && own != joined;
    if (own == OptimumKind::none || opposite) return OptimumKind::none;
    if (own != OptimumKind::exact) joined = own;
  }
  return joined;
}

/// What the spec of the member that is asked says.
template <class Read>
auto of_asked(const Params& params, const Read& read) {
  const std::vector<MixtureMember> members = known_members(params);
  const MixtureMember& asked = members[asked_member(params, members)];
  return read(*asked.spec, asked.params);
}

Generation generation(const Params& params) { return of_asked(params, generation_of); }
ClozeFormat cloze_format(const Params& params) { return of_asked(params, cloze_format_of); }
std::vector<std::string_view> cloze_orders(const Params& params) {
  return of_asked(params, cloze_orders_of);
}
bool in_place(const Params& params) {
  const std::vector<MixtureMember> members = known_members(params);
  const auto first = std::ranges::find_if(members, &MixtureMember::predicts_tokens);
  return predicts_in_place(*first->spec, first->params);
}
std::vector<HeadNeed> further_heads(const Params& params) {
  return further_heads_of(known_members(params));
}
bool marks_end(const Params& params) {
  return of_asked(params, [](const ObjectiveSpec& spec, const Params& own) {
    return spec.marks_end == nullptr || spec.marks_end(own);
  });
}

/// Each member that predicts tokens alone, as held-out text is read by it.
std::vector<CommonSetting> common_settings(const Params& params) {
  std::vector<CommonSetting> settings;
  for (MixtureMember& member : known_members(params)) {
    if (!member.predicts_tokens()) continue;
    member.params = held_out_params(*member.spec, member.params);
    settings.push_back({member.name, alone(member)});
  }
  return settings;
}

/// The members, and what those are made of.
std::vector<const ObjectiveSpec*> member_specs(const Params& params) {
  std::vector<const ObjectiveSpec*> specs;
  for (const MixtureMember& member : known_members(params)) {
    specs.push_back(member.spec);
    if (member.spec->members == nullptr) continue;
    for (const ObjectiveSpec* inner : member.spec->members(member.params)) specs.push_back(inner);
  }
  return specs;
}

std::vector<FamilyMember> every_objective() {
  std::vector<FamilyMember> all;
  for (const ObjectiveSpec& spec : objective_specs()) all.push_back({spec.name, spec.params});
  return all;
}

std::vector<Param> parameters() {
  const Param share = number("", nullptr, 0, 1e6, "");
  return {
      list("members", {{{"type", "causal_lm"}}, {{"type", "masked_lm"}, {"readout", "next"}}},
           {member("", nullptr, {"objective", every_objective}, "")}, 16,
           "the objectives, each as an arm's section (\"type\" and its settings): one makes the "
           "example of each text"),
      optional(list("shares", nullptr, {share}, 16,
                    "relative probability of each member; divided by their sum; absent: all are "
                    "equal")),
      optional(list("final_shares", nullptr, {share}, 16,
                    "the shares at the end of training, linear in between; absent: the same "
                    "throughout. Held-out text is always read at the final shares")),
      optional(
          list("shares_by_corpus", nullptr, {list("", nullptr, {share}, 16, "")}, 16,
               "the shares of the texts of each corpus, in the order of the phase's mixture: a "
               "list of lists; absent: the same for all")),
      optional(text("asked_as", nullptr,
                    "the member (by its type; the second of a type is TYPE_2) whose format is used "
                    "to ask the trained model questions, and whose way of reading probes use for "
                    "documents; training does not depend on it; absent: the member with the "
                    "largest share of those that can be asked"))};
}

Params held_out(const Params& trained) {
  Json given = trained.json();
  std::size_t i = 0;
  for (const MixtureMember& member : known_members(trained)) {
    Json own = held_out_params(*member.spec, member.params).json();
    own["type"] = member.spec->name;
    given["members"][i++] = std::move(own);
  }
  return {parameters(), given};
}

}  // namespace

ObjectiveSpec mixture_objective() {
  return {
      .name = "mixture",
      .summary = "make each text's example with one of several objectives, drawn by their shares",
      .picture = kPicture,
      .source = "Charpentier & Samuel 2024, arXiv:2410.24159, section 2",
      .differs = kDiffers,
      .params = parameters(),
      .build = build,
      .optimum_kind = optimum_kind,
      .generation = generation,
      .predicts_in_place = in_place,
      .further_heads = further_heads,
      .cloze_format = cloze_format,
      .marks_end = marks_end,
      .cloze_orders = cloze_orders,
      .common_settings = common_settings,
      .held_out = held_out,
      .members = member_specs};
}

}  // namespace ablate::objectives
