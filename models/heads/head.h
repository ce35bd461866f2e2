// A head: what turns the stream at the end of the trunk into predictions.

#pragma once

#include <memory>
#include <optional>

#include "models/heads/output.h"
#include "models/layers/stack.h"

namespace ablate::models {

/// What a head is built on.
struct HeadSite {
  Bank& bank;                    // that it adds its parameters to
  const Embeddings& embeddings;  // both outlive the head
  const Shape& shape;
  std::int64_t number = 0;  // of the head among those of the network
  std::int64_t layer = 0;   // where its first block stands in the shape's lists of layers
  Params params = {};       // of its kind
};

/// What a head makes of a stream, both [lane, batch, time, width].
struct HeadState {
  at::Tensor stream;  // float32: at the head's end, before the final norm
  at::Tensor hidden;  // what it predicts from
};

/// A batch whose masks a head has filled, of all lanes.
struct Filling {
  at::Tensor tokens;  // int64 [lane, batch, time]: what is read in place of the masks
  at::Tensor
      replaced;      // int64 [lane, batch, time]: 1 where that is not the token of the text, else 0
  at::Tensor facts;  // as train::Totals::facts
};

/// A head as it is by default: it predicts tokens by the table that all heads share, from the stream
/// that it starts from after its final norm. Kinds of heads have a block of their own, or change what
/// enters it or what is predicted from.
class Head {
 public:
  explicit Head(const HeadSite& site);
  virtual ~Head() = default;

  /// Adds the parameters above the final norm, which follow those of the blocks of all heads.
  /// `output` outlives this.
  virtual void finish(const Output& output) { output_ = &output; }

  /// Runs the head's block, if it has one, on the stream that it starts from, in the pass of the
  /// trunk. `sums`: as in Stack::run.
  ResidualStream run(Pass& pass, ResidualStream residual, std::vector<at::Tensor>* sums) const;

  /// The head's state, in a pass of its own.
  virtual HeadState state(const at::Tensor& from, const train::Inputs& inputs) const;

  /// The total loss of each lane's targets in nats, float32 [lane]; differentiable.
  virtual at::Tensor losses(const at::Tensor& hidden, const train::HeadTargets& targets) const;

  /// As train::Network::costs.
  virtual train::TargetCosts costs(const at::Tensor& hidden, std::int64_t lane,
                                   const train::LaneTargets& targets) const;

  /// Logits at chosen positions (int64 [chosen], row * time + t) of one lane: [chosen, class].
  virtual at::Tensor logits(const at::Tensor& hidden, std::int64_t lane,
                            const at::Tensor& positions) const;

  /// Fills the targets' places with a sample, without gradient; of kinds with the trait `fills` alone.
  /// `hidden`: the head's, of these inputs.
  virtual Filling filling(const at::Tensor& hidden, const train::Inputs& inputs,
                          const train::HeadTargets& targets) const;

  /// The head's targets in a batch whose masks are filled.
  virtual train::HeadTargets of_filled(train::HeadTargets targets, const Filling& filling) const {
    static_cast<void>(filling);
    return targets;
  }

 protected:
  /// Gives the head a block. Its parameters are named PREFIXblock.INDEX.
  void add_block(const std::string& prefix, std::int64_t index);

  /// What enters the block.
  virtual at::Tensor enter(const at::Tensor& from, const train::Inputs& inputs) const;

  /// Ids [lane, batch, time] moved so that each place has the one `steps` places later; pad tokens past the end of a
  /// row.
  static at::Tensor later(const at::Tensor& tokens, std::int64_t steps);

  /// What is predicted from, given the stream after the final norm.
  virtual at::Tensor leave(const at::Tensor& normed) const { return normed; }

  /// What all heads share. Requires: finish() was called.
  const Output& output() const { return *output_; }

  Bank& bank() const { return bank_; }
  const Embeddings& embeddings() const { return embeddings_; }
  const Shape& shape() const { return shape_; }

 private:
  Bank& bank_;
  const Embeddings& embeddings_;
  Shape shape_;
  std::int64_t number_, layer_;
  std::optional<Stack> block_;
  const Output* output_ = nullptr;
};

/// Builds a head of the kind of one line of models/specs/heads.inc.
using HeadBuilder = std::unique_ptr<Head> (*)(const HeadSite& site);

}  // namespace ablate::models
