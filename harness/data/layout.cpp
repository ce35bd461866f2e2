// Lays examples out in rows: tokens, positions, who may see whom, and what is scored where.

#include "harness/data/layout.h"

#include <algorithm>
#include <numeric>

#include "harness/base/error.h"

namespace ablate {
namespace {

std::size_t length(const Example& example, Alignment alignment) {
  const bool follows = alignment == Alignment::continuation;
  return example.inputs.size() + (follows ? example.targets.size() : 0);
}

void check_weights(const Example& example) {
  if (example.weights.size() != example.targets.size())
    reject("layout: an example has ", example.targets.size(), " targets and ",
           example.weights.size(), " weights; one weight a target is needed");
}

void check(const Placed& placed, Alignment alignment, std::int64_t rows) {
  const Example& example = placed.example;
  if (placed.row < 0 || placed.row >= rows)
    reject("layout: row ", placed.row, " of an example is outside [0, ", rows, ")");
  check_weights(example);
  if (alignment == Alignment::in_place && example.targets.size() != example.inputs.size())
    reject("layout: an in-place example has ", example.inputs.size(), " inputs and ",
           example.targets.size(), " targets; target i belongs to input i");
  if (!example.positions.empty() && example.positions.size() < length(example, alignment))
    reject("layout: an example has ", length(example, alignment), " tokens and ",
           example.positions.size(), " positions");
}

/// A stretch of one row whose positions see no further than it.
struct Bounds {
  std::int64_t from = 0;
  std::int64_t until = 0;
};

class Layout {
 public:
  Layout(const Needs& needs, Packing packing, std::int64_t rows, std::int64_t time)
      : needs_(needs), packing_(packing), used_(static_cast<std::size_t>(rows)) {
    batch_.rows = rows;
    batch_.time = time;
    const auto places = static_cast<std::size_t>(rows * time);
    batch_.tokens.assign(places, pad_token);
    batch_.positions.assign(places, 0);
    batch_.visible_from.assign(places, 0);
    batch_.visible_until.assign(places, 0);
    for (const Head head : needs.heads) batch_.scored.emplace_back().head = head;
  }

  /// Counts what each row is to hold, so that joined rows know their end before they are filled.
  void measure(std::span<const Placed> examples) {
    std::int64_t last = 0;
    for (const Placed& placed : examples) {
      check(placed, needs_.alignment, batch_.rows);
      if (placed.row < last) reject("layout: row ", placed.row, " comes after row ", last);
      last = placed.row;
      std::int64_t& used = used_[static_cast<std::size_t>(placed.row)];
      used += static_cast<std::int64_t>(length(placed.example, needs_.alignment));
      if (used > batch_.time)
        reject("layout: row ", placed.row, " is to hold ", used, " tokens and has room for ",
               batch_.time, "; shorten the texts, or hide fewer spans");
    }
  }

  void add(const Placed& placed) {
    if (placed.row != row_) offset_ = 0;
    row_ = placed.row;
    const std::int64_t end = offset_ + write_tokens(placed.example);
    const Bounds example = {offset_, end};
    if (packing_ == Packing::joined)
      show({0, used_[static_cast<std::size_t>(row_)]}, example, placed.example);
    else if (needs_.alignment == Alignment::continuation)
      show(example, example, placed.example);
    else
      show_documents(placed);
    if (!placed.example.positions.empty()) write_positions(placed.example, end);
    score(placed.example);
    offset_ = end;
  }

  Batch take() { return std::move(batch_); }

 private:
  std::size_t place(std::int64_t position) const {
    return static_cast<std::size_t>(row_ * batch_.time + position);
  }

  std::int64_t write_tokens(const Example& example) {
    auto next = batch_.tokens.begin() + static_cast<std::ptrdiff_t>(place(offset_));
    next = std::copy(example.inputs.begin(), example.inputs.end(), next);
    if (needs_.alignment == Alignment::continuation)
      std::copy(example.targets.begin(), example.targets.end(), next);
    return static_cast<std::int64_t>(length(example, needs_.alignment));
  }

  /// Positions of `stretch` see from the start of `seen` to as far as the needs allow.
  void show(Bounds seen, Bounds stretch, const Example& example) {
    std::int64_t least = 0;
    if (needs_.attention == Attention::bidirectional)
      least = needs_.alignment == Alignment::in_place
                  ? seen.until
                  : stretch.from + static_cast<std::int64_t>(example.inputs.size());
    for (std::int64_t i = stretch.from; i < stretch.until; ++i) {
      const std::size_t at = place(i);
      batch_.visible_from[at] = static_cast<std::int32_t>(seen.from);
      batch_.visible_until[at] = static_cast<std::int32_t>(std::max(i + 1, least));
      batch_.positions[at] = static_cast<std::int32_t>(i - seen.from);
    }
  }

  /// In place, a window's documents are told apart by the ids of the text, which no corruption
  /// touches where they are special; by those of the inputs where an objective changed the length.
  void show_documents(const Placed& placed) {
    const std::size_t size = placed.example.inputs.size();
    const std::span<const Token> ids = placed.text.tokens.size() == size
                                           ? placed.text.tokens
                                           : std::span<const Token>(placed.example.inputs);
    for (std::size_t first = 0; first < size;) {
      const std::size_t end = document_end(ids, first);
      const Bounds document = {offset_ + static_cast<std::int64_t>(first),
                               offset_ + static_cast<std::int64_t>(end)};
      show(document, document, placed.example);
      first = end;
    }
  }

  void write_positions(const Example& example, std::int64_t end) {
    const std::int64_t origin = packing_ == Packing::joined ? offset_ : 0;
    for (std::int64_t i = offset_; i < end; ++i) {
      const auto given = example.positions[static_cast<std::size_t>(i - offset_)];
      const std::int64_t position = origin + given;
      if (given < 0 || position >= batch_.time)
        reject("layout: position ", position, " is outside [0, ", batch_.time, ")");
      batch_.positions[place(i)] = static_cast<std::int32_t>(position);
    }
  }

  void score(const Example& example) {
    Scored& scored = of(example.head);
    const bool follows = needs_.alignment == Alignment::continuation;
    // Target i of a continuation is read one place after the state that predicts it.
    const std::int64_t first =
        offset_ + (follows ? static_cast<std::int64_t>(example.inputs.size()) - 1 : 0);
    for (std::size_t i = 0; i < example.targets.size(); ++i) {
      if (!(example.weights[i] > 0)) continue;
      const std::int64_t position = first + static_cast<std::int64_t>(i);
      if (position < offset_)
        reject("layout: the first target of a continuation without inputs is scored; settle() it");
      scored.at.push_back(static_cast<std::int32_t>(place(position)));
      scored.targets.push_back(example.targets[i]);
      scored.weights.push_back(example.weights[i]);
    }
  }

  Scored& of(Head head) {
    for (Scored& scored : batch_.scored)
      if (scored.head == head) return scored;
    reject("layout: an example is for a head that its objective does not state among its needs");
  }

  const Needs& needs_;
  Packing packing_;
  std::vector<std::int64_t> used_;  // tokens by row
  std::int64_t row_ = 0;
  std::int64_t offset_ = 0;  // of the next example in its row
  Batch batch_;
};

}  // namespace

double Scored::weight() const { return std::accumulate(weights.begin(), weights.end(), 0.0); }

std::size_t document_end(std::span<const Token> tokens, std::size_t first) {
  for (std::size_t i = first; i < tokens.size(); ++i) {
    if (tokens[i] == end_token) return i + 1;
    if (tokens[i] == begin_token && i > first) return i;
  }
  return tokens.size();
}

void settle(Example& example, Alignment alignment) {
  check_weights(example);
  for (std::size_t i = 0; i < example.targets.size(); ++i)
    if (example.targets[i] == begin_token || example.targets[i] == pad_token)
      example.weights[i] = 0;
  if (alignment == Alignment::continuation && example.inputs.empty() && !example.weights.empty())
    example.weights.front() = 0;
}

Batch lay_out(std::span<const Placed> examples, const Needs& needs, Packing packing,
              std::int64_t rows, std::int64_t time) {
  if (rows < 1 || time < 1)
    reject("layout: ", rows, " rows of ", time, " positions; both are at least 1");
  Layout layout(needs, packing, rows, time);
  layout.measure(examples);
  for (const Placed& placed : examples) layout.add(placed);
  return layout.take();
}

}  // namespace ablate
