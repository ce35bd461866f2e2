// What a pre-training objective is.
//
// An objective decides two things, and nothing else in the system does:
//   transform   what the model reads and what it must predict
//   needs       what a model must offer to host it, its heads included
// It never sees a model, an optimizer, a device or a file, and it includes no
// LibTorch: layout (harness/data) turns Examples into a batch, a head of models/
// turns targets and weights into a loss.

#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "harness/base/rng.h"
#include "harness/contract/chain.h"
#include "harness/contract/example.h"
#include "harness/contract/loss.h"
#include "harness/contract/params.h"

namespace ablate {

/// How far attention may look within Example::inputs. It is the most that a host may show: a
/// continuation objective may be hosted with less, an in-place one may not.
enum class Attention { causal, bidirectional };

/// How Example::targets line up with Example::inputs.
enum class Alignment {
  in_place,      // target i is predicted at input i
  continuation,  // the targets follow the inputs and are predicted left to right
};

/// What a transform is given.
enum class Unit {
  window,    // a stretch of the corpus, whatever documents it touches
  document,  // one document's part of a window
};

/// What the head of a future token is made of (multi-token prediction).
enum class FutureKind {
  transformer,  // a block of its own on the trunk; the head of the next token has one, too
  linear,       // a matrix of its own on the last hidden state
  sequential,   // a block that reads the former head's state and the token that came true
  shared,       // nothing: the last hidden state predicts all
};

/// A head, and its share in the loss of a step: the sum over heads of coefficient * total / weight.
struct HeadNeed {
  Head head = Head::token;
  std::int64_t ahead = 1;  // of future_tokens: how many tokens ahead it predicts, 2 and up
  double coefficient = 1;
};

/// What a model must offer; the planner checks it before any training.
struct Needs {
  Attention attention = Attention::causal;
  Alignment alignment = Alignment::continuation;
  Unit unit = Unit::window;
  std::vector<HeadNeed> heads = std::vector<HeadNeed>(1);  // the first predicts tokens
  FutureKind future = FutureKind::transformer;
  bool shorten_trunk = false;  // by the blocks that heads add, so that parameters agree
  bool reads = true;           // whether there are inputs at all; causal LM has none
  std::int64_t sentinels = 0;
  bool second_network = false;
  bool separate_inputs = false;  // said by the host: an encoder reads the inputs, a decoder follows
};

/// The most that an example of a text takes, in tokens.
struct Lengths {
  std::int64_t inputs = 0;
  std::int64_t targets = 0;
  std::int64_t both = 0;  // inputs and targets of one example together
};

/// Positions of a row of a batch.
struct RowShape {
  std::int64_t time = 0;         // of the stack that predicts
  std::int64_t source_time = 0;  // of the encoder, where inputs are read apart

  bool operator==(const RowShape&) const = default;
};

/// What an objective is to do on average. The record keeps what it did beside it, and a trial whose
/// objective did something else fails.
struct Intended {
  std::string_view name;  // a key of Realised::json, or a fact
  double value = 0;
  double tolerance = 0;  // difference that is accepted whatever the number of texts
};

/// What the probes may ask of a trained model under its own objective.
enum class Generation { none, ancestral, unmasking };

struct Objective {
  Needs needs;

  /// The examples made from one text: one, or several where an objective has several views.
  /// Pure: a function of the text and the random numbers alone.
  std::function<std::vector<Example>(const Text& text, Rng rng)> transform;

  /// The least expected loss of any predictor of `example`, which `transform` made from `text`,
  /// given that the text was drawn from `language`: the exact predictor's loss on this very
  /// example. Empty where none is known.
  std::function<Loss(const Chain& language, const Text& text, const Example& example)> optimum;

  /// The loss of the best predictor that sees no context: what is shown at the target's own
  /// position, and nothing else. `unigram[v]` is the law of a token of the text, v counted from 0.
  std::function<Loss(std::span<const double> unigram, const Text& text, const Example& example)>
      context_free;

  /// The optimum of each further head of the needs, in their order, on the same example; empty
  /// where none is known.
  std::function<std::vector<Loss>(const Chain& language, const Text& text, const Example& example)>
      label_optima;

  /// The most that an example of a text of this many tokens takes; empty: the text's own tokens.
  std::function<Lengths(std::int64_t text_tokens)> lengths;

  std::vector<Intended> intended = {};
};

/// The most that an example of a text of `text_tokens` tokens takes.
inline Lengths lengths_of(const Objective& objective, std::size_t text_tokens) {
  const auto tokens = static_cast<std::int64_t>(text_tokens);
  if (objective.lengths) return objective.lengths(tokens);
  return {tokens, tokens, tokens};
}

/// What an objective is told about the trial that it serves.
struct Context {
  Vocabulary vocabulary;
  std::int64_t text_length = 0;  // tokens of a window: the most that a transform is given
};

/// A setting at which every arm of the objective is also scored, whatever its own parameters are,
/// so that arms of a sweep have one loss in common: masked LM at 15 %, say.
struct CommonSetting {
  std::string_view name;  // of the metrics: held_out.loss_NAME
  Json params;            // over the objective's defaults
};

/// An objective before its parameters are chosen.
struct ObjectiveSpec {
  std::string_view name;     // as written in experiment files
  std::string_view summary;  // one line
  std::string_view picture;  // text, inputs, targets on a tiny example, as `describe` prints it
  std::string_view source;   // the paper that defines it, with its section
  std::string_view differs = {};  // from the source, and why: a line each; empty where it does not
  std::vector<Param> params;
  Objective (*build)(const Params& params, const Context& context);
  OptimumKind (*optimum_kind)(const Params& params);
  Generation generation = Generation::none;

  /// The heads of its needs after the first; null: none at any parameters.
  std::vector<HeadNeed> (*further_heads)(const Params& params) = nullptr;
  bool text_likelihood = false;  // its loss is -log p(text), or a bound of it: bits per byte exist
  std::vector<CommonSetting> common_settings = {};
  int version = 1;  // raised when its numbers change; part of every trial's id
};

}  // namespace ablate
