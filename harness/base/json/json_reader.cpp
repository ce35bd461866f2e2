#include "harness/base/json/json_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace ablate {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_punctuation(char c) {
  return c == '{' || c == '}' || c == '[' || c == ']' || c == ',' || c == ':';
}

/// The part of a message of nlohmann's that says what is wrong, without positions, which explain()
/// adds.
std::string fault_in(std::string message) {
  const auto cut_before = [&](std::string_view mark) {
    if (const auto at = message.find(mark); at != std::string::npos)
      message.erase(0, at + mark.size());
  };
  cut_before("] ");
  if (message.rfind("parse error", 0) == 0) cut_before(": ");
  if (message.rfind("syntax error", 0) == 0) cut_before(" - ");
  if (const auto at = message.find("; last read"); at != std::string::npos) {
    const auto rest = message.find("'; expected", at);
    message.erase(at, rest == std::string::npos ? rest : rest + 1 - at);
  }
  for (const char* close : {"expected '}'", "expected ']'"})  // only after a member
    if (message.ends_with(close)) message.insert(message.size() - 3, "',' or ");
  // The parser's words for what a reader knows by others.
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"unexpected end of input", "the text ends too early"},
      {"unexpected string literal", "unexpected text"},
      {"unexpected number literal", "unexpected number"},
      {"; expected '[', '{', or a literal", "; expected a value"},
      {"; expected string literal", "; expected a key in double quotes"},
      {"; expected ':'", "; expected ':' after the key"}};
  for (const auto& [parsers, ours] : kWords)
    if (const auto at = message.find(parsers); at != std::string::npos)
      message.replace(at, parsers.size(), ours);
  return message;
}

/// What to write instead of a bare word.
std::string remedy_for(std::string_view fault) {
  return fault.starts_with("invalid literal")
             ? "text stands in double quotes; the only bare words are true, false and null"
             : "";
}

}  // namespace

std::size_t TokenWalk::peek(std::size_t* comma) const {
  std::size_t at = at_;
  while (at < text_.size()) {
    const char c = text_[at];
    if (c == ',' && comma != nullptr) *comma = at;
    if (is_blank(c) || c == ',' || c == ':') {
      ++at;
    } else if (text_.substr(at, 2) == "//") {
      at = std::min(text_.find('\n', at), text_.size());
    } else if (text_.substr(at, 2) == "/*") {
      const std::size_t end = text_.find("*/", at + 2);
      at = end == std::string_view::npos ? text_.size() : end + 2;
    } else {
      break;
    }
  }
  return at;
}

Stretch TokenWalk::token_at(std::size_t first) const {
  std::size_t end = first;
  if (first < text_.size() && text_[first] == '"') {
    for (++end; end < text_.size() && text_[end] != '"' && text_[end] != '\n'; ++end)
      if (text_[end] == '\\') ++end;
    ++end;
  } else if (first < text_.size() && is_punctuation(text_[first])) {
    ++end;
  } else {
    while (end < text_.size() && !is_blank(text_[end]) && !is_punctuation(text_[end]) &&
           text_[end] != '"' && text_[end] != '/')
      ++end;
  }
  return {first, std::max<std::size_t>(std::min(end, text_.size()) - first, 1)};
}

Stretch TokenWalk::next() {
  const Stretch token = token_at(peek());
  at_ = token.first + token.count;
  return token;
}

bool JsonReader::key(std::string& name) {
  key_at_ = walk_.next();
  key_ = name;
  if (levels_.back().value->contains(key_))
    faults.push_back({key_at_, fmt::format("key \"{}\" is given twice in one object", key_),
                      "keep one of the two"});
  return faults.size() < 20;
}

Json* JsonReader::place(Json made) {
  const Stretch at = walk_.next();
  if (nodes.size() >= JsonSource::kMaxValues) {
    faults.push_back(
        {at, fmt::format("more than {} values", JsonSource::kMaxValues), "sweep less in one file"});
    return nullptr;
  }
  nodes.push_back({.key = key_,
                   .key_at = key_at_,
                   .value_at = at,
                   .next = nodes.size() + 1,
                   .is_array = made.is_array()});
  if (levels_.empty()) return &(result = std::move(made));
  Json& parent = *levels_.back().value;
  if (parent.is_array()) return parent.push_back(std::move(made)), &parent.back();
  return &(parent[key_] = std::move(made));
}

bool JsonReader::open(Json made) {
  Json* const placed = place(std::move(made));
  if (placed == nullptr) return false;
  levels_.push_back({placed, nodes.size() - 1});
  key_.clear();
  key_at_ = {};
  if (levels_.size() <= JsonSource::kMaxLevels) return true;
  faults.push_back({nodes.back().value_at,
                    fmt::format("nested deeper than {} levels", JsonSource::kMaxLevels), ""});
  return false;
}

bool JsonReader::close() {
  const Stretch bracket = walk_.next();
  JsonSource::Node& node = nodes[levels_.back().node];
  node.value_at.count = bracket.first + bracket.count - node.value_at.first;
  node.next = nodes.size();
  levels_.pop_back();
  key_.clear();
  key_at_ = {};
  return true;
}

bool JsonReader::parse_error(std::size_t position, const std::string&,
                             const Json::exception& error) {
  std::size_t comma = text_.size();
  const std::size_t first = walk_.peek(&comma);
  Stretch where = walk_.token_at(std::min(first, text_.size()));
  const std::string_view token = text_.substr(std::min(first, text_.size()), where.count);
  const std::string_view bare = token.substr(token.substr(0, 1) == "-" ? 1 : 0);
  if (comma < text_.size() && (token == "}" || token == "]")) {
    faults.push_back({{comma, 1}, "trailing comma", "remove it: JSON has none"});
  } else if (bare == "NaN" || bare == "nan" || bare == "Infinity" || bare == "inf") {
    faults.push_back(
        {where, fmt::format("{} is not a JSON number", token), "give a finite number"});
  } else if (error.id == 406) {
    faults.push_back({where, fmt::format("the number {} is out of range", token.substr(0, 40)),
                      "give one below 1.8e308"});
  } else {
    std::string fault = fault_in(error.what());
    if (first >= text_.size() && nodes.empty()) fault = "the text is empty: it has no value";
    std::string remedy = remedy_for(fault);
    const bool inside_text = fault.starts_with("invalid string") && position > first + 1;
    // The walk takes 0.1.5 for one token, the parser stops inside it.
    const bool inside_previous = position <= first && first < text_.size();
    if (position > 0 && (inside_text || inside_previous)) where = {position - 1, 1};
    faults.push_back({where, std::move(fault), std::move(remedy)});
  }
  return false;
}

}  // namespace ablate
