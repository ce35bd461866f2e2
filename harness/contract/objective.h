// What a pre-training objective is.
//
// An objective decides two things, and nothing else in the system does:
//   transform   what the model reads and what it must predict
//   needs       what a model must offer to host the objective, including its heads
// It never sees a model, an optimizer, a device or a file, and it does not include
// LibTorch: harness/data lays Examples out as a batch, and a head in models/ turns
// targets and weights into a loss.

#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "harness/base/rng.h"
#include "harness/contract/chain.h"
#include "harness/contract/example.h"
#include "harness/contract/head.h"
#include "harness/contract/loss.h"
#include "harness/contract/params.h"

namespace ablate {

/// How far attention may look within an example. This is an upper limit: a backbone that shows less
/// may host a continuation objective that asks for no more, but not an in-place one.
enum class Attention { causal, bidirectional };

/// How a model reads the documents of probes.
struct Reading {
  Attention attention = Attention::causal;
  bool reversed = false;  // from the last token to the first

  constexpr Reading(Attention how = Attention::causal, bool from_the_end = false)
      : attention(how), reversed(from_the_end) {}

  constexpr bool sees_all() const { return attention == Attention::bidirectional; }

  /// The place at which token number `token` of `tokens` is read.
  std::size_t place_of(std::size_t token, std::size_t tokens) const {
    return reversed ? tokens - 1 - token : token;
  }
};

/// How Example::targets line up with Example::inputs.
enum class Alignment {
  in_place,      // target i is predicted at input i
  continuation,  // the targets follow the inputs and are predicted left to right
};

/// What a transform is given.
enum class Unit {
  window,    // consecutive tokens of the corpus, possibly of several documents
  document,  // the part of a window that belongs to one document
};

/// What a model must offer. The planner checks it before any training.
struct Needs {
  Attention attention = Attention::causal;
  Attention attention_least =
      Attention::causal;  // a backbone that shows less is refused; below it,
                          // continuations are hosted with what it shows
  Alignment alignment = Alignment::continuation;
  Unit unit = Unit::window;
  std::vector<HeadNeed> heads = std::vector<HeadNeed>(1);  // a head of tokens takes the targets
  std::vector<std::size_t> parts = {};  // of each head that the objective asks for, its index in
                                        // `heads`; empty: its own. Set by join_heads()
  bool reversed = false;                // texts are read from their last token to the first
  bool reads = true;             // whether examples have inputs; those of causal LM have none
  bool one_stack = false;        // whether some have none, so that an encoder has nothing to read
  bool two_intervals = false;    // whether places see two intervals; see Sight
  bool inner_positions = false;  // whether places have second positions; see Example::inner
  std::int64_t sentinels = 0;
  std::optional<Attention> documents = {};  // how probes read a document; none: by `attention`
  bool separate_inputs = false;             // set by hosted(): an encoder reads the inputs

  /// How probes let a model read a document.
  Reading reading() const { return {documents.value_or(attention), reversed}; }

  /// The index in `heads` of the head that labels call number `head`.
  std::size_t part(std::size_t head) const { return parts.empty() ? head : parts[head]; }

  /// The index in `heads` of the head that curves and comparisons show: the objective's first one.
  std::size_t primary() const { return part(0); }

  /// The index in `heads` of the objective's head that takes the targets, if it has one: the head of
  /// the next token, or of the token at its own place.
  std::optional<std::size_t> target_part() const {
    for (std::size_t own = 0; own < (parts.empty() ? heads.size() : parts.size()); ++own)
      if (heads[part(own)].traits.ahead == 1 && !heads[part(own)].traits.fills) return part(own);
    return std::nullopt;
  }

  /// Whether the losses of a step's rows depend on each other.
  bool couples_rows() const {
    return std::any_of(heads.begin(), heads.end(), [](const HeadNeed& head) {
      return head.scored && head.traits.couples_rows;
    });
  }
};

/// The maximum size of an example, in tokens.
struct Lengths {
  std::int64_t inputs = 0;
  std::int64_t targets = 0;
  std::int64_t both = 0;  // inputs and targets of the same example, added up
};

/// Number of positions in a row of a batch.
struct RowShape {
  std::int64_t time = 0;         // in the stack that predicts
  std::int64_t source_time = 0;  // in the encoder; 0 if there is none

  bool operator==(const RowShape&) const = default;
};

/// What an objective intends to do on average, such as the fraction of tokens that it hides. The
/// record also keeps what it did, and a trial fails if the two differ by too much.
struct Intended {
  std::string_view name;  // a key of Realised::json, or a fact
  double value = 0;
  double tolerance = 0;  // difference that is accepted for any number of texts
  bool at_most = false;  // less is as intended, because not every unit fits into what is left
};

/// What an example states where the objective found nothing to do in its text: a fact in a range.
struct Idle {
  std::string_view fact;
  double from = 1, to = 1;  // both are in the range
  std::string_view what;    // is the case of such texts, and the remedy: "are not paired: ..."
};

/// How a trained model can generate text, given its objective.
enum class Generation {
  none,
  ancestral,  // token by token from left to right
  unmasking,  // by filling the masks of a text
  blocks,     // by filling those of one block after the other
};

/// The question that models of every objective can be asked: how probable is `target` between `left`
/// and `right`? Tokens of one document. `left` starts with the begin token. `target` has at least
/// one token, and only ordinary ones. `right` is what follows, possibly up to an end token; empty
/// where it is not shown. A run of mask tokens in it is a further blank, of as many tokens: a format
/// marks it as it does the first one, and one that cannot shows what is right of it to nobody.
struct Cloze {
  std::span<const Token> left, target, right;
};

/// What a model reads and is told when it is asked.
enum class ClozeFormat {
  none,              // the objective has no format for the question
  left,              // reads what is left
  both_sides,        // reads both sides
  told_length,       // reads both sides, and is told the number of tokens
  left_told_length,  // reads what is left, and is told the number of tokens
};

/// Whether a model reads what is right of the target.
constexpr bool reads_right(ClozeFormat format) {
  return format == ClozeFormat::both_sides || format == ClozeFormat::told_length;
}

/// Whether a model is told how many tokens the target has.
constexpr bool is_told_length(ClozeFormat format) {
  return format == ClozeFormat::told_length || format == ClozeFormat::left_told_length;
}

/// An objective with its parameters, ready to make examples.
struct Objective {
  Needs needs;

  /// The examples made from one text: one, or several if the objective views a text in several
  /// ways. Pure: depends only on the text and the random numbers.
  std::function<std::vector<Example>(const Text& text, Rng rng)> transform;

  /// The loss of the exact predictor on `example`, which `transform` made from `text`, given that
  /// the text was drawn from `language`. No predictor has a lower expected loss. Empty if the
  /// optimum is not known.
  std::function<Loss(const Chain& language, const Text& text, const Example& example)> optimum;

  /// The loss of the best predictor without context: it sees only what stands at the target's own
  /// position. `unigram[v]` is the probability of ordinary token v, counted from 0. Empty where the
  /// labels are made from a sample of a network, whose probabilities it would have to know.
  std::function<Loss(std::span<const double> unigram, const Text& text, const Example& example)>
      context_free;

  /// As `optimum` and `context_free` where the loss of an example depends on the other examples of
  /// its step: their losses by example, given all of them. Empty for other objectives.
  std::function<std::vector<Loss>(const Chain& language, std::span<const MadeExample> step)>
      step_optimum = {};
  std::function<std::vector<Loss>(std::span<const MadeExample> step)> step_context_free = {};

  /// The optimum of each head after the first, in the order of the needs, on the same example.
  /// Empty if they are not known.
  std::function<std::vector<Loss>(const Chain& language, const Text& text, const Example& example)>
      label_optima;

  /// The maximum size of an example of a text of this many tokens. Empty: as many as the text has.
  std::function<Lengths(std::int64_t text_tokens)> lengths;

  std::vector<Intended> intended = {};

  /// The plan warns where sampled texts are often idle. A text without a target needs no entry.
  std::vector<Idle> idle = {};

  /// The question in the format that the model was trained on. The scored targets, each of weight
  /// 1, are the question's; the model's losses of them add up to -log P(target | what the format
  /// shows), without the cost of stopping after them. An objective that predicts in place shows the
  /// targets one after the other, in one example each. Empty where the objective has no format:
  /// ClozeFormat::none.
  std::function<std::vector<Example>(const Cloze& cloze)> cloze = {};

  /// What says that the target ends: the question with one scored target, of weight 1, the token that
  /// follows `target` in the format. `right` is empty where the document ends after the target.
  /// No example where the format has no such token. Empty where a model is told the length.
  std::function<std::vector<Example>(const Cloze& cloze)> cloze_stop = {};

  /// The question with the tokens number `hidden` of the target hidden, all of which are scored with
  /// weight 1, and its other tokens shown. Requires: `hidden` is ascending and not empty. Empty where
  /// the objective does not predict in place.
  std::function<Example(const Cloze& cloze, std::span<const std::size_t> hidden)> cloze_hidden = {};

  /// What a model reads of a text with masks to fill those at `places`, which are ascending: the scored
  /// targets, each of weight 1, are at these places, in their order. Empty: the text, in place.
  std::function<Example(std::span<const Token> text, std::span<const std::size_t> places)> unmask =
      {};

  /// Tokens that can be filled together: blocks of a text are filled from left to right, and `unmask` is
  /// asked for places of one block. 0: all.
  std::int64_t block = 0;

  /// The format in one order of its parts.
  struct Order {
    std::function<std::vector<Example>(const Cloze& cloze)> cloze;
    std::function<std::vector<Example>(const Cloze& cloze)> cloze_stop;
  };

  /// `cloze` and `cloze_stop` in each order that ObjectiveSpec::cloze_orders names, themselves first.
  std::vector<Order> cloze_orders = {};
};

/// The maximum size of an example of a text of `text_tokens` tokens: what `objective.lengths` says
/// or, if it is empty, as many inputs and targets as the text has tokens.
inline Lengths lengths_of(const Objective& objective, std::size_t text_tokens) {
  const auto tokens = static_cast<std::int64_t>(text_tokens);
  if (objective.lengths) return objective.lengths(tokens);
  return {tokens, tokens, tokens};
}

/// What an objective is told about its trial.
struct Context {
  Vocabulary vocabulary;
  std::int64_t text_length = 0;  // tokens of a window: the maximum that a transform is given
};

/// Parameters with which an arm of the objective is also scored, so that the arms of a sweep have one
/// loss in common whatever their own parameters. For example, masked LM at a rate of 15 %.
struct CommonSetting {
  std::string name;  // part of metric names: held_out.loss_NAME
  Json params;       // those that differ from the objective's defaults
  // Whether it is for the heads after the first, such as held_out.pair_accuracy_NAME, and the first
  // one's loss is left out. Its parameters have the heads that the arm's have.
  bool of_heads = false;
};

/// Receives what an exact predictor says of a scored target: its weight, its index in the distribution,
/// and the distribution over the ordinary tokens and, last, the end token.
using TakeForecast =
    std::function<void(double weight, std::size_t target, std::span<const double> distribution)>;

/// One row of the table of objectives: an objective before its parameters are chosen.
struct ObjectiveSpec {
  std::string_view name;     // as written in experiment files
  std::string_view summary;  // one line
  std::string_view picture;  // text, inputs, targets on a tiny example, as `describe` prints it
  std::string_view source;   // the paper that defines it, with its section
  std::string_view differs = {};  // how and why it differs from the source, one line each
  std::vector<Param> params;

  /// The objective with these parameters. Throws std::invalid_argument if they do not fit the
  /// context.
  Objective (*build)(const Params& params, const Context& context);

  OptimumKind (*optimum_kind)(const Params& params);  // what Objective::optimum is
  /// How its trained models generate text; read by generation_of(). Null: they cannot, whatever the
  /// parameters.
  Generation (*generation)(const Params& params) = nullptr;

  /// Whether its needs are aligned in place. Null: they are not, whatever the parameters.
  bool (*predicts_in_place)(const Params& params) = nullptr;

  /// The heads of its needs after the first. Null: there are none, whatever the parameters.
  std::vector<HeadNeed> (*further_heads)(const Params& params) = nullptr;
  /// The format of Objective::cloze at these parameters; read by cloze_format_of(). Null: none,
  /// whatever the parameters.
  ClozeFormat (*cloze_format)(const Params& params) = nullptr;
  /// The first head of its needs, where that does not take the targets. Null: it is that of tokens.
  HeadNeed (*first_head)(const Params& params) = nullptr;
  /// Whether a format of both sides says where the target ends. Null: it does.
  bool (*marks_end)(const Params& params) = nullptr;
  /// The orders of left, target and right in which models can be asked, that of Objective::cloze
  /// first; read by cloze_orders_of(). Null: there is one alone, whatever the parameters.
  std::vector<std::string_view> (*cloze_orders)(const Params& params) = nullptr;
  /// Whether the loss is -log p(text) or a bound on it, so that it has bits per byte; read by
  /// is_text_likelihood(). Null: it is not, whatever the parameters.
  bool (*text_likelihood)(const Params& params) = nullptr;
  /// The settings at which arms are scored beside their own; read by common_settings_of(). Null: none.
  std::vector<CommonSetting> (*common_settings)(const Params& params) = nullptr;
  /// The parameters with which held-out text is read, where that is not as in training; the loss as
  /// in training is then measured beside it. Null: as in training, whatever the parameters.
  Params (*held_out)(const Params& params) = nullptr;
  /// The objectives that an objective with these parameters is made of. Null: it is one of its own.
  std::vector<const ObjectiveSpec*> (*members)(const Params& params) = nullptr;
  /// What the exact predictor says of each scored target of an example of a text, in their order. Null:
  /// it is not given.
  void (*forecasts)(const Chain& language, const Text& text, const Example& example,
                    const TakeForecast& take) = nullptr;
  bool reversed = false;  // Needs::reversed, whatever the parameters
  int version = 1;        // raised when its numbers change; part of every trial's id

  /// Whether a head of its needs takes targets.
  bool predicts_tokens() const { return first_head == nullptr; }

  /// Whether its models can be trained to write what follows a text.
  bool can_write() const { return predicts_tokens() && !reversed; }
};

/// The parameters with which held-out text of an objective is read.
inline Params held_out_params(const ObjectiveSpec& objective, const Params& params) {
  return objective.held_out ? objective.held_out(params) : params;
}

/// How models of this objective generate text.
inline Generation generation_of(const ObjectiveSpec& objective, const Params& params) {
  return objective.generation ? objective.generation(params) : Generation::none;
}

/// The settings at which an arm with these parameters is scored beside its own.
inline std::vector<CommonSetting> common_settings_of(const ObjectiveSpec& objective,
                                                     const Params& params) {
  return objective.common_settings ? objective.common_settings(params)
                                   : std::vector<CommonSetting>();
}

/// Whether the loss of an arm with these parameters is -log p(text) or a bound on it.
inline bool is_text_likelihood(const ObjectiveSpec& objective, const Params& params) {
  return objective.text_likelihood && objective.text_likelihood(params);
}

/// Whether models of this objective predict in place.
inline bool predicts_in_place(const ObjectiveSpec& objective, const Params& params) {
  return objective.predicts_in_place && objective.predicts_in_place(params);
}

/// The format in which models of this objective are asked the question of a Cloze.
inline ClozeFormat cloze_format_of(const ObjectiveSpec& objective, const Params& params) {
  return objective.cloze_format ? objective.cloze_format(params) : ClozeFormat::none;
}

/// The names of the orders of the parts in which its models can be asked; empty where there is one alone.
inline std::vector<std::string_view> cloze_orders_of(const ObjectiveSpec& objective,
                                                     const Params& params) {
  return objective.cloze_orders ? objective.cloze_orders(params) : std::vector<std::string_view>();
}

/// Whether a format of both sides has a token that says where the target ends.
inline bool says_where_middles_end(const ObjectiveSpec& objective, const Params& params) {
  const bool marks = objective.marks_end == nullptr || objective.marks_end(params);
  return marks && cloze_format_of(objective, params) == ClozeFormat::both_sides;
}

}  // namespace ablate
