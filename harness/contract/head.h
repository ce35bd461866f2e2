// What the planner knows of a head: what turns hidden states into predictions. Heads are a family of
// their own, so an objective asks for one by name. Building one needs LibTorch and is done in
// models/heads/.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/params.h"

namespace ablate {

struct Offer;
struct HeadSpec;

/// What a head with certain parameters is.
struct HeadTraits {
  std::int64_t ahead = 1;     // tokens from its place to what it predicts; 0: it predicts none
  std::int64_t blocks = 0;    // of its own, each as one of the backbone's
  std::int64_t taken = 0;     // of these, those that the trunk has less: they count to the depth
  bool continues = false;     // starts from the stream of the head before it, not from the trunk's
  bool couples_rows = false;  // a target's loss depends on the other targets of its step
  std::int64_t classes = 0;   // what a target is one of; 0: tokens, or the places of a step
  bool reads_shown = false;   // a target's loss depends on the token that its place shows

  /// It has a network of its own, which reads the inputs with their masks. Its targets are then filled in
  /// by a keyed sample of what it predicts, without gradient; that is what the backbone and its heads
  /// read, and labels of replaced tokens are made from it. A network has at most one such head.
  bool fills = false;

  /// Its loss is another than the cross-entropy of tokens, which train.loss shapes.
  bool own_loss = false;

  /// The labels of a place, one after the other, which are one target together. A head of several has no
  /// first choice that could be right.
  std::int64_t labels = 1;

  bool known_optimum = true;  // the exact predictor's loss of its labels is known on the language

  bool operator==(const HeadTraits&) const = default;
};

/// A coefficient that replaces another one once this fraction of the budget is spent.
struct LaterCoefficient {
  double coefficient = 1;
  double from = 1;  // of the phase's budget, in [0, 1]
};

/// A head that an objective asks for. The loss of a step is the sum over heads of coefficient *
/// total / weight.
struct HeadNeed {
  std::string_view kind = "token";  // a name of the catalogue
  Json params = Json::object();     // parameters of that kind that differ from their defaults
  double coefficient = 1;
  std::optional<LaterCoefficient> later = std::nullopt;

  bool scored = true;  // false: another phase's, which this one does not train; set by join_heads()

  const HeadSpec* spec = nullptr;  // of the kind; set by known_heads()
  HeadTraits traits = {};          // by the spec; until it is set, those of a plain token head

  /// The coefficient once this fraction of the phase's budget is spent.
  double coefficient_at(double progress) const {
    return later && progress >= later->from ? later->coefficient : coefficient;
  }

  // Of a kind that was looked up; they throw std::logic_error for another one, and the last two for a
  // kind that is never further than the first head.
  Params settings() const;                          // `params` with every default filled in
  std::string metric(std::string_view what) const;  // of the head, as HeadSpec::metric
  std::string which() const;                        // as HeadSpec::which
};

/// A block of the backbone that a head is built on.
struct BlockCost {
  std::int64_t parameters = 0;
  double multiply_adds = 0;  // per position of a row
  double bytes = 0;          // per position, kept on a GPU for the backward pass
  double fixed_bytes = 0;    // kept so beside those of positions
  std::int64_t idle = 0;     // of the parameters, those that a position does not read
};

/// What a head costs beside the final norm and the table of tokens, which all heads share.
struct HeadCost {
  std::int64_t parameters = 0;
  double multiply_adds = 0;  // per position of a row
  double bytes = 0;          // per position, kept on a GPU for its backward pass

  // Of a head with a network of its own.
  std::int64_t embeddings = 0;  // of the parameters, those of tables
  double per_target = 0;        // multiply-adds of its table for a scored token
  double fixed_bytes = 0;       // kept beside those of positions
  std::int64_t idle = 0;        // of the parameters, those that a position does not read
};

/// A network of a head's own: of the backbone's kind and depth, but narrower.
struct NarrowNetwork {
  double width = 1;  // fraction of the backbone's, in whole attention heads
  bool tied = true;  // reads and predicts by the backbone's token table, between projections
};

/// The sizes of the network that a head is built on.
struct HeadHost {
  std::int64_t width = 0;
  BlockCost block;
  std::function<HeadCost(const NarrowNetwork& own)> network = {};  // what such a network costs
  std::int64_t vocabulary = 0;                                     // ids
};

/// One row of the table of heads.
struct HeadSpec {
  std::string_view name;         // as objectives name it
  std::string_view summary;      // one line
  std::string_view source = {};  // the paper that defines it, with its section
  std::vector<Param> params = {};

  HeadTraits (*traits)(const Params& params);
  HeadCost (*cost)(const Params& params, const HeadHost& host);

  /// Why a backbone with this offer cannot have the head; empty if it can. Null if every one can.
  std::string (*refusal)(const Offer& offer) = nullptr;

  /// The name of a metric of a head after the first, such as "loss_ahead_2" for the loss, and which
  /// head it is, such as "2 tokens ahead". Null: it is never one after the first.
  std::string (*metric)(const Params& params, std::string_view what) = nullptr;
  std::string (*which)(const Params& params) = nullptr;

  bool at_inference = false;  // whether a trained model is used with it; others only help training

  /// What a head that fills counts of its samples, by name: the record keeps sum over count.
  std::vector<std::string_view> facts = {};
};

/// The heads with their specs and traits. Throws std::invalid_argument for a kind that is not among
/// `heads` and for parameters that it refuses.
std::vector<HeadNeed> known_heads(std::vector<HeadNeed> needs, std::span<const HeadSpec> heads);

}  // namespace ablate
