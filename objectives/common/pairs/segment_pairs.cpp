#include "objectives/common/pairs/segment_pairs.h"

#include <algorithm>

#include "harness/base/error.h"
#include "objectives/common/pairs/pair_distribution.h"

namespace ablate::objectives {
namespace {

/// Separates the random numbers of pairs from those of hidden tokens.
constexpr std::uint64_t kPairs = 3;

constexpr std::int64_t kFrame = 3;     // tokens added by the format
constexpr std::int32_t kPairHead = 1;  // index among the heads of the needs

struct Settings {
  PairSettings pairs;
  double weight = 1;   // of the label's loss, relative to that of the tokens
  bool fixed = false;  // a text becomes the same pair every time it is read

  bool labelled() const { return pairs.kind != PairKind::none; }
  bool scored() const { return labelled() && weight > 0; }
  bool as_reference() const { return labelled() && pairs.negatives == Negatives::reference; }
};

bool is_plain(const Params& params) { return params.text("format") == "plain"; }

Settings settings_of(const Params& params) {
  Settings settings;
  if (params.text("pair") == "nsp") settings.pairs.kind = PairKind::nsp;
  if (params.text("pair") == "sop") settings.pairs.kind = PairKind::sop;
  if (params.text("negatives") == "reference") settings.pairs.negatives = Negatives::reference;
  settings.pairs.by_sentence = params.text("segments") == "sentences";
  settings.weight = params.number("pair_weight");
  return settings;
}

/// The hidden tokens of the pair by their positions in the text. Tokens without such a position are
/// left out.
std::vector<Hidden> hidden_of_text(const Pair& pair, const Text& text,
                                   std::span<const Hidden> of_pair) {
  std::vector<Hidden> hidden;
  for (const Hidden& one : of_pair) {
    const std::int32_t place = pair.places[static_cast<std::size_t>(one.position)];
    if (place >= 0 && !text.is_special(static_cast<std::size_t>(place)))
      hidden.push_back({place, one.how});
  }
  std::sort(hidden.begin(), hidden.end(),
            [](const Hidden& a, const Hidden& b) { return a.position < b.position; });
  return hidden;
}

void add_label(const Settings& settings, Token label, Example& example) {
  example.facts.push_back({"unpaired", label == unpaired_label ? 1.0 : 0.0});
  if (label == unpaired_label) return;
  example.facts.push_back({"pair", static_cast<double>(label)});
  if (settings.scored())
    example.labels.push_back({.head = kPairHead, .at = 0, .target = label, .weight = 1});
}

using Transform = std::function<std::vector<Example>(const Text&, Rng)>;

std::vector<Example> transform(const Settings& settings, const Transform& hide, const Text& text,
                               Rng rng) {
  const Pair pair = paired(settings.pairs, text, (settings.fixed ? text.own : rng).fork(kPairs));
  Text of_pair = text;
  of_pair.tokens = pair.tokens;
  of_pair.marks = pair.marks;
  std::vector<Example> examples = hide(of_pair, rng);
  for (Example& example : examples) {
    example.hidden = hidden_of_text(pair, text, example.hidden);
    if (settings.labelled()) add_label(settings, pair.label, example);
  }
  return examples;
}

/// A pair has as many hidden tokens as its text would, except with reference negatives, which drop
/// tokens. Tokens of a random segment do not count as predicted tokens of the text.
std::vector<Intended> intended(const Settings& settings, std::vector<Intended> of_text) {
  if (!settings.labelled()) return of_text;
  std::erase_if(of_text, [&](const Intended& one) {
    return settings.as_reference() ||
           (settings.pairs.kind == PairKind::nsp && one.name == "prediction");
  });
  if (!settings.as_reference()) of_text.push_back({"pair", 0.5, 0.02});
  return of_text;
}

/// Why a text has no pair with a label.
std::vector<Idle> idle(const Settings& settings) {
  if (!settings.labelled()) return {};
  return {{.fact = "unpaired",
           .what = settings.pairs.kind == PairKind::nsp
                       ? "are not paired: they have one sentence each, or no other document has a "
                         "segment of their length; cut the corpus into more documents "
                         "(corpus.documents), or set objective.segments to \"tokens\""
                       : "are not paired: they have one sentence each; give longer texts, or set "
                         "objective.segments to \"tokens\""}};
}

void state_optima(const Settings& settings, const std::function<TokenChannel(const Text&)>& channel,
                  Objective& objective) {
  objective.optimum = nullptr;
  objective.label_optima = nullptr;
  if (settings.as_reference()) return;  // the probability of a broken pair depends on the document
  const auto channel_of = [channel](const Text& text, const Example& example) {
    Text of_pair = text;
    of_pair.tokens = example.targets;
    of_pair.marks = {};
    return channel(of_pair);
  };
  const auto making = [pairs = settings.pairs](const Text& text) {
    return PairMaking{pairs.kind, pairs.by_sentence && !text.marks.empty()};
  };
  objective.optimum = [=](const Chain& language, const Text& text, const Example& example) {
    return pair_token_optimum(channel_of(text, example), making(text), language, example);
  };
  if (settings.scored())
    objective.label_optima = [=](const Chain& language, const Text& text, const Example& example) {
      return std::vector<Loss>{
          pair_label_optimum(channel_of(text, example), making(text), language, example)};
    };
}

}  // namespace

std::vector<Param> pair_params() {
  return {
      choice("format", "plain", {"plain", "pair"},
             "plain: the text; pair: [CLS] A [SEP] B [SEP], with A and B from one document's part "
             "of the text. Full sentences and document sentences, without a pair loss, are plain "
             "with train.packing joined and isolated"),
      choice("pair", "none", {"none", "nsp", "sop"},
             "none: B follows A; nsp: B follows A or comes from another document (next sentence "
             "prediction); sop: A and B are in order or swapped (sentence order prediction)"),
      number(
          "pair_weight", 1, 0, 100,
          "weight of the pair loss relative to the token loss; 0: the same pairs without a loss"),
      choice("negatives", "balanced", {"balanced", "reference"},
             "balanced: a fair coin decides the label of each pair; reference: as in the code of "
             "BERT and ALBERT, where most pairs are random if documents are short. A pair is about "
             "as long as its text; in their code its target is the maximum length less 3, even in "
             "short documents"),
      choice("segments", "sentences", {"sentences", "tokens"},
             "where a segment may start: at a sentence, or at any token; at any token if the text "
             "has no sentence marks")};
}

std::vector<HeadNeed> pair_heads(const Params& params) {
  const Settings settings = settings_of(params);
  if (!settings.scored()) return {};
  return {{.kind = "pair", .coefficient = settings.weight}};
}

Objective pair_objective(const Params& params, Objective objective,
                         const std::function<TokenChannel(const Text&)>& channel, bool fixed) {
  Settings settings = settings_of(params);
  settings.fixed = fixed;
  if (is_plain(params) && settings.labelled())
    reject(
        "pair = \"{}\" with format = \"plain\": a pair label needs two segments; set format to "
        "\"pair\", or pair to \"none\"",
        params.text("pair"));
  if (is_plain(params)) return objective;
  objective.needs.unit = Unit::document;
  objective.cloze = {};
  objective.cloze_hidden = {};
  for (const HeadNeed& head : pair_heads(params)) objective.needs.heads.push_back(head);
  objective.transform = [settings, hide = std::move(objective.transform)](const Text& text,
                                                                          Rng rng) {
    return transform(settings, hide, text, rng);
  };
  objective.lengths = [](std::int64_t tokens) {
    return Lengths{tokens + kFrame, tokens + kFrame, tokens + kFrame};
  };
  objective.intended = intended(settings, std::move(objective.intended));
  objective.idle = idle(settings);
  state_optima(settings, channel, objective);
  return objective;
}

OptimumKind pair_optimum_kind(const Params& params, OptimumKind kind) {
  if (is_plain(params)) return kind;
  const Settings settings = settings_of(params);
  if (settings.as_reference()) return OptimumKind::none;
  // See pair_distribution.h for what is assumed of random segments.
  return settings.pairs.kind == PairKind::nsp ? OptimumKind::upper : kind;
}

}  // namespace ablate::objectives
