// Draws attention row by row.

#include "harness/plan/preview/attention_picture.h"

#include <algorithm>
#include <set>

#include "harness/base/utf8.h"

namespace ablate::plan {
namespace {

constexpr std::size_t kNameWidth = 12;

/// A name, cut or padded to the width of its column.
std::string fitted(const std::string& name) {
  const std::string shown = clipped(name, kNameWidth);
  return shown + std::string(kNameWidth - characters(shown), ' ');
}

/// The columns of one stack: how many positions there are, and how many are drawn.
struct Columns {
  Columns(std::int64_t positions, std::size_t maximum)
      : count(static_cast<std::size_t>(positions)), drawn(std::min(count, maximum)) {}

  std::string points(std::int32_t from, std::int32_t until) const {
    std::string points(drawn, '.');
    for (std::size_t i = 0; i < drawn; ++i)
      if (const auto at = static_cast<std::int32_t>(i); from <= at && at < until) points[i] = '#';
    return points;
  }

  /// A line with the number of every tenth column.
  std::string ruler() const {
    std::string ruler(drawn, ' ');
    for (std::size_t i = 0; i < drawn; i += 10) {
      const std::string number = std::to_string(i);
      if (i + number.size() <= drawn) ruler.replace(i, number.size(), number);
    }
    return ruler;
  }

  std::string left_out(const char* of) const {
    if (drawn == count) return "";
    return "  (cut: " + std::string(of) + " " + std::to_string(drawn) + " to " +
           std::to_string(count - 1) + " are not drawn)\n";
  }

  std::size_t count, drawn;
};

}  // namespace

std::string attention_picture(const data::Batch& batch,
                              const std::function<std::string(Token)>& spelled,
                              const PictureSize& size) {
  std::set<std::int32_t> predicting;
  for (const data::Scored& scored : batch.scored)
    for (const std::int32_t at : scored.positions)
      if (at < batch.time) predicting.insert(at);

  const bool apart = batch.source.time > 0;
  const Columns source(batch.source.time, size.columns), own(batch.time, size.columns);
  std::string out = fmt::format("{:{}}{}{}\n", "", kNameWidth + 8,
                                apart ? source.ruler() + '|' : "", own.ruler());
  std::size_t rows = 0;
  for (const std::int32_t at : predicting) {
    if (rows++ == size.rows) break;
    const auto i = static_cast<std::size_t>(at);
    out += fmt::format("{:6} {} ", at, fitted(spelled(batch.tokens[i])));
    if (apart) out += source.points(batch.source_from[i], batch.source_until[i]) + '|';
    out += own.points(batch.visible_from[i], batch.visible_until[i]) + '\n';
  }
  if (predicting.size() > size.rows)
    out += fmt::format("  (cut: {} more positions predict)\n", predicting.size() - size.rows);
  return out + source.left_out("inputs") + own.left_out("positions");
}

}  // namespace ablate::plan
