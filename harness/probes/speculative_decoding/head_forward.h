// One forward of a network with heads for several tokens ahead.

#pragma once

#include <ATen/core/Tensor.h>

#include <span>
#include <string>
#include <vector>

#include "harness/data/batches/layout.h"
#include "harness/probes/decoding/logits.h"
#include "harness/train/network/network.h"

namespace ablate::probes {

/// Runs documents through the trunk once. Its heads are then asked in ascending order, each at
/// places of its own.
class HeadForward {
 public:
  /// `heads`: of the network, at least 2, of known kinds. Requires: a network of one lane, which outlives this;
  /// documents fit its context.
  HeadForward(train::Network& network, std::span<const std::span<const Token>> documents,
              std::span<const HeadNeed> heads, std::string device);

  /// The logits of the next head, the first one first: row-major [place, vocabulary]. The first head
  /// predicts the token after a place, head number h that h tokens further.
  std::vector<float> next_logits(std::span<const Place> places);

  /// Places a token, which may stand after its document's last one: what heads read that continue each
  /// other.
  void write(const Place& place, Token token);

  /// Whether each further head continues the one before it, and reads what is written.
  bool continues() const { return continues_; }

 private:
  train::Network& network_;
  bool continues_;
  std::string device_;
  data::Batch batch_;
  train::Inputs inputs_;
  bool written_ = false;  // since `inputs_` were made
  train::HeadStreams streams_;
  std::size_t next_ = 0;  // head
};

}  // namespace ablate::probes
