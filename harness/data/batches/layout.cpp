// Lays examples out in rows: tokens, positions, attention and scored targets.

#include "harness/data/batches/layout.h"

#include <algorithm>
#include <numeric>

#include "harness/base/error.h"
#include "harness/data/batches/example_checks.h"
#include "harness/data/batches/stack_rows.h"

namespace ablate::data {
namespace {

void check_room(const char* what, std::int64_t row, std::int64_t used, std::int64_t time) {
  if (used > time)
    reject("layout: row {} has {} {} and room for {}; shorten the texts, or hide fewer spans", row,
           used, what, time);
}

class Layout {
 public:
  Layout(const Needs& needs, Packing packing, std::int64_t rows, const RowShape& shape)
      : needs_(needs), packing_(packing), used_(static_cast<std::size_t>(rows)) {
    batch_.rows = rows;
    batch_.time = shape.time;
    batch_.primary = needs.primary();
    main().fill(rows);
    for (const HeadNeed& need : needs.heads) batch_.scored.emplace_back().need = need;
    if (!needs.separate_inputs) return;
    batch_.source.time = shape.source_time;
    source().fill(rows);
    batch_.source_from.assign(batch_.tokens.size(), 0);
    batch_.source_until.assign(batch_.tokens.size(), 0);
  }

  /// Counts the tokens of each row, so that the end of joined rows is known before they are filled.
  void measure(std::span<const PlacedExample> examples) {
    std::int64_t last = 0;
    for (const PlacedExample& placed : examples) {
      check_example(placed, needs_, packing_, batch_.rows);
      if (placed.row < last) reject("layout: row {} comes after row {}", placed.row, last);
      last = placed.row;
      RowShape& used = used_[static_cast<std::size_t>(placed.row)];
      const RowShape length = taken(needs_, placed.example);
      used = {used.time + length.time, used.source_time + length.source_time};
      check_room("tokens", placed.row, used.time, batch_.time);
      check_room("inputs", placed.row, used.source_time, batch_.source.time);
    }
  }

  void add(const PlacedExample& placed) {
    if (placed.row != row_) offset_ = {};
    row_ = placed.row;
    const RowShape length = taken(needs_, placed.example);
    const Bounds own = {offset_.time, offset_.time + length.time};
    if (needs_.separate_inputs)
      add_apart(placed.example, own,
                {offset_.source_time, offset_.source_time + length.source_time});
    else
      add_whole(placed, own);
    score(placed.example);
    offset_ = {own.until, offset_.source_time + length.source_time};
  }

  Batch take() { return std::move(batch_); }

 private:
  StackRows main() {
    StackRows stack{batch_.time, batch_.tokens, batch_.positions, batch_.visible_from,
                    batch_.visible_until};
    if (needs_.two_intervals) {
      stack.also_from = &batch_.also_from;
      stack.also_until = &batch_.also_until;
    }
    if (needs_.inner_positions) stack.inner = &batch_.inner;
    return stack;
  }

  StackRows source() {
    Source& source = batch_.source;
    return {source.time, source.tokens, source.positions, source.visible_from,
            source.visible_until};
  }

  /// What is read in place of the targets.
  static const std::vector<Token>& read_of(const Example& example) {
    return example.shown.empty() ? example.targets : example.shown;
  }

  bool joined() const { return packing_ == Packing::joined; }
  const RowShape& used() const { return used_[static_cast<std::size_t>(row_)]; }

  void add_whole(const PlacedExample& placed, Bounds own) {
    const Example& example = placed.example;
    StackRows stack = main();
    auto next = stack.tokens.begin() + static_cast<std::ptrdiff_t>(stack.place(row_, own.from));
    next = std::copy(example.inputs.begin(), example.inputs.end(), next);
    if (needs_.alignment == Alignment::continuation)
      std::copy(read_of(example).begin(), read_of(example).end(), next);
    if (joined())
      show({0, used().time}, own, example);
    else if (needs_.alignment == Alignment::continuation || needs_.unit == Unit::document)
      show(own, own, example);
    else
      show_documents(placed);
    if (!example.sees.empty()) stack.see(row_, own, example.sees);
    if (!example.positions.empty())
      stack.place_at(row_, own, example.positions, joined() ? own.from : 0);
    if (!example.inner.empty()) stack.place_within(row_, own, example.inner);
  }

  /// Lets positions of `stretch` see from the start of `seen` to as far as the needs allow.
  void show(Bounds seen, Bounds stretch, const Example& example) {
    std::int64_t minimum = 0;
    if (needs_.attention == Attention::bidirectional)
      minimum = needs_.alignment == Alignment::in_place
                    ? seen.until
                    : stretch.from + static_cast<std::int64_t>(example.inputs.size());
    main().show(row_, seen, stretch, minimum);
  }

  /// Finds the documents of an in-place example: by the special ids of the text, which corruption
  /// leaves unchanged, or by those of the inputs where the objective changed the length.
  void show_documents(const PlacedExample& placed) {
    const std::size_t size = placed.example.inputs.size();
    const std::span<const Token> ids = placed.text.tokens.size() == size
                                           ? placed.text.tokens
                                           : std::span<const Token>(placed.example.inputs);
    for (std::size_t first = 0; first < size;) {
      const std::size_t end = document_end(ids, first);
      const Bounds document = {offset_.time + static_cast<std::int64_t>(first),
                               offset_.time + static_cast<std::int64_t>(end)};
      show(document, document, placed.example);
      first = end;
    }
  }

  /// Inputs to the encoder, targets shifted by one to the decoder.
  void add_apart(const Example& example, Bounds own, Bounds read) {
    StackRows decoder = main(), encoder = source();
    std::copy(example.inputs.begin(), example.inputs.end(),
              encoder.tokens.begin() + static_cast<std::ptrdiff_t>(encoder.place(row_, read.from)));
    const Bounds readable = joined() ? Bounds{0, used().source_time} : read;
    encoder.show(row_, readable, read, readable.until);
    decoder.show(row_, joined() ? Bounds{0, used().time} : own, own, 0);
    for (std::int64_t i = own.from; i < own.until; ++i) {
      const std::size_t at = decoder.place(row_, i);
      decoder.tokens[at] = i == own.from
                               ? begin_token
                               : read_of(example)[static_cast<std::size_t>(i - own.from - 1)];
      batch_.source_from[at] = static_cast<std::int32_t>(readable.from);
      batch_.source_until[at] = static_cast<std::int32_t>(readable.until);
    }
    if (example.positions.empty()) return;
    const std::span<const std::int32_t> given = example.positions;
    encoder.place_at(row_, read, given, joined() ? read.from : 0);
    decoder.place_at(row_, own, given.subspan(example.inputs.size()), joined() ? own.from : 0);
  }

  void score(const Example& example) {
    const bool follows = needs_.alignment == Alignment::continuation && !needs_.separate_inputs;
    // In one stack, target i of a continuation is read one place after the state that predicts it.
    const std::int64_t first =
        offset_.time + (follows ? static_cast<std::int64_t>(example.inputs.size()) - 1 : 0);
    const auto add = [&](Scored& scored, std::int64_t time, Token target, float weight) {
      if (!(weight > 0)) return;
      if (time < offset_.time)
        reject("layout: the first target of a continuation without inputs is scored; settle() it");
      scored.positions.push_back(static_cast<std::int32_t>(main().place(row_, time)));
      scored.targets.push_back(target);
      scored.weights.push_back(weight);
    };
    if (const std::optional<std::size_t> part = needs_.target_part()) {
      double weight = 0;
      Scored& scored = batch_.scored[*part];
      for (std::size_t i = 0; i < example.targets.size(); ++i) {
        add(scored, first + static_cast<std::int64_t>(i), example.targets[i], example.weights[i]);
        weight += example.weights[i];
      }
      if (example.loss_denominator) scored.unscored += *example.loss_denominator - weight;
    }
    for (const Label& label : example.labels) {
      Scored& scored = batch_.scored[needs_.part(static_cast<std::size_t>(label.head))];
      if (label.partner < 0)
        add(scored, first + label.at, label.target, label.weight);
      else
        add(scored, offset_.time + label.at,
            static_cast<Token>(main().place(row_, offset_.time + label.partner)), label.weight);
    }
  }

  const Needs& needs_;
  Packing packing_;
  std::vector<RowShape> used_;  // tokens by row
  std::int64_t row_ = 0;
  RowShape offset_;  // of the next example in its row
  Batch batch_;
};

}  // namespace

double Scored::weight() const { return std::accumulate(weights.begin(), weights.end(), unscored); }

std::int64_t scored_tokens(const Batch& batch) {
  std::int64_t count = 0;
  for (const Scored& scored : batch.scored)
    if (scored.need.traits.ahead > 0) count += std::ssize(scored.positions);
  return count;
}

void settle(Example& example, const Needs& needs) {
  check_weights(example);
  for (std::size_t i = 0; i < example.targets.size(); ++i)
    if (example.targets[i] == pad_token || (example.targets[i] == begin_token && !needs.reversed))
      example.weights[i] = 0;
  if (needs.alignment == Alignment::in_place || needs.separate_inputs || !example.inputs.empty())
    return;
  // Nothing precedes the first target, so no state predicts it; the same holds for heads further
  // ahead.
  if (!example.weights.empty()) example.weights.front() = 0;
  for (Label& label : example.labels)
    if (label.at == 0 && label.partner < 0) label.weight = 0;
}

Batch lay_out(std::span<const PlacedExample> examples, const Needs& needs, Packing packing,
              std::int64_t rows, const RowShape& shape) {
  if (rows < 1 || shape.time < 1 || shape.source_time < 0)
    reject("layout: got {} rows of {} positions; both must be at least 1", rows, shape.time);
  Layout layout(needs, packing, rows, shape);
  layout.measure(examples);
  for (const PlacedExample& placed : examples) layout.add(placed);
  return layout.take();
}

}  // namespace ablate::data
