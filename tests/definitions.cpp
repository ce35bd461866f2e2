#include "tests/definitions.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace ablate::source_tree {
namespace {

class DefinitionReader {
 public:
  explicit DefinitionReader(const std::string& source) : words_(words_of(code_of(source))) {}

  std::vector<Definition> read() {
    while (at_ < words_.size()) {
      if (word() == "}") {
        if (!spaces_.empty()) spaces_.pop_back();
        ++at_;
      } else if (!open_namespace()) {
        read_definition();
        skip_statement();
      }
    }
    return found_;
  }

 private:
  /// The source without comments and with empty literals, so that what is left is code.
  static std::string code_of(const std::string& source) {
    static const std::regex silent(
        R"re(//[^\n]*|/\*[^]*?\*/|R"([^ ()\\]*)\([^]*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|#(?:\\\n|[^\n])*)re");
    // A digit separator is no character literal.
    static const std::regex separator(R"re((\d)'(\d))re");
    return std::regex_replace(std::regex_replace(source, separator, "$1$2"), silent, " ");
  }

  static std::vector<std::string> words_of(const std::string& code) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < code.size();) {
      const auto letter = [&](std::size_t at) {
        return at < code.size() &&
               (std::isalnum(static_cast<unsigned char>(code[at])) || code[at] == '_');
      };
      if (std::isspace(static_cast<unsigned char>(code[i]))) {
        ++i;
      } else if (letter(i)) {
        std::size_t end = i;
        while (letter(end) || (code.compare(end, 2, "::") == 0 && letter(end + 2) && (end += 2)))
          ++end;
        words.push_back(code.substr(i, end - i));
        i = end;
      } else {
        words.emplace_back(1, code[i++]);
      }
    }
    return words;
  }

  /// The word so many after the current one; empty behind the last.
  const std::string& word(std::size_t further = 0) const {
    static const std::string kNone;
    return at_ + further < words_.size() ? words_[at_ + further] : kNone;
  }

  /// The index behind the bracket that closes the one at `open`.
  std::size_t behind(std::size_t open) const {
    const std::string& opens = words_[open];
    const std::string closes = opens == "(" ? ")" : opens == "[" ? "]" : opens == "<" ? ">" : "}";
    int depth = 0;
    for (std::size_t i = open; i < words_.size(); ++i) {
      depth += words_[i] == opens ? 1 : words_[i] == closes ? -1 : 0;
      if (depth == 0) return i + 1;
    }
    return words_.size();
  }

  bool open_namespace() {
    if (word() != "namespace") return false;
    const bool named = word(1) != "{";
    if (word(named ? 2 : 1) != "{") return false;  // an alias
    spaces_.push_back(named ? word(1) : "");
    at_ += named ? 3 : 2;
    return true;
  }

  void add(Definition::Kind kind, const std::string& name, std::string form = "") {
    Definition made{.kind = kind, .form = std::move(form)};
    for (const std::string& space : spaces_) {
      made.local = made.local || space.empty();
      made.name += space + "::";
    }
    made.name += name;
    found_.push_back(std::move(made));
  }

  /// Adds what the statement at the current word defines, if it defines anything.
  void read_definition() {
    while (word() == "template" || (word() == "[" && word(1) == "["))
      at_ = behind(word() == "template" ? at_ + 1 : at_);
    if (word() == "struct" || word() == "class" || word() == "union" || word() == "enum")
      read_type();
    else if (word() == "using" && word(2) == "=")
      add(Definition::Kind::alias, word(1), text(at_ + 3, find(at_, ";")));
    else if (word() != "using" && word() != "namespace" && word() != "typedef")
      read_declarator();
  }

  void read_type() {
    std::size_t name = word(1) == "class" || word(1) == "struct" ? 2 : 1;
    if (word(name).find("::") != std::string::npos) return;  // a member's, at its class's end
    const std::string& next = word(word(name + 1) == "final" ? name + 2 : name + 1);
    if (next == "{" || next == ":") add(Definition::Kind::type, word(name));
  }

  /// A function or a variable: its name is the word before the first of ( = { [ ; that is not in
  /// angle brackets. A name with nothing before it is a macro's.
  void read_declarator() {
    std::size_t i = at_;
    while (i < words_.size() && !is_any(words_[i], "( = { [ ; operator"))
      i = words_[i] == "<" ? behind(i) : i + 1;
    if (i >= words_.size() || i < at_ + 2 || !is_identifier(words_[i - 1])) return;
    if (words_[i] == "(")
      add(Definition::Kind::function, words_[i - 1], types_in(i + 1, behind(i) - 1));
    else if (words_[i] != "operator")
      add(Definition::Kind::variable, words_[i - 1]);
  }

  /// The types of parameters: without their names and defaults.
  std::string types_in(std::size_t first, std::size_t end) const {
    std::string types;
    for (std::size_t start = first; start < end;) {
      std::size_t stop = start, type_end = end;
      while (stop < end && words_[stop] != ",") {
        if (words_[stop] == "=") type_end = std::min(type_end, stop);
        stop = is_any(words_[stop], "( { [ <") ? behind(stop) : stop + 1;
      }
      type_end = std::min(type_end, stop);
      if (type_end > start + 1 && is_identifier(words_[type_end - 1])) --type_end;
      types += text(start, type_end) + ",";
      start = stop + 1;
    }
    return types;
  }

  /// Moves behind the current statement: behind its semicolon or its body.
  void skip_statement() {
    const bool macro = word(1) == "(" && is_identifier(word());
    bool initialised = false;  // braces are a value then, no body
    while (at_ < words_.size() && word() != "}") {
      const std::string last = word();
      if (last == "operator") at_ = find(at_, "(");
      initialised = initialised || last == "=";
      at_ = is_any(word(), "( { [") ? behind(at_) : at_ + 1;
      if (last == ";" || (last == "{" && !initialised && !is_any(word(), "; , {"))) return;
      if (macro && last == "(" && !is_any(word(), "; { -")) return;
    }
  }

  static bool is_identifier(const std::string& word) {
    return std::isalpha(static_cast<unsigned char>(word[0])) &&
           word.find("::") == std::string::npos;
  }

  /// Whether the word is one of those in a list, which are separated by spaces.
  static bool is_any(const std::string& word, const std::string& list) {
    return !word.empty() && (" " + list + " ").find(" " + word + " ") != std::string::npos;
  }

  /// The index of the next such word.
  std::size_t find(std::size_t from, const std::string& word) const {
    return static_cast<std::size_t>(
        std::find(words_.begin() + static_cast<std::ptrdiff_t>(from), words_.end(), word) -
        words_.begin());
  }

  /// The words from `first` to before `end`.
  std::string text(std::size_t first, std::size_t end) const {
    std::string joined;
    for (std::size_t i = first; i < end; ++i) joined += (joined.empty() ? "" : " ") + words_[i];
    return joined;
  }

  std::vector<std::string> words_;
  std::size_t at_ = 0;
  std::vector<std::string> spaces_;  // the open namespaces; "" is one without a name
  std::vector<Definition> found_;
};

}  // namespace

std::vector<Definition> definitions_in(const std::string& source) {
  return DefinitionReader(source).read();
}

}  // namespace ablate::source_tree
