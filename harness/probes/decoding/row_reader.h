// Reads rows whose beginnings were read before without reading those again.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/data/batches/layout.h"
#include "harness/probes/place.h"
#include "harness/train/network/network.h"

namespace ablate::probes {

/// What a network of one lane predicts at places of rows. Of each row it reads what follows the longest
/// beginning that it shares with a row of the call before: so texts that grow, beams, and questions about
/// the same text cost what is new of them. A network that cannot read step by step reads whole rows.
class RowReader {
 public:
  /// The network outlives this, and its parameters do not change meanwhile.
  RowReader(train::Network& network, std::string device);

  /// Token logits at `places` of the rows of a batch (Place::document: the row), row-major [place,
  /// vocabulary]: those of the whole rows, up to rounding. Requires: the rows fit the network's context.
  std::vector<float> logits(const data::Batch& batch, std::span<const Place> places);

  /// The positions that the network was given so far, padding included.
  std::int64_t positions_read() const { return positions_read_; }

 private:
  /// What was read of a row, by position.
  struct Row {
    std::vector<Token> tokens;
    std::vector<std::int32_t> positions, visible_from, visible_until, inner;
    std::vector<std::int32_t> source_from, source_until;
    std::vector<std::int32_t> source;  // all that an encoder read: tokens, positions and visibility
  };

  /// What is read of a row of a batch.
  struct Reading {
    std::int64_t row = 0;                   // of the batch
    std::int64_t first = 0;                 // first place whose logits are wanted
    std::int64_t end = 0;                   // positions that have to be read
    std::int64_t continued = 0;             // row of the state whose beginning it shares
    std::int64_t shared = 0;                // positions of that
    std::vector<std::int32_t> source = {};  // as in Row
  };

  /// The rows with places, in ascending order, and how far they have to be read.
  static std::vector<Reading> readings(const data::Batch& batch, std::span<const Place> places);

  /// Whether the network can read these rows step by step.
  bool steps(const data::Batch& batch, const std::vector<Reading>& readings) const;

  /// How many positions of a row can be taken from `read`.
  std::int64_t shared_with(const data::Batch& batch, const Reading& reading, const Row& read) const;

  /// Finds what each row shares with one that was read, and makes the state that they continue.
  void resume(const data::Batch& batch, std::vector<Reading>& readings);

  /// What an encoder reads of the rows: int64 [4, 1, reading, source time], in the order of each_tensor().
  at::Tensor read_sources(const data::Batch& batch, const std::vector<Reading>& readings);

  /// The hidden states of what each row does not share: [1, reading, time, width]. Takes the sources.
  at::Tensor read(const data::Batch& batch, std::vector<Reading>& readings);

  train::Network& network_;
  std::string device_;
  std::optional<bool> truncates_;  // whether its states do; none: it cannot read step by step
  std::optional<train::DecodingState> state_;  // of the call before
  std::vector<Row> rows_;                      // of the state
  std::int64_t positions_read_ = 0;
};

}  // namespace ablate::probes
