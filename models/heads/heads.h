// All heads of a network.

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "models/heads/head.h"

namespace ablate::models {

/// The heads of a network with what they share, in the order of the needs. They are the last
/// parameters of every network.
class Heads {
 public:
  /// Adds the parameters of the heads' blocks, then the final norm and the table of tokens, then what
  /// heads have above them. Throws std::invalid_argument for an unknown kind. Requires: bank and
  /// embeddings outlive this object.
  Heads(Bank& bank, const Embeddings& embeddings, const Shape& shape,
        const std::vector<HeadNeed>& needs);

  std::size_t count() const { return heads_.size(); }
  const Output& output() const { return *output_; }
  const Head& at(std::size_t head) const { return *heads_.at(head); }

  /// Whether head number `head` starts from the stream of the one before it.
  bool continues(std::size_t head) const { return needs_.at(head).traits.continues; }

  /// Whether head number `head` fills the masks.
  bool fills(std::size_t head) const { return needs_.at(head).traits.fills; }

  /// The index of the head that fills the masks, if it has targets among these.
  std::optional<std::size_t> filler(const std::vector<train::HeadTargets>& targets) const;

  /// The batch as it is after this filling. The head that fills has no targets in it.
  train::Filled filled(train::Inputs inputs, std::vector<train::HeadTargets> targets,
                       const Filling& filling) const;

  /// The first head's block on the stream of the trunk, in its pass, and the final norm. `sums`: as
  /// in Stack::run.
  Normed last(Pass& pass, ResidualStream trunk, std::vector<at::Tensor>* sums) const;

  /// As train::Network::accumulate, given the stream of the trunk.
  ///
  /// Each head runs forward and backward separately over a detached copy of the stream that it starts
  /// from, so that only one head's logits are in memory at a time. The trunk's backward pass starts
  /// from the sum of the heads' gradients. Heads without targets do not run. Source: Gloeckle et al.
  /// 2024, arXiv:2404.19737, section 2, "Memory-efficient implementation".
  at::Tensor accumulate(const at::Tensor& trunk, const train::Inputs& inputs,
                        const std::vector<train::HeadTargets>& targets,
                        const at::Tensor& scales) const;

 private:
  std::vector<HeadNeed> needs_;
  std::vector<std::unique_ptr<Head>> heads_;
  std::unique_ptr<Output> output_;
};

}  // namespace ablate::models
