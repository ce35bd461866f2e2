#include "harness/base/json/json_source.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "harness/base/json/json_reader.h"
#include "harness/base/utf8.h"

namespace ablate {
namespace {

/// The number of columns of a text; a byte of invalid UTF-8 counts as one.
std::size_t columns_of(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count)
    at += std::max<std::size_t>(utf8_length(text.substr(at)), 1);
  return count;
}

/// The first `maximum` characters, control characters and invalid bytes replaced by "?".
std::string printable(std::string_view text, std::size_t maximum) {
  std::string shown;
  for (std::size_t at = 0; at < text.size() && maximum > 0; --maximum) {
    const std::size_t length = utf8_length(text.substr(at));
    if (text[at] == '\t')
      shown += ' ';
    else if (length == 0 || controls_terminal(text.substr(at, length)))
      shown += '?';
    else
      shown += text.substr(at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return shown;
}

constexpr std::size_t kBefore = 60;  // characters shown before what is underlined in a long line
constexpr std::size_t kWidth = 120;  // characters shown of a line, at most

std::string_view last_characters(std::string_view text) {
  std::size_t at = text.size();
  for (std::size_t count = 0; at > 0 && count < kBefore; ++count) {
    --at;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  }
  return text.substr(at);
}

}  // namespace

JsonSource::JsonSource(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)) {
  if (text_.size() > kMaxBytes) {
    faults_.push_back(
        {{}, fmt::format("has {} bytes; at most {} are accepted", text_.size(), kMaxBytes), ""});
    text_.clear();
    return;
  }
  if (text_.rfind("\xEF\xBB\xBF", 0) == 0) text_.erase(0, 3);
  if (const std::size_t bad = first_invalid_utf8(text_); bad != std::string_view::npos) {
    faults_.push_back({{bad, 1}, "a byte that is not UTF-8", "save the file as UTF-8"});
    return;
  }
  JsonReader reader(text_);
  Json::sax_parse(text_, &reader, Json::input_format_t::json, true, true);
  faults_ = std::move(reader.faults);
  nodes_ = std::move(reader.nodes);
  if (faults_.empty()) value_ = std::move(reader.result);
}

const JsonSource::Node* JsonSource::find(std::string_view pointer) const {
  if (nodes_.empty()) return nullptr;
  std::size_t node = 0;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::string_view piece = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(piece.size());
    std::size_t index = 0;
    std::size_t child = node + 1;
    if (nodes_[node].is_array) {
      const auto read = std::from_chars(piece.data(), piece.data() + piece.size(), index);
      if (read.ec != std::errc() || read.ptr != piece.data() + piece.size()) return nullptr;
      while (child < nodes_[node].next && index-- > 0) child = nodes_[child].next;
    } else {
      while (child < nodes_[node].next && nodes_[child].key != piece) child = nodes_[child].next;
    }
    if (child >= nodes_[node].next) return nullptr;
    node = child;
  }
  return &nodes_[node];
}

std::optional<Stretch> JsonSource::value_at(std::string_view pointer) const {
  const Node* const node = find(pointer);
  return node == nullptr ? std::nullopt : std::optional(node->value_at);
}

std::optional<Stretch> JsonSource::key_at(std::string_view pointer) const {
  const Node* const node = find(pointer);
  if (node == nullptr) return std::nullopt;
  return node->key_at.count > 0 ? node->key_at : node->value_at;
}

std::vector<std::string> JsonSource::keys(std::string_view pointer) const {
  std::vector<std::string> names;
  const Node* const node = find(pointer);
  if (node == nullptr) return names;
  for (auto child = static_cast<std::size_t>(node - nodes_.data()) + 1; child < node->next;
       child = nodes_[child].next)
    names.push_back(nodes_[child].key);
  return names;
}

std::string JsonSource::explain(Stretch where, std::string_view message,
                                std::string_view hint) const {
  const std::string_view all = text_;
  const std::size_t first = std::min(where.first, all.size());
  const std::size_t newline = first == 0 ? all.npos : all.rfind('\n', first - 1);
  const std::size_t start = newline == all.npos ? 0 : newline + 1;
  const std::string_view before = all.substr(start, first - start);
  std::string_view rest = all.substr(first, std::min(all.find('\n', first), all.size()) - first);
  if (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
  const auto line =
      1 + std::count(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(start), '\n');

  const std::size_t marked = columns_of(rest.substr(0, std::min(where.count, 4 * kWidth)));
  const std::size_t column = 1 + columns_of(before);
  const bool fits = column + marked <= kWidth;
  const std::string_view shown = fits ? before : last_characters(before);
  const std::size_t shift = columns_of(shown);
  const std::size_t carets = std::clamp<std::size_t>(marked, 1, kWidth - shift);
  std::string margin = std::to_string(line);
  margin.insert(0, margin.size() < 5 ? 5 - margin.size() : 0, ' ');
  std::string text = fmt::format("{}:{}:{}: error: {}\n{} | {}{}\n{} | {}^{}", name_, line, column,
                                 message, margin, printable(shown, kWidth),
                                 printable(rest, kWidth - shift), std::string(margin.size(), ' '),
                                 std::string(shift, ' '), std::string(carets - 1, '~'));
  return hint.empty() ? text : fmt::format("{} {}", text, hint);
}

}  // namespace ablate
