// Draws the batches of a trial from a part of a corpus.

#include "harness/data/batches.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>

#include "harness/base/error.h"

namespace ablate {
namespace {

/// A stretch of the part's tokens.
struct Piece {
  std::size_t first = 0;
  std::size_t count = 0;
};

using Order = std::vector<std::int32_t>;

/// The numbers [0, count) in an order in which every one is equally likely (Fisher & Yates).
Order shuffled(std::int64_t count, Rng rng) {
  Order order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::int64_t left = count; left > 1; --left)
    std::swap(order[static_cast<std::size_t>(left - 1)],
              order[static_cast<std::size_t>(rng.below(left))]);
  return order;
}

/// The documents of a part, each cut into pieces of at most `context` tokens.
std::vector<Piece> document_pieces(std::span<const Token> tokens, std::size_t context) {
  std::vector<Piece> pieces;
  for (std::size_t first = 0; first < tokens.size();) {
    const std::size_t end = document_end(tokens, first);
    for (; first < end; first = std::min(first + context, end))
      pieces.push_back({first, std::min(context, end - first)});
  }
  return pieces;
}

std::int64_t count_raw(std::span<const Token> tokens) {
  return std::count_if(tokens.begin(), tokens.end(),
                       [](Token token) { return token != begin_token && token != pad_token; });
}

void check(const BatchSettings& settings) {
  if (settings.rows < 1 || settings.context < 1)
    reject("batches: ", settings.rows, " rows of ", settings.context,
           " tokens; both are at least 1");
}

}  // namespace

struct Batches::State {
  State(const Part& given, Objective made_by, BatchSettings by)
      : part(given), objective(std::move(made_by)), settings(by) {
    check(settings);
    const auto context = static_cast<std::size_t>(settings.context);
    if (settings.packing == Packing::padded) pieces = document_pieces(part.tokens, context);
    for (std::size_t i = 0; i < part.tokens.size(); ++i)
      if (i == 0 || part.tokens[i] == begin_token) documents.push_back(i);
    const std::size_t count =
        settings.packing == Packing::padded ? pieces.size() : part.tokens.size() / context;
    texts = static_cast<std::int64_t>(count);
    if (count < 1)
      reject("the corpus has ", part.tokens.size(), " tokens in this part and a text needs ",
             context, "; take more text or a shorter context");
    if (texts > std::numeric_limits<std::int32_t>::max())
      reject("the corpus has ", texts, " texts in this part; at most 2^31 - 1 are accepted");
  }

  Piece piece(std::int64_t text) const {
    const auto index = static_cast<std::size_t>(text);
    if (settings.packing == Packing::padded) return pieces[index];
    const auto context = static_cast<std::size_t>(settings.context);
    return {index * context, context};
  }

  Text text_of(Piece piece, std::int64_t index) const {
    Text text;
    text.tokens = part.tokens.subspan(piece.first, piece.count);
    if (!part.marks.empty()) text.marks = part.marks.subspan(piece.first, piece.count);
    const auto next = std::upper_bound(documents.begin(), documents.end(), piece.first);
    text.document = next - documents.begin() - 1;
    text.index = index;
    return text;
  }

  /// Whether the objective is given one document's part of a window at a time.
  bool by_document() const {
    return objective.needs.unit == Unit::document ||
           (settings.packing == Packing::isolated &&
            objective.needs.alignment == Alignment::continuation);
  }

  void add_examples(const Text& text, std::int64_t row, Rng rng, Drawn& drawn) const {
    for (Example& example : objective.transform(text, rng)) {
      settle(example, objective.needs.alignment);
      drawn.examples.push_back({text, std::move(example), row});
    }
  }

  void add_row(std::int64_t text, std::int64_t index, std::int64_t row, Rng rng,
               Drawn& drawn) const {
    const Piece whole = piece(text);
    const std::span<const Token> tokens = part.tokens.subspan(whole.first, whole.count);
    drawn.text_tokens += count_raw(tokens);
    std::uint64_t fragment = 0;
    for (std::size_t first = 0; first < whole.count; ++fragment) {
      const std::size_t end = by_document() ? document_end(tokens, first) : whole.count;
      add_examples(text_of({whole.first + first, end - first}, index), row, rng.fork(fragment),
                   drawn);
      first = end;
    }
  }

  void lay(Drawn& drawn, std::int64_t rows) const {
    drawn.batch =
        lay_out(drawn.examples, objective.needs, settings.packing, rows, settings.context);
  }

  /// The text at place `index` of the training order. The orders of the last two epochs are kept: a
  /// step may need both.
  std::int64_t in_training_order(std::int64_t index) {
    const std::int64_t epoch = index / texts;
    const std::lock_guard<std::mutex> lock(orders_mutex);
    Kept& kept = orders[static_cast<std::size_t>(epoch % 2)];
    if (kept.epoch != epoch) {
      const Rng rng(settings.seed, Stream::data_order, static_cast<std::uint64_t>(epoch));
      kept = {epoch, shuffled(texts, rng)};
    }
    return kept.order[static_cast<std::size_t>(index % texts)];
  }

  struct Kept {
    std::int64_t epoch = -1;
    Order order;
  };

  const Part part;
  const Objective objective;
  const BatchSettings settings;
  std::vector<std::size_t> documents;  // where each starts
  std::vector<Piece> pieces;           // the texts, where documents are padded
  std::int64_t texts = 0;
  std::mutex orders_mutex;
  Kept orders[2];
};

Batches::Batches(const Part& part, Objective objective, BatchSettings settings)
    : state_(std::make_shared<State>(part, std::move(objective), settings)) {}

std::int64_t Batches::texts() const { return state_->texts; }

Drawn Batches::step(std::int64_t step) const {
  if (step < 0) reject("batches: step ", step, " is negative");
  const BatchSettings& settings = state_->settings;
  Drawn drawn;
  for (std::int64_t row = 0; row < settings.rows; ++row) {
    const std::int64_t index = step * settings.rows + row;
    const Rng rng(settings.seed, Stream::corruption, static_cast<std::uint64_t>(step),
                  static_cast<std::uint64_t>(row));
    state_->add_row(state_->in_training_order(index), index, row, rng, drawn);
  }
  state_->lay(drawn, settings.rows);
  return drawn;
}

Drawn Batches::in_order(std::int64_t first, std::int64_t count) const {
  if (first < 0 || count < 1 || count > texts() - first)
    reject("batches: texts [", first, ", ", first, " + ", count,
           ") are not all there: the part has ", texts());
  Drawn drawn;
  for (std::int64_t row = 0; row < count; ++row) {
    const std::int64_t text = first + row;
    const Rng rng(state_->settings.seed, Stream::probes, static_cast<std::uint64_t>(text), 0);
    state_->add_row(text, text, row, rng, drawn);
  }
  state_->lay(drawn, count);
  return drawn;
}

}  // namespace ablate
