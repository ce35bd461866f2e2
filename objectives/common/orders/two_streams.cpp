// Lays the two streams out, document by document.

#include "objectives/common/orders/two_streams.h"

namespace ablate::objectives {
namespace {

using Size = std::size_t;

/// The tokens of one document, by their place in the two streams.
struct DocumentOrder {
  Size first = 0;
  std::vector<Size> context, following;
  Size given = 0;  // of those that follow
  Size length = 0;
};

std::int32_t count_of(const std::vector<Size>& positions) {
  return static_cast<std::int32_t>(positions.size());
}

class Streams {
 public:
  explicit Streams(std::span<const Token> tokens) : tokens_(tokens) {}

  void add(const DocumentOrder& document, const TokenOrder& order) {
    const auto start = static_cast<std::int32_t>(example_.inputs.size());
    const Size last = document.first + document.length - 1;
    const bool cut = order.told_length && tokens_[last] != end_token;
    const std::int32_t context = start + count_of(document.context) + (cut ? 1 : 0);
    const auto place = [&](Size position, Token shown, Token target, float weight, Size ranks) {
      example_.inputs.push_back(shown);
      example_.targets.push_back(target);
      example_.weights.push_back(weight);
      example_.positions.push_back(static_cast<std::int32_t>(position - document.first));
      example_.sees.push_back({start, context + static_cast<std::int32_t>(ranks)});
    };
    const auto read = [&](Size position, Size ranks) {
      place(position, tokens_[position], tokens_[position], 0, ranks);
    };
    for (const Size position : document.context) read(position, 0);
    if (cut) place(last + 1, separator_token, separator_token, 0, 0);
    const Size known = order.at_once ? document.given : document.following.size();
    for (Size rank = 0; rank < known; ++rank) read(document.following[rank], rank + 1);
    for (Size rank = document.given; rank < document.following.size(); ++rank) {
      const Size position = document.following[rank];
      place(position, mask_token, tokens_[position], 1, order.at_once ? known : rank);
    }
  }

  Example take() { return std::move(example_); }

 private:
  std::span<const Token> tokens_;
  Example example_;
};

}  // namespace

Example two_streams(std::span<const Token> tokens, const TokenOrder& order) {
  std::vector<bool> follows(tokens.size());
  for (const std::int32_t position : order.positions) follows[static_cast<Size>(position)] = true;
  Streams streams(tokens);
  for (Size first = 0; first < tokens.size();) {
    const Size end = document_end(tokens, first);
    DocumentOrder document{.first = first, .length = end - first};
    for (Size i = first; i < end; ++i)
      if (!follows[i] && tokens[i] != mask_token) document.context.push_back(i);
    for (Size rank = 0; rank < order.positions.size(); ++rank) {
      const auto position = static_cast<Size>(order.positions[rank]);
      if (position < first || position >= end) continue;
      document.following.push_back(position);
      if (rank < order.given) ++document.given;
    }
    streams.add(document, order);
    first = end;
  }
  return streams.take();
}

}  // namespace ablate::objectives
