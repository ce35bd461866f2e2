// One definition of a name: two types of one name in one namespace link in silence, and then each
// side may run the other's code. Names that are local to a file are free of that, but several files
// are compiled as one, and not always the same ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>

#include "tests/definitions.h"
#include "tests/source_tree.h"

namespace ablate::source_tree {
namespace {

namespace fs = std::filesystem;

using Kind = Definition::Kind;

bool is_type(const Definition& definition) {
  return definition.kind == Kind::type || definition.kind == Kind::alias;
}

TEST(Namespaces, DefinitionsOfASourceAreFoundByTheirNamespace) {
  const auto found = definitions_in(R"source(
    // struct Commented {};
    #define MACRO(name) \
      struct name {};
    namespace fs = std::filesystem;
    namespace ablate::plan {
    struct Trial { struct Inner {}; enum class Kind { a }; int field = 0; };
    class Forward;
    using Bank = int;
    template <class Value, int count = 3> class Box {};
    namespace {
    struct Local final : Base {};
    constexpr std::pair<int, double (*)(int)> kTable[] = {{1, {}}, {2, {}}};
    const auto twice = [](int x) { return 2 * x; };
    template <class T> std::vector<std::map<int, T>> f(const T& each, Rng, int count = g(1, 2)) {
      struct InFunction {};
      return h(count);
    }
    }
    Trial::Trial(int given) : field{given}, other(1) {}
    bool operator==(const Trial& a, const Trial& b) { return a.field == b.field; }
    MACRO(Made)
    TEST(Suite, Law) { int inside = 3; }
    int after;
    }
    namespace ablate { enum class Kind : int { a }; const char* text = "struct Quoted {}"; })source");
  std::vector<std::string> told;
  for (const Definition& each : found) {
    told.push_back(each.name + (each.local ? " (local)" : ""));
    if (each.kind == Kind::function || each.kind == Kind::alias) told.back() += ": " + each.form;
  }
  EXPECT_EQ(told,
            (std::vector<std::string>{
                "ablate::plan::Trial", "ablate::plan::Bank: int", "ablate::plan::Box",
                "ablate::plan::::Local (local)", "ablate::plan::::kTable (local)",
                "ablate::plan::::twice (local)", "ablate::plan::::f (local): const T &,Rng,int,",
                "ablate::plan::after", "ablate::Kind", "ablate::text"}));
}

TEST(Namespaces, NoTypeIsDefinedTwice) {
  std::map<std::string, fs::path> first;
  std::vector<std::string> folders = kFloors;
  folders.push_back("tests");
  for (const std::string& folder : folders)
    // Loops of kernels (.inc) are compiled once for each set of instructions, in namespaces apart.
    for (const fs::path& file : sources(folder, {".h", ".cpp"}))
      for (const Definition& type : definitions_in(read(file))) {
        if (type.local || !is_type(type)) continue;
        const auto [known, added] = first.emplace(type.name, file);
        EXPECT_TRUE(added) << type.name << " is defined in " << known->second << " and in " << file
                           << "; two types of one name in one namespace are undefined behaviour";
      }
  EXPECT_GT(first.size(), 200u);
}

/// Whether two files that are compiled as one may not both have these definitions. Functions of
/// unlike parameters are overloads, and an alias may be repeated.
bool collide(const Definition& a, const Definition& b) {
  const bool may_share = a.kind == Kind::function || a.kind == Kind::alias;
  return a.name == b.name &&
         (a.kind != b.kind || !may_share || (a.kind == Kind::function) == (a.form == b.form));
}

TEST(Namespaces, KnowWhatMayStandInTwoFilesThatAreCompiledAsOne) {
  const Definition function{Kind::function, "a::f", true, "int,"};
  const Definition overload{Kind::function, "a::f", true, "double,"};
  const Definition alias{Kind::alias, "a::f", true, "int"};
  const Definition other{Kind::alias, "a::f", true, "double"};
  const Definition variable{Kind::variable, "a::f", true};
  EXPECT_TRUE(collide(function, function));
  EXPECT_FALSE(collide(function, overload));
  EXPECT_FALSE(collide(alias, alias));
  EXPECT_TRUE(collide(alias, other));
  EXPECT_TRUE(collide(variable, variable));
  EXPECT_TRUE(collide(variable, function));
}

/// The sources that are never compiled as one with others, by the patterns in CMakeLists.txt.
bool is_compiled_alone(const fs::path& file) {
  static const std::vector<std::regex> patterns = [] {
    const std::string build = read("CMakeLists.txt");
    static const std::regex glob(R"re(GLOB compiled_alone CONFIGURE_DEPENDS([^)]*))re");
    static const std::regex word(R"re([^\s]+)re");
    std::smatch match;
    std::vector<std::regex> made;
    if (!std::regex_search(build, match, glob)) return made;
    const std::string globs = match[1];
    for (std::sregex_iterator at(globs.begin(), globs.end(), word), end; at != end; ++at) {
      const std::string dots = std::regex_replace(at->str(), std::regex("[.]"), "[.]");
      made.emplace_back(std::regex_replace(dots, std::regex("[*]"), "[^/]*"));
    }
    return made;
  }();
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::regex& pattern) {
    return std::regex_match(file.string(), pattern);
  });
}

/// The program that a test belongs to; the same for all that is not a test. No two of the other
/// programs and libraries have a namespace in common, except parts of `harness`.
std::string program_of(const fs::path& file) {
  static const std::regex torch("tests/(models|harness/train|harness/probes|gpu)/.*");
  const std::string path = file.string();
  if (path.starts_with("tests/bench/")) return "ablate_bench";
  if (path.starts_with("tests/differential/")) return "ablate_statistics";
  if (std::regex_match(path, torch)) return "ablate_torch_tests";
  return path.starts_with("tests/") ? "ablate_tests" : "ablate";
}

TEST(Namespaces, FileLocalNamesAreFreeInWhateverIsCompiledAsOne) {
  using Place = std::pair<Definition, fs::path>;
  std::map<std::pair<std::string, std::string>, std::vector<Place>> known;  // by program and name
  std::vector<std::string> folders = kFloors;
  folders.push_back("tests");
  EXPECT_TRUE(is_compiled_alone("objectives/masked_lm.cpp"));
  EXPECT_FALSE(is_compiled_alone("objectives/common/spans/spans.cpp"));
  for (const std::string& folder : folders)
    for (const fs::path& file : sources(folder, {".cpp"})) {
      if (is_compiled_alone(file)) continue;
      for (const Definition& mine : definitions_in(read(file))) {
        if (!mine.local) continue;
        std::vector<Place>& places = known[{program_of(file), mine.name}];
        for (const auto& [theirs, other] : places)
          EXPECT_FALSE(other != file && collide(mine, theirs))
              << mine.name << " is defined in " << other << " and in " << file
              << ", which may be compiled as one source; give one of the two another name";
        places.emplace_back(mine, file);
      }
    }
  EXPECT_GT(known.size(), 500u);
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
