#include "reports/text/latex.h"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <iterator>
#include <map>

#include "harness/base/utf8.h"
#include "reports/text/code_point.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kUnbroken = 12;  // characters of a long word without a place to break

/// Symbols that text fonts lack, as commands that every engine knows.
const std::map<std::string, std::string, std::less<>>& symbols() {
  static const std::map<std::string, std::string, std::less<>> all = {
      {"±", "$\\pm$"},
      {"−", "$-$"},
      {"×", "$\\times$"},
      {"÷", "$\\div$"},
      {"·", "$\\cdot$"},
      {"≤", "$\\leq$"},
      {"≥", "$\\geq$"},
      {"≠", "$\\neq$"},
      {"≈", "$\\approx$"},
      {"∞", "$\\infty$"},
      {"°", "$^{\\circ}$"},
      {"²", "$^{2}$"},
      {"³", "$^{3}$"},
      {"↓", "$\\downarrow$"},
      {"↑", "$\\uparrow$"},
      {"→", "$\\rightarrow$"},
      {"←", "$\\leftarrow$"},
      {"↵", "$\\hookleftarrow$"},
      {"–", "--"},
      {"—", "---"},
      {"…", "\\ldots{}"},
      {"‘", "`"},
      {"’", "'"},
      {"“", "``"},
      {"”", "''"},
      {"•", "$\\bullet$"},
      {"§", "\\S{}"},
      {"©", "\\copyright{}"},
      {"£", "\\pounds{}"},
      {"\u00A0", "\\ "},
      {"µ", "$\\mu$"},
  };
  return all;
}

constexpr const char* kSmallGreek[] = {
    "alpha", "beta",   "gamma",   "delta",  "varepsilon", "zeta",  "eta",  "theta", "iota",
    "kappa", "lambda", "mu",      "nu",     "xi",         nullptr, "pi",   "rho",   nullptr,
    "sigma", "tau",    "upsilon", "varphi", "chi",        "psi",   "omega"};
constexpr const char* kLargeGreek[] = {
    nullptr, nullptr,  "Gamma",   "Delta", nullptr, nullptr, nullptr, "Theta", nullptr,
    nullptr, "Lambda", nullptr,   nullptr, "Xi",    nullptr, "Pi",    nullptr, nullptr,
    "Sigma", nullptr,  "Upsilon", "Phi",   nullptr, "Psi",   "Omega"};

/// The command of a Greek letter; null where it has none, because it looks like a Latin one.
const char* greek(std::uint32_t code) {
  if (code >= 0x3B1 && code < 0x3B1 + std::size(kSmallGreek)) return kSmallGreek[code - 0x3B1];
  if (code >= 0x391 && code < 0x391 + std::size(kLargeGreek)) return kLargeGreek[code - 0x391];
  return nullptr;
}

/// Whether the default encoding of LaTeX's fonts can put an accented Latin letter together. It has
/// no ogonek, eth, thorn, eng or barred d, h and t.
bool composed(std::uint32_t code) {
  if (code >= 0xC0 && code <= 0xFF)
    return code != 0xD0 && code != 0xD7 && code != 0xDE && code != 0xF0 && code != 0xF7 &&
           code != 0xFE;
  if (code < 0x100 || code > 0x17E) return false;
  for (const std::uint32_t without :
       {0x104, 0x105, 0x110, 0x111, 0x118, 0x119, 0x126, 0x127, 0x12E, 0x12F, 0x132,
        0x133, 0x138, 0x13F, 0x140, 0x149, 0x14A, 0x14B, 0x166, 0x167, 0x172, 0x173})
    if (code == without) return false;
  return true;
}

/// A character outside ASCII.
std::string wide_character(std::string_view character) {
  if (const auto symbol = symbols().find(character); symbol != symbols().end())
    return symbol->second;
  const std::uint32_t code = code_point(character);
  if (const char* letter = greek(code)) return fmt::format("$\\{}$", letter);
  if (composed(code)) return std::string(character);
  const bool picture = code >= 0x2400 && code <= 0x2421;  // that readable() shows a control by
  const std::uint32_t shown = !picture ? code : code == 0x2421 ? 0x7F : code - 0x2400;
  return fmt::format("\\AblateUnicode{{{:04X}}}{{{}}}", shown, picture ? "" : character);
}

/// A character of ASCII after `previous` and before `next`.
std::string narrow_character(char c, char previous, char next) {
  switch (c) {
    case ' ':
      return next == '%' ? "\\," : " ";  // no line ends between a number and its sign
    case '\\':
      return "\\textbackslash{}";
    case '~':
      return "\\textasciitilde{}";
    case '^':
      return "\\textasciicircum{}";
    case '<':
      return "\\textless{}";
    case '>':
      return "\\textgreater{}";
    case '|':
      return "\\textbar{}";
    case '`':
      return "\\textasciigrave{}";
    case '"':
      return "{\\char34}";  // \textquotedbl is unknown in LaTeX's default encoding
    case '\'':
    case '-':
    case ',':
      // Two apostrophes or commas would be a quotation mark, and two hyphens a dash.
      return c == previous ? std::string("{}") + c : std::string(1, c);
    case '[':  // as commands and in braces, they are no argument of a line's end
      return "\\lbrack{}";
    case ']':
      return "\\rbrack{}";
    case '*':
      return "{*}";
    case '{':
    case '}':
    case '$':
    case '&':
    case '#':
    case '_':
    case '%':
      return std::string("\\") + c;
    default:
      return std::string(1, c);
  }
}

/// The character of a text that begins at this byte.
std::string character_tex(std::string_view text, std::size_t at) {
  const std::size_t length = length_at(text, at);
  if (length > 1) return wide_character(text.substr(at, length));
  return narrow_character(text[at], at > 0 ? text[at - 1] : '\0',
                          at + 1 < text.size() ? text[at + 1] : '\0');
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

}  // namespace

std::string latex_text(std::string_view raw) {
  const std::string text = readable(raw);
  std::string result;
  for (std::size_t at = 0; at < text.size(); at += length_at(text, at))
    result += character_tex(text, at);
  return result;
}

std::string latex_breakable(std::string_view raw, std::size_t least) {
  const std::string text = readable(raw);
  std::string result;
  bool is_long = false;   // the word
  std::size_t piece = 0;  // characters since its last place to break
  for (std::size_t at = 0; at < text.size();) {
    if (at == 0 || text[at - 1] == ' ') {
      is_long = characters(std::string_view(text).substr(at, text.find(' ', at) - at)) >= least;
      piece = 0;
    }
    result += character_tex(text, at);
    const bool mark = std::string_view("/=,_.:;[]").find(text[at]) != std::string_view::npos;
    at += length_at(text, at);
    const bool within = at < text.size() && text[at] != ' ';
    if (!is_long || !within || (++piece < kUnbroken && !mark)) continue;
    result += "\\allowbreak{}";
    piece = 0;
  }
  return result;
}

std::string latex_comment(std::string_view raw) { return readable(raw); }

std::string macro_part(std::string_view raw) {
  constexpr std::array kDigits = {"Zero", "One", "Two",   "Three", "Four",
                                  "Five", "Six", "Seven", "Eight", "Nine"};
  std::string result;
  bool begins = true;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const char c = raw[i];
    if (is_small(c) || is_capital(c)) {
      result += is_small(c) && begins ? static_cast<char>(c - 'a' + 'A') : c;
      begins = false;
      continue;
    }
    begins = true;
    if (is_digit(c)) result += kDigits[static_cast<std::size_t>(c - '0')];
    const bool within = i > 0 && i + 1 < raw.size() && is_digit(raw[i - 1]) && is_digit(raw[i + 1]);
    if (c == '.' && within) result += "Point";
  }
  return result;
}

std::string label_part(std::string_view raw) {
  std::string result;
  for (const char c : raw) {
    if (is_small(c) || is_capital(c) || is_digit(c))
      result += is_capital(c) ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!result.empty() && result.back() != '-')
      result += '-';
  }
  while (result.ends_with('-')) result.pop_back();
  return result.empty() ? "experiment" : result;
}

}  // namespace ablate::reports
