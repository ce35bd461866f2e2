// A value of a wrong type, anywhere in an experiment file or after --set, is a refusal in words or
// is accepted; it is never an exception of the JSON library.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "harness/base/files.h"
#include "tests/fuzz/law.h"
#include "tests/fuzz/reading.h"
#include "tests/paths.h"

namespace ablate::plan {
namespace {

namespace fs = std::filesystem;

constexpr const char* kValues[] = {"false", "null", "-1", "1e300", "\"x\"", "[]", "{}", "[false]"};

/// The JSON pointers to everything inside a value.
std::set<std::string> pointers_in(const Json& value) {
  std::set<std::string> pointers;
  const Json leaves = value.flatten();
  for (const auto& [leaf, unused] : leaves.items())
    for (std::string at = leaf; !at.empty(); at.resize(at.rfind('/'))) pointers.insert(at);
  return pointers;
}

/// A pointer without the indices of lists: what stands at equal ones is read in the same way.
std::string pattern_of(const std::string& pointer) {
  std::string pattern;
  for (const char c : pointer)
    if (c < '0' || c > '9') pattern += c;
  return pattern;
}

/// The shipped experiments, as JSON.
std::vector<Json> shipped() {
  std::vector<Json> all;
  for (const auto& entry : fs::directory_iterator(ablate::project_root() / "experiments"))
    if (entry.path().extension() == ".json" && entry.path().stem() != "experiment.schema" &&
        entry.path().stem() != "claims")
      all.push_back(Json::parse(read_file(entry.path()), nullptr, true, /*ignore_comments=*/true));
  return all;
}

/// What is thrown that is not documented; empty where nothing is.
std::string raw_exception_of(const fs::path& file, const Overrides& flags = {}) {
  try {
    fuzz::read_and_check(file, flags);
  } catch (const std::exception& error) {
    if (!fuzz::is_documented(error)) return error.what();
  }
  return "";
}

TEST(WrongTypes, InAFileAreRefusedInWords) {
  const fuzz::ExperimentFolder folder;
  std::set<std::string> seen;
  for (const Json& experiment : shipped()) {
    ASSERT_EQ(raw_exception_of(folder.write(experiment.dump())), "");
    for (const std::string& pointer : pointers_in(experiment)) {
      if (!seen.insert(pattern_of(pointer)).second) continue;
      for (const char* value : kValues) {
        Json changed = experiment;
        changed[Json::json_pointer(pointer)] = Json::parse(value);
        EXPECT_EQ(raw_exception_of(folder.write(changed.dump())), "")
            << experiment.at("name") << ": " << pointer << " = " << value;
      }
    }
  }
  EXPECT_GT(seen.size(), 100u);
}

TEST(WrongTypes, AfterSetAreRefusedInWords) {
  const fuzz::ExperimentFolder folder;
  const fs::path file =
      folder.write(read_file(ablate::project_root() / "experiments/quickstart.json"));
  std::set<std::string> paths = {"/limits/trials", "/match/on", "/match/tolerance", "/seeds"};
  for (const Json& experiment : shipped()) paths.merge(pointers_in(experiment));
  for (std::string path : paths) {
    if (path.find_first_of("0123456789") != path.npos || path == "/extends") continue;
    path = path.substr(1);
    std::replace(path.begin(), path.end(), '/', '.');
    for (const char* value : kValues) {
      const std::string flag = path + "=" + value;
      EXPECT_EQ(raw_exception_of(file, {.set = {flag}}), "") << flag;
    }
  }
}

}  // namespace
}  // namespace ablate::plan
