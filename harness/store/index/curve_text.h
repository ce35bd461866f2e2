// Training curves as the index keeps them: a text for each, which SQL can read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/store/journal/curve_point.h"
#include "harness/store/journal/journal_lines.h"

namespace ablate::store {

/// A training curve as text, made point by point: a JSON array with an array for each, [step,
/// text_tokens, loss, learning_rate, gradient_norm, spike (0 or 1)]. What is not a number is null, as
/// is the loss of steps that scored nothing; an infinity is +-9e999.
class CurveText {
 public:
  /// Adds a point. Those at or after its step are removed: they were computed again.
  void add(const CurvePoint& point);

  /// The same of a point that a journal holds. Its numbers are copied as they are written there: most
  /// curves are stored and not looked at.
  void add(const CurveEvent& event);

  bool empty() const { return begins_.empty(); }

  /// The text; "[]" where there is no point.
  std::string text() const { return text_ + ']'; }

  /// The points.
  std::vector<CurvePoint> points() const;

 private:
  void begin(std::int64_t step);

  std::string text_ = "[";
  std::vector<std::pair<std::int64_t, std::size_t>> begins_;  // of each point: its step, and where
};

/// The points of a text that CurveText made. Throws DamagedFile for any other.
std::vector<CurvePoint> curve_in(std::string_view text);

/// Its last point, without reading the others; nothing where it has none. Throws DamagedFile where the
/// text does not end with a point.
std::optional<CurvePoint> last_point_in(std::string_view text);

}  // namespace ablate::store
