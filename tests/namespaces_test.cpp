// One definition of a name: two types of one name in one namespace link in silence, and then each
// side may run the other's code.

#include <gtest/gtest.h>

#include <cctype>
#include <map>

#include "tests/source_tree.h"

namespace ablate::source_tree {
namespace {

namespace fs = std::filesystem;

/// The source without comments and with empty literals, so that what is left is code.
std::string code_of(const std::string& source) {
  static const std::regex silent(
      R"re(//[^\n]*|/\*[^]*?\*/|R"([^ ()\\]*)\([^]*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|#[^\n]*)re");
  // A digit separator is no character literal.
  static const std::regex separator(R"re((\d)'(\d))re");
  return std::regex_replace(std::regex_replace(source, separator, "$1$2"), silent, " ");
}

std::vector<std::string> words_of(const std::string& code) {
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

struct Definition {
  std::string name;    // with its namespace
  bool local = false;  // in a namespace without a name
};

/// The types that a source defines at the level of a namespace: struct, class, union, enum, using.
std::vector<Definition> types_of(const std::string& source) {
  const std::vector<std::string> words = words_of(code_of(source));
  std::vector<std::string> spaces;  // of the open namespaces; "" is one without a name
  std::vector<bool> is_space;       // of each open brace
  std::vector<Definition> found;
  const auto qualified = [&](const std::string& name) {
    Definition made;
    for (const std::string& space : spaces) {
      made.local = made.local || space.empty();
      made.name += space + "::";
    }
    made.name += name;
    return made;
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool at_level = is_space.size() == spaces.size();
    if (word == "namespace" && i + 1 < words.size()) {
      const bool named = words[i + 1] != "{";
      if (words[i + (named ? 2 : 1)] != "{") continue;  // an alias, or "using namespace"
      spaces.push_back(named ? words[i + 1] : "");
      is_space.push_back(true);
      i += named ? 2 : 1;
    } else if (word == "{") {
      is_space.push_back(false);
    } else if (word == "}" && !is_space.empty()) {
      if (is_space.back()) spaces.pop_back();
      is_space.pop_back();
    } else if (at_level &&
               (word == "struct" || word == "class" || word == "union" || word == "enum")) {
      if (i > 0 && (words[i - 1] == "<" || words[i - 1] == ","))
        continue;  // a template's parameter
      std::size_t name = i + 1;
      if (words[name] == "class" || words[name] == "struct") ++name;
      if (words[name].find("::") != std::string::npos) continue;  // a member's, at its class's end
      std::size_t after = name + 1;
      if (words[after] == "final") ++after;
      if (words[after] == "{" || words[after] == ":") found.push_back(qualified(words[name]));
      i = name;
    } else if (at_level && word == "using" && i + 2 < words.size() && words[i + 2] == "=") {
      found.push_back(qualified(words[i + 1]));
    }
  }
  return found;
}

TEST(Namespaces, TypesOfASourceAreFoundByTheirNamespace) {
  const auto found = types_of(R"(
    // struct Commented {};
    namespace ablate::plan {
    struct Trial { struct Inner {}; enum class Kind { a }; };
    class Forward;
    using Bank = int;
    template <class Value> class Box {};
    namespace { struct Local {}; }
    void f() { struct InFunction {}; }
    }
    namespace ablate { enum class Kind : int { a }; const char* text = "struct Quoted {}"; })");
  std::vector<std::string> names;
  for (const Definition& each : found) names.push_back(each.name + (each.local ? " (local)" : ""));
  EXPECT_EQ(names, (std::vector<std::string>{"ablate::plan::Trial", "ablate::plan::Bank",
                                             "ablate::plan::Box", "ablate::plan::::Local (local)",
                                             "ablate::Kind"}));
}

TEST(Namespaces, NoTypeIsDefinedTwice) {
  std::map<std::string, fs::path> first;
  std::vector<std::string> folders = kFloors;
  folders.push_back("tests");
  for (const std::string& folder : folders)
    // Loops of kernels (.inc) are compiled once for each set of instructions, in namespaces apart.
    for (const fs::path& file : sources(folder, {".h", ".cpp"}))
      for (const Definition& type : types_of(read(file))) {
        if (type.local) continue;
        const auto [known, added] = first.emplace(type.name, file);
        EXPECT_TRUE(added) << type.name << " is defined in " << known->second << " and in " << file
                           << "; two types of one name in one namespace are undefined behaviour";
      }
  EXPECT_GT(first.size(), 200u);
}

/// The namespace of what a file declares: its floor's, but for what all share.
std::string namespace_of(const fs::path& file) {
  auto step = file.begin();
  const std::string floor = step->string();
  const std::string room = (++step)->string();
  if (floor == "harness")
    return room == "base" || room == "contract" ? "ablate" : "ablate::" + room;
  if (floor != "experiments") return "ablate::" + floor;
  return room == "commands" || room == "worker" ? "ablate::" + room : "ablate";
}

TEST(Namespaces, EveryFileDeclaresInTheNamespaceOfItsFloor) {
  static const std::regex opened(R"re((?:^|\n)namespace (ablate[a-z_:]*) \{)re");
  for (const std::string& floor : kFloors)
    for (const fs::path& file : sources(floor)) {
      const std::string source = read(file), expected = namespace_of(file);
      for (std::sregex_iterator at(source.begin(), source.end(), opened), end; at != end; ++at) {
        const std::string name = (*at)[1];
        const bool forward = name == "ablate::data" && file == "harness/contract/probe.h";
        EXPECT_TRUE(name == expected || name.starts_with(expected + "::") || forward)
            << file << " opens " << name << "; it stands in " << expected;
      }
    }
}

}  // namespace
}  // namespace ablate::source_tree
