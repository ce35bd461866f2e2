// Makes foreign text safe to show: names, messages and samples may contain anything.

#include "reports/text/text.h"

#include <algorithm>
#include <cstdint>

#include "harness/base/json/json.h"
#include "harness/base/json/parse.h"
#include "harness/base/text/csv.h"
#include "harness/base/utf8.h"
#include "reports/text/code_point.h"

namespace ablate::reports {
namespace {

/// Well-formed UTF-8, by the library that the store trusts with it.
std::string valid_utf8(std::string_view raw) {
  const std::string quoted =
      Json(std::string(raw)).dump(-1, ' ', false, Json::error_handler_t::replace);
  return parse_json(quoted).get<std::string>();
}

/// Whether a character is a C1 control, a mark that changes the direction of writing, a separator
/// that acts as a line end, or a non-character.
bool acts(std::uint32_t code) {
  return (code >= 0x80 && code < 0xA0) || code == 0x61C || (code >= 0x200B && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) ||
         code == 0xFEFF || (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF);
}

std::string picture(std::uint32_t control) {
  const std::uint32_t code = control == 0x7F ? 0x2421u : 0x2400u + control;
  return {static_cast<char>(0xE2), static_cast<char>(0x80u | (code >> 6 & 0x3Fu)),
          static_cast<char>(0x80u | (code & 0x3Fu))};
}

bool word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z');
}

/// Whether Markdown could take the character at `at` for syntax, within a line or at its beginning.
bool markdown_syntax(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (std::string_view("\\`*<|&~$").find(c) != std::string_view::npos) return true;
  const bool first = at == 0;
  const bool last = at + 1 == text.size();
  // Within a word an underscore means nothing, and metric names read better without the backslash.
  if (c == '_') return first || last || !word(text[at - 1]) || !word(text[at + 1]);
  if (c == ']') return !last && (text[at + 1] == '(' || (text[0] == '[' && text[at + 1] == ':'));
  if (first) return std::string_view("#>+-=").find(c) != std::string_view::npos;
  const bool point = (c == '.' || c == ')') && (last || text[at + 1] == ' ');
  return point && text.find_first_not_of("0123456789") == at;  // "1. " begins a list
}

}  // namespace

std::string with_unbroken_numbers(std::string_view text) {
  constexpr std::string_view kUnbroken = "\u00a0", kPlusMinus = "±";
  const auto digit = [&](std::size_t at) { return text[at] >= '0' && text[at] <= '9'; };
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view before = text.substr(0, i), after = text.substr(i + 1);
    const bool joins =
        text[i] == ' ' && (after.starts_with(kPlusMinus) || before.ends_with(kPlusMinus) ||
                           (after.starts_with('%') && i > 0 && digit(i - 1)));
    if (joins)
      made += kUnbroken;
    else
      made += text[i];
  }
  return made;
}

std::string with_minus(std::string_view text) {
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = i == 0 || text[i - 1] == ' ' || text[i - 1] == '(' || text[i - 1] == '[';
    const bool number =
        i + 1 < text.size() && (text[i + 1] == '.' || (text[i + 1] >= '0' && text[i + 1] <= '9'));
    if (text[i] == '-' && begins && number)
      made += "−";
    else
      made += text[i];
  }
  return made;
}

std::string readable(std::string_view raw, bool lines) {
  const std::string text = valid_utf8(raw);
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = length_at(text, at);
    const std::string_view character = std::string_view(text).substr(at, length);
    const std::uint32_t code = code_point(character);
    at += length;
    if (code == '\n' || code == '\t') {
      result += lines ? character : " ";
    } else if (code < 0x20 || code == 0x7F) {
      result += picture(code);
    } else {
      result += acts(code) ? std::string_view("\xEF\xBF\xBD") : character;
    }
  }
  return result;
}

std::string shortened(std::string_view text, std::size_t maximum) {
  return clipped(text, maximum) + (characters(text) > maximum ? "…" : "");
}

std::string arm_label(std::string_view raw, std::size_t maximum) {
  std::string text = readable(raw);
  if (characters(text) <= maximum) return text;
  for (std::size_t at = text.find('['); at != text.npos; at = text.find(',', at + 1)) {
    const std::size_t equals = text.find('=', at);
    if (equals < text.find(',', at + 1)) text.erase(at + 1, equals - at);
  }
  return maximum < 3 ? shortened(text, maximum) : abbreviated(text, maximum, "…");
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 < names.size() ? ", " : " and ";
    text += names[i];
  }
  return text;
}

std::string html_text(std::string_view raw, bool lines) {
  std::string result;
  for (const char c : readable(raw, lines)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string markdown_text(std::string_view raw) {
  const std::string text = readable(raw);
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (markdown_syntax(text, at)) result += '\\';
    result += text[at];
  }
  return result;
}

std::string csv_text(std::string_view raw) { return csv_field(readable(raw)); }

}  // namespace ablate::reports
