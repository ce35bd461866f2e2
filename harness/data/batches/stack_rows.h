// The rows of an encoder or decoder in a batch; both are laid out by the same rules.

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/base/error.h"
#include "harness/contract/example.h"

namespace ablate::data {

/// The positions [from, until) of a row.
struct Bounds {
  std::int64_t from = 0;
  std::int64_t until = 0;
};

/// The fields that encoder and decoder have in common, row-major [rows, time].
struct StackRows {
  std::int64_t time;
  std::vector<Token>& tokens;
  std::vector<std::int32_t>&positions, &visible_from, &visible_until;

  // Of a stack whose places have such; null otherwise.
  std::vector<std::int32_t>*also_from = nullptr, *also_until = nullptr, *inner = nullptr;

  /// Sets all positions of `rows` rows to pads that see nothing.
  void fill(std::int64_t rows) {
    const auto places = static_cast<std::size_t>(rows * time);
    tokens.assign(places, pad_token);
    for (auto* field : {&positions, &visible_from, &visible_until, also_from, also_until, inner})
      if (field != nullptr) field->assign(places, 0);
  }

  /// The index of a position in the fields.
  std::size_t place(std::int64_t row, std::int64_t position) const {
    return static_cast<std::size_t>(row * time + position);
  }

  /// Lets positions of `stretch` see from the start of `seen` to themselves, and at least to
  /// `minimum`. Numbers them from the start of `seen`.
  void show(std::int64_t row, Bounds seen, Bounds stretch, std::int64_t minimum) {
    for (std::int64_t i = stretch.from; i < stretch.until; ++i) {
      const std::size_t at = place(row, i);
      visible_from[at] = static_cast<std::int32_t>(seen.from);
      visible_until[at] = static_cast<std::int32_t>(std::max(i + 1, minimum));
      positions[at] = static_cast<std::int32_t>(i - seen.from);
    }
  }

  /// Lets each position of `stretch` see the places of the stretch that `sights` gives it.
  void see(std::int64_t row, Bounds stretch, std::span<const Sight> sights) {
    for (std::int64_t i = stretch.from; i < stretch.until; ++i) {
      const Sight& own = sights[static_cast<std::size_t>(i - stretch.from)];
      const std::size_t at = place(row, i);
      visible_from[at] = static_cast<std::int32_t>(stretch.from + own.from);
      visible_until[at] = static_cast<std::int32_t>(stretch.from + own.until);
      if (!own.is_split()) continue;
      also_from->at(at) = static_cast<std::int32_t>(stretch.from + own.also_from);
      also_until->at(at) = static_cast<std::int32_t>(stretch.from + own.also_until);
    }
  }

  /// Gives the positions of `stretch` their second positions. Throws std::invalid_argument where one is
  /// outside the row.
  void place_within(std::int64_t row, Bounds stretch, std::span<const std::int32_t> given) {
    for (std::int64_t i = stretch.from; i < stretch.until; ++i) {
      const std::int32_t own = given[static_cast<std::size_t>(i - stretch.from)];
      if (own < 0 || own >= time)
        reject("layout: second position {} is outside [0, {})", own, time);
      inner->at(place(row, i)) = own;
    }
  }

  /// Gives the positions of `stretch` the numbers `given`, counted from `origin`. Throws
  /// std::invalid_argument where one is outside the row.
  void place_at(std::int64_t row, Bounds stretch, std::span<const std::int32_t> given,
                std::int64_t origin) {
    for (std::int64_t i = stretch.from; i < stretch.until; ++i) {
      const auto own = given[static_cast<std::size_t>(i - stretch.from)];
      if (own < 0 || origin + own >= time)
        reject("layout: position {} is outside [0, {})", origin + own, time);
      positions[place(row, i)] = static_cast<std::int32_t>(origin + own);
    }
  }
};

}  // namespace ablate::data
