// What the planner knows of the layers of a block: its mixer, in which positions read each other, and
// its feed-forward layer, which reads each position by itself. Building one needs LibTorch and is done in
// models/mixers/ and models/feed_forwards/.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/params.h"

namespace ablate::models {

struct Shape;

/// One row of the table of mixers. What it counts is without the norm before it, which every mixer has.
struct MixerSpec {
  std::string_view name;     // as written in experiment files
  std::string_view summary;  // one line
  std::string_view source;   // the paper that defines it, with its section

  /// Its weights. `first`: no block before it in its stack has the same mixer.
  std::int64_t (*parameters)(const Shape& shape, bool first);

  /// Multiply-adds of the forward pass per position of a row with `time` positions.
  double (*multiply_adds)(const Shape& shape, std::int64_t time, bool first);

  /// Bytes per position that it keeps on a GPU for the backward pass; activations have `unit` bytes.
  double (*bytes)(const Shape& shape, double unit);

  /// How many numbers it keeps at inference of the `time` positions that it has read.
  std::int64_t (*state)(const Shape& shape, std::int64_t time);

  /// Whether it keeps each position apart, so that the last ones can be forgotten again.
  bool truncates = true;

  /// Whether it can let the inputs see each other while what follows them sees the past alone.
  bool prefix = true;

  /// Whether a place can see two intervals.
  bool two_intervals = true;

  /// Whether the model's `state_size` is the size of what it keeps.
  bool sized = false;

  /// Whether the model's `window` is how far it reads.
  bool windowed = false;

  /// Whether it has queries and keys that the model's `query_key_norm` norms.
  bool queries = false;

  /// Whether rotary positions rotate its queries and keys.
  bool rotates = false;

  /// Whether its scores fall with the distance of positions that are given so (ALiBi).
  bool by_distance = false;

  /// The narrowest heads that it can have.
  std::int64_t min_head_width = 1;

  /// Whether the model's `key_value_heads` is how many heads of keys and values it has.
  bool grouped = false;
};

/// One row of the table of feed-forward layers. What it counts is without the norm before it.
struct FeedForwardSpec {
  std::string_view name;     // as written in experiment files
  std::string_view summary;  // one line
  std::string_view source;   // the paper that defines it, with its section

  /// Its units, after the gate where it has one.
  std::int64_t (*hidden)(const Shape& shape);

  /// Its weights.
  std::int64_t (*parameters)(const Shape& shape);

  /// Multiply-adds of the forward pass per position.
  double (*multiply_adds)(const Shape& shape);

  /// As of a mixer.
  double (*bytes)(const Shape& shape, double unit);

  /// Bytes that it keeps so beside those of positions, at most. Null: none.
  double (*fixed_bytes)(const Shape& shape, double unit) = nullptr;

  /// Its weights that a position does not read. Null: each reads all.
  std::int64_t (*idle)(const Shape& shape) = nullptr;

  /// Whether it chooses experts for each position.
  bool routes = false;

  /// Settings of the model that are of this layer alone, all optional. Null: none.
  std::vector<Param> (*params)() = nullptr;

  /// Sets what they say of a shape. Null where there are none.
  void (*set)(Shape& shape, const Params& model) = nullptr;

  /// Why what they say does not go together; empty if it does. Null: it always does.
  std::string (*refusal)(const Shape& shape) = nullptr;
};

}  // namespace ablate::models
