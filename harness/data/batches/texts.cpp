// Cuts a part of a corpus into texts.

#include "harness/data/batches/texts.h"

#include <algorithm>
#include <limits>

#include "harness/base/error.h"

namespace ablate::data {
namespace {

/// The documents of a part, each divided into pieces of at most `context` tokens.
std::vector<Piece> document_pieces(std::span<const Token> tokens, std::size_t context) {
  std::vector<Piece> pieces;
  for (std::size_t first = 0; first < tokens.size();) {
    const std::size_t end = document_end(tokens, first);
    for (; first < end; first = std::min(first + context, end))
      pieces.push_back({first, std::min(context, end - first), context});
  }
  return pieces;
}

/// The positions that an example of these lengths takes in a row.
RowShape taken(const Needs& needs, const Lengths& lengths) {
  if (needs.separate_inputs) return {lengths.targets, lengths.inputs};
  return {needs.alignment == Alignment::in_place ? lengths.inputs : lengths.both, 0};
}

}  // namespace

std::int64_t count_raw(std::span<const Token> tokens) {
  return std::count_if(tokens.begin(), tokens.end(),
                       [](Token token) { return token != begin_token && token != pad_token; });
}

Texts::Texts(const Part& part, const Needs& needs, Packing packing, std::int64_t context)
    : part_(part),
      packing_(packing),
      context_(static_cast<std::size_t>(context)),
      by_document_(needs.unit == Unit::document ||
                   (packing == Packing::isolated && needs.alignment == Alignment::continuation)) {
  if (context < 1) reject("texts: context = {} tokens; it must be at least 1", context);
  if (packing == Packing::padded) pieces_ = document_pieces(part.tokens, context_);
  for (std::size_t i = 0; i < part.tokens.size(); ++i)
    if (i == 0 || part.tokens[i] == begin_token) documents_.push_back(i);
  count_ = static_cast<std::int64_t>(packing == Packing::padded ? pieces_.size()
                                                                : part.tokens.size() / context_);
  if (count_ < 1)
    reject(
        "the corpus has {} tokens in this part and a text needs {}; give more text or a shorter "
        "context",
        part.tokens.size(), context);
  if (count_ > std::numeric_limits<std::int32_t>::max())
    reject("the corpus has {} texts in this part; at most 2^31 - 1 are accepted", count_);
}

std::int64_t Texts::raw_tokens() const {
  if (packing_ == Packing::padded) return count_raw(part_.tokens);
  return count_raw(part_.tokens.first(static_cast<std::size_t>(count_) * context_));
}

Piece Texts::at(std::int64_t text) const {
  const auto index = static_cast<std::size_t>(text);
  if (packing_ == Packing::padded) return pieces_[index];
  return {index * context_, context_, context_};
}

std::vector<Piece> Texts::fragments(std::int64_t text) const {
  const Piece whole = at(text);
  if (!by_document_) return {whole};
  const std::span<const Token> tokens = part_.tokens.subspan(whole.first, whole.count);
  std::vector<Piece> fragments;
  for (std::size_t first = 0; first < whole.count;) {
    const std::size_t end = document_end(tokens, first);
    fragments.push_back({whole.first + first, end - first, whole.room - first});
    first = end;
  }
  return fragments;
}

Passage Texts::document(std::int64_t number) const {
  const auto i = static_cast<std::size_t>(number);
  const std::size_t first = documents_.at(i);
  const std::size_t end = i + 1 < documents_.size() ? documents_[i + 1] : part_.tokens.size();
  Passage passage{part_.tokens.subspan(first, end - first), {}};
  if (!part_.marks.empty()) passage.marks = part_.marks.subspan(first, end - first);
  return passage;
}

Text Texts::text_of(Piece piece) const {
  Text text;
  text.tokens = part_.tokens.subspan(piece.first, piece.count);
  if (!part_.marks.empty()) text.marks = part_.marks.subspan(piece.first, piece.count);
  text.room = static_cast<std::int64_t>(piece.room);
  const auto next = std::upper_bound(documents_.begin(), documents_.end(), piece.first);
  text.document = next - documents_.begin() - 1;
  text.offset = static_cast<std::int64_t>(piece.first - *std::prev(next));
  text.documents = static_cast<std::int64_t>(documents_.size());
  text.other_document = [this](std::int64_t number) { return document(number); };
  return text;
}

RowShape maximum(const RowShape& a, const RowShape& b) {
  return {std::max(a.time, b.time), std::max(a.source_time, b.source_time)};
}

RowShape row_shape(const Texts& texts, const Objective& objective) {
  RowShape widest{objective.needs.separate_inputs ? 0 : texts.context(), 0};
  std::vector<RowShape> known;  // by number of tokens; every shape has a position
  for (std::int64_t text = 0; text < texts.count(); ++text) {
    RowShape row;
    for (const Piece& piece : texts.fragments(text)) {
      if (piece.count >= known.size()) known.resize(piece.count + 1);
      RowShape& shape = known[piece.count];
      if (shape.time == 0) shape = taken(objective.needs, lengths_of(objective, piece.count));
      row.time += shape.time;
      row.source_time += shape.source_time;
    }
    widest = maximum(widest, row);
  }
  return widest;
}

RowShape row_shape(const Corpus& corpus, const Objective& objective, Packing packing,
                   std::int64_t context) {
  RowShape shape;
  for (const Part* part : {&corpus.training(), &corpus.held_out()}) {
    const bool readable = std::ssize(part->tokens) >= context || packing == Packing::padded;
    if (part == &corpus.held_out() && (!readable || part->tokens.empty())) continue;
    shape = maximum(shape, row_shape(Texts(*part, objective.needs, packing, context), objective));
  }
  return shape;
}

}  // namespace ablate::data
