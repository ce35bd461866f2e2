// Lays blocks out: the clean text, then the text as it is shown.

#include "objectives/common/orders/blocks.h"

#include <algorithm>

namespace ablate::objectives {
namespace {

using Size = std::size_t;

std::int32_t place(Size at) { return static_cast<std::int32_t>(at); }

class BlockPlaces {
 public:
  explicit BlockPlaces(std::span<const Token> tokens) : tokens_(tokens) {}

  Size size() const { return example_.inputs.size(); }

  void add(Size position, Size document, Token shown, const Sight& sight) {
    example_.inputs.push_back(shown);
    example_.targets.push_back(tokens_[position]);
    example_.weights.push_back(0);
    example_.positions.push_back(place(position - document));
    example_.sees.push_back(sight);
  }

  /// The clean places of a block, of a document whose first place is `start`.
  void add_clean(const TextBlock& block, Size start) {
    const Sight sight = {place(start), place(size() + block.end - block.first)};
    for (Size i = block.first; i < block.end; ++i) add(i, block.document, tokens_[i], sight);
  }

  /// A block as it is shown, after the clean blocks of its document.
  void add_shown(const TextBlock& block, std::span<const Token> shown, Size start) {
    const Sight own = {place(size()), place(size() + block.end - block.first)};
    const Size before = block.first - block.document;  // clean tokens
    Sight sight = own;
    if (before > 0) sight = {place(start), place(start + before), own.from, own.until};
    if (sight.until == own.from) sight = {sight.from, own.until};  // side by side: one interval
    for (Size i = block.first; i < block.end; ++i)
      add(i, block.document, shown[i - block.first], sight);
  }

  Example take() { return std::move(example_); }

 private:
  std::span<const Token> tokens_;
  Example example_;
};

/// The end of the run of blocks from `first` on that are of one document.
Size document_blocks_end(std::span<const TextBlock> blocks, Size first) {
  Size end = first;
  while (end < blocks.size() && blocks[end].document == blocks[first].document) ++end;
  return end;
}

}  // namespace

std::vector<TextBlock> blocks_of(std::span<const Token> tokens, std::size_t size) {
  std::vector<TextBlock> blocks;
  for (Size document = 0; document < tokens.size();) {
    const Size end = document_end(tokens, document);
    for (Size first = document; first < end; first += size)
      blocks.push_back({document, first, std::min(first + size, end)});
    document = end;
  }
  return blocks;
}

Example block_by_block(std::span<const Token> tokens, std::span<const Token> shown,
                       std::size_t size) {
  const std::vector<TextBlock> blocks = blocks_of(tokens, size);
  BlockPlaces places(tokens);
  for (Size first = 0; first < blocks.size();) {
    const Size end = document_blocks_end(blocks, first), start = places.size();
    for (Size i = first; i + 1 < end; ++i) places.add_clean(blocks[i], start);
    for (Size i = first; i < end; ++i)
      places.add_shown(blocks[i], shown.subspan(blocks[i].first), start);
    first = end;
  }
  return places.take();
}

std::vector<std::size_t> shown_places(std::span<const Token> tokens, std::size_t size) {
  const std::vector<TextBlock> blocks = blocks_of(tokens, size);
  std::vector<Size> places(tokens.size());
  Size next = 0;
  for (Size first = 0; first < blocks.size();) {
    const Size end = document_blocks_end(blocks, first);
    next += blocks[end - 1].first - blocks[first].first;  // the clean places
    for (Size i = blocks[first].first; i < blocks[end - 1].end; ++i) places[i] = next++;
    first = end;
  }
  return places;
}

Example last_block(std::span<const Token> document, std::span<const Token> shown_block,
                   std::size_t size) {
  const std::vector<TextBlock> blocks = blocks_of(document, size);
  BlockPlaces places(document);
  for (const TextBlock& block : blocks) {
    if (block.end < document.size())
      places.add_clean(block, 0);
    else
      places.add_shown(block, shown_block, 0);
  }
  return places.take();
}

}  // namespace ablate::objectives
