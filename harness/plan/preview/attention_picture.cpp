// Draws attention row by row.

#include "harness/plan/preview/attention_picture.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "harness/base/utf8.h"

namespace ablate::plan {
namespace {

constexpr std::size_t kNameWidth = 12;
constexpr std::size_t kMaxTold = 16;  // lines about rows that are not drawn

/// A name, cut or padded to the width of its column.
std::string fitted(const std::string& name) {
  const std::string shown = clipped(name, kNameWidth);
  return shown + std::string(kNameWidth - characters(shown), ' ');
}

/// The positions [from, until) that a position sees, and those of a second interval.
struct Seen {
  std::int32_t from, until;
  std::int32_t also_from = 0, also_until = 0;

  bool has(std::size_t position) const {
    const auto at = static_cast<std::int32_t>(position);
    return (from <= at && at < until) || (also_from <= at && at < also_until);
  }

  bool operator==(const Seen&) const = default;
};

/// The columns of one stack: how many positions there are, and how many are drawn.
struct Columns {
  Columns(std::int64_t positions, std::size_t maximum)
      : count(static_cast<std::size_t>(positions)), drawn(std::min(count, maximum)) {}

  std::string points(const Seen& seen) const {
    std::string points(drawn, '.');
    for (std::size_t i = 0; i < drawn; ++i)
      if (seen.has(i)) points[i] = '#';
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
    return fmt::format("  (cut: columns of {} {} to {} are not drawn)\n", of, drawn, count - 1);
  }

  std::size_t count, drawn;
};

/// The rows of one stack that see positions of the same stack.
struct SeenRows {
  Seen at(std::size_t i) const {
    Seen seen{(*from)[i], (*until)[i]};
    if (also_from == nullptr || also_from->empty()) return seen;
    seen.also_from = (*also_from)[i];
    seen.also_until = (*also_until)[i];
    return seen;
  }

  /// Whether row i sees up to itself and no further, as under a causal mask.
  bool ends_at_itself(std::size_t i) const {
    const Seen seen = at(i);
    return seen.until == static_cast<std::int32_t>(i) + 1 && seen.also_until == 0;
  }

  /// Whether two rows can be told of in one line.
  bool alike(std::size_t i, std::size_t j) const {
    return at(i) == at(j) || (at(i).from == at(j).from && ends_at_itself(i) && ends_at_itself(j));
  }

  std::string told(const char* of, std::size_t first, std::size_t last) const {
    const Seen seen = at(first);
    const std::string who = first == last ? fmt::format("{} {}: sees", of, first)
                                          : fmt::format("{} {} to {}: each sees", of, first, last);
    if (seen.until <= seen.from) return who + " nothing";
    if (first != last && at(last) != seen) return fmt::format("{} {} to itself", who, seen.from);
    std::string told = fmt::format("{} {} to {}", who, seen.from, seen.until - 1);
    if (seen.also_until == 0) return told;
    return fmt::format("{} and {} to {}", told, seen.also_from, seen.also_until - 1);
  }

  /// What the rows from `drawn` on see, a line for each run of rows that are alike.
  std::string not_drawn(const char* of, std::size_t drawn) const {
    std::string lines;
    std::size_t count = 0;
    for (std::size_t first = drawn; first < from->size(); ++count) {
      if (count == kMaxTold)
        return lines + fmt::format("  (cut: {} from {} on; --json has them all)\n", of, first);
      std::size_t last = first;
      while (last + 1 < from->size() && alike(first, last + 1)) ++last;
      lines += fmt::format("  (not drawn: {})\n", told(of, first, last));
      first = last + 1;
    }
    return lines;
  }

  const std::vector<std::int32_t>*from, *until;
  const std::vector<std::int32_t>*also_from = nullptr, *also_until = nullptr;
};

std::string line_of(std::size_t position, bool predicts, const std::string& name) {
  return fmt::format("{:5}{} {} ", position, predicts ? '*' : ' ', fitted(name));
}

}  // namespace

std::string attention_picture(const data::Batch& batch,
                              const std::function<std::string(Token)>& spelled,
                              const PictureSize& size) {
  std::set<std::size_t> predicting;
  for (const data::Scored& scored : batch.scored)
    for (const std::int32_t at : scored.positions) predicting.insert(static_cast<std::size_t>(at));

  const bool apart = batch.source.time > 0;
  const Columns source(batch.source.time, size.columns), own(batch.time, size.columns);
  const std::size_t source_rows = std::min(source.count, size.rows);
  const std::size_t own_rows = std::min(own.count, size.rows);
  const SeenRows in_source{&batch.source.visible_from, &batch.source.visible_until};
  const SeenRows in_own{&batch.visible_from, &batch.visible_until, &batch.also_from,
                        &batch.also_until};
  std::string out = fmt::format("{:{}}{}{}\n", "", kNameWidth + 8,
                                apart ? source.ruler() + '|' : "", own.ruler());
  for (std::size_t i = 0; i < source_rows; ++i)
    out +=
        line_of(i, false, spelled(batch.source.tokens[i])) + source.points(in_source.at(i)) + "|\n";
  for (std::size_t i = 0; i < own_rows; ++i) {
    out += line_of(i, predicting.contains(i), spelled(batch.tokens[i]));
    if (apart) out += source.points({batch.source_from[i], batch.source_until[i]}) + '|';
    out += own.points(in_own.at(i)) + '\n';
  }
  return out + source.left_out("inputs") + own.left_out("positions") +
         in_source.not_drawn("inputs", source_rows) + in_own.not_drawn("positions", own_rows);
}

}  // namespace ablate::plan
