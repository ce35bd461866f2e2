// The floor plan of docs/architecture.md, enforced: a folder includes only what stands below it,
// LibTorch stays where it is allowed, and every member of a family is registered.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>

#include "tests/source_tree.h"

namespace ablate::source_tree {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"harness", {"harness"}},
    {"objectives", {"objectives", "harness"}},
    {"models", {"models", "harness"}},
    {"reports", {"reports", "harness"}},
    {"experiments", {"experiments", "objectives", "models", "reports", "harness"}},
};

// Inside harness/, a folder includes itself and those before it.
const std::vector<std::string> kHarnessOrder = {
    "base", "statistics", "contract", "data", "store", "plan", "run", "nightly", "train", "probes"};

std::string part(const fs::path& path, int index) {
  auto step = path.begin();
  std::advance(step, std::min<std::ptrdiff_t>(index, std::distance(path.begin(), path.end()) - 1));
  return step->string();
}

std::ptrdiff_t harness_floor(const fs::path& path) {
  return std::find(kHarnessOrder.begin(), kHarnessOrder.end(), part(path, 1)) -
         kHarnessOrder.begin();
}

TEST(FloorPlan, EveryIncludePointsDownwards) {
  for (const auto& [folder, allowed] : kMayInclude) {
    const auto includes = includes_of(folder);
    EXPECT_FALSE(includes.empty()) << "no source was found under " << folder;
    for (const Include& include : includes) {
      if (!include.system) {
        EXPECT_TRUE(allowed.contains(part(include.target, 0)))
            << include.file << " may not include " << include.target;
      }
    }
  }
}

TEST(FloorPlan, HarnessFoldersIncludeOnlyThoseBeforeThem) {
  for (const Include& include : includes_of("harness")) {
    if (include.system) continue;
    const auto from = harness_floor(include.file), to = harness_floor(include.target);
    ASSERT_LT(from, std::ssize(kHarnessOrder)) << include.file << " is on no known floor";
    EXPECT_LE(to, from) << include.file << " may not include " << include.target;
  }
}

bool names_libtorch(const std::string& target) {
  const std::string top = part(target, 0);
  return top == "torch" || top == "ATen" || top == "c10" || top == "caffe2";
}

/// Files of models/ and harness/probes/ with "spec" in their name are compiled into `ablate`, and so
/// are the samplers.
bool may_use_libtorch(const fs::path& file) {
  for (const char* room : {"samplers", "token_filters"})
    if (file.string().find(std::string("harness/probes/generation/") + room) == 0) return false;
  if (file.string().find("experiments/worker") == 0) return true;
  const bool spec = file.filename().string().find("spec") != std::string::npos;
  if (part(file, 0) == "models") return !spec;
  return part(file, 0) == "harness" &&
         (part(file, 1) == "train" || (part(file, 1) == "probes" && !spec));
}

TEST(FloorPlan, LibTorchStaysInModelsTrainProbesAndTheWorker) {
  for (const auto& [folder, allowed] : kMayInclude)
    for (const Include& include : includes_of(folder)) {
      if (names_libtorch(include.target)) {
        EXPECT_TRUE(may_use_libtorch(include.file))
            << include.file << " includes " << include.target;
      }
      EXPECT_NE(include.target, "torch/torch.h")
          << include.file << ": include what is used instead";
    }
}

/// What `ablate` is compiled from must not reach LibTorch through another header of ours either.
TEST(FloorPlan, NothingWithoutLibTorchIncludesAHeaderThatHasIt) {
  for (const auto& [folder, allowed] : kMayInclude)
    for (const Include& include : includes_of(folder)) {
      if (!include.system && !may_use_libtorch(include.file)) {
        EXPECT_FALSE(may_use_libtorch(include.target) && include.target.find("harness/train") == 0)
            << include.file << " includes " << include.target;
      }
    }
}

TEST(FloorPlan, OnlyTwoFilesLookAtTheVersionOfLibTorch) {
  const std::set<fs::path> allowed = {"models/operations/attention.cpp",
                                      "harness/train/network/device.cpp"};
  for (const char* folder : {"models", "harness", "experiments"})
    for (const fs::path& file : sources(folder, {".h", ".cpp", ".inc"}))
      if (read(file).find("TORCH_VERSION") != std::string::npos) {
        EXPECT_TRUE(allowed.contains(file)) << file;
      }
}

// fmt 11 has moved it there; in older versions that header includes the one that has it.
TEST(FloorPlan, JoinIsIncludedFromWhereEveryVersionOfFmtHasIt) {
  for (const std::string& folder : kFloors)
    for (const fs::path& file : sources(folder)) {
      const std::string text = read(file);
      if (text.find("fmt::join(") != std::string::npos) {
        EXPECT_NE(text.find("#include <fmt/ranges.h>"), std::string::npos) << file;
      }
    }
}

/// A value that is nested too deep overflows the stack when it is copied: harness/base/json has the cap.
TEST(FloorPlan, JsonIsParsedInOnePlace) {
  for (const std::string& floor : kFloors)
    for (const fs::path& file : sources(floor)) {
      if (file.parent_path() == "harness/base/json") continue;
      const std::string text = read(file);
      for (const char* parser : {"json::parse(", "Json::parse(", "sax_parse(", "json::accept("})
        EXPECT_EQ(text.find(parser), std::string::npos)
            << file << " calls " << parser << "); parse_json() and its like have a cap on nesting";
    }
}

/// So that a trial, its price, its preview and its probes have the same objective.
TEST(FloorPlan, ObjectivesAreBuiltInOnePlace) {
  const std::regex built(R"((spec|objective)(\.|->)build\()");
  for (const char* floor : {"harness", "experiments"})
    for (const fs::path& file : sources(floor))
      if (std::regex_search(read(file), built)) {
        EXPECT_EQ(file, "harness/plan/resolve/built_objective.h");
      }
}

/// The name of a fuzz target is that of a source and of its folder of seeds.
TEST(FloorPlan, EveryFuzzTargetHasSeeds) {
  std::set<std::string> targets, seeds;
  for (const auto& entry : fs::directory_iterator(kRoot / "tests/fuzz"))
    if (const std::string stem = entry.path().stem(); stem.ends_with("_fuzz"))
      targets.insert(stem.substr(0, stem.size() - 5));
  for (const auto& entry : fs::directory_iterator(kRoot / "tests/fuzz/seeds"))
    seeds.insert(entry.path().filename());
  EXPECT_EQ(targets, seeds);
}

TEST(FloorPlan, EveryObjectiveFileIsRegistered) {
  const std::string registry = read("objectives/registry.cpp");
  for (const char* folder : {"objectives", "objectives/futures"})
    for (const auto& entry : fs::directory_iterator(kRoot / folder)) {
      const std::string name = entry.path().stem().string();
      if (entry.path().extension() != ".cpp" || name == "registry") continue;
      EXPECT_NE(registry.find("X(" + name + ")"), std::string::npos)
          << folder << "/" << name << ".cpp is not listed in objectives/registry.cpp; what "
          << "objectives share is in objectives/common";
    }
}

TEST(FloorPlan, TheTopLevelHoldsTheFamiliesAndNothingElse) {
  const std::set<std::string> allowed = {"harness", "objectives", "models", "experiments",
                                         "reports", "tests", "CMakeLists.txt", "README.md",
                                         "Makefile", "CMakePresets.json", "docs", "LICENSE",
                                         "CONTRIBUTING.md", "CHANGELOG.md", "CITATION.cff",
                                         // made by the programs and by users, never committed:
                                         "build", "results", "report", "mine"};
  for (const auto& entry : fs::directory_iterator(kRoot)) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name.front() == '.' || allowed.contains(name)) << name;
  }
}

/// What has no header of its own name, because a registry's line declares it, or because it is a
/// program.
bool is_listed_elsewhere(const fs::path& file) {
  const fs::path folder = file.parent_path();
  const std::string probe = folder.filename(), stem = file.stem();
  if (folder.parent_path() == "harness/probes" && (stem == probe || stem == probe + "_spec"))
    return true;
  if (folder == "harness/probes/generation/samplers" && stem != "registry" && stem != "chosen")
    return read(folder / "registry.cpp").find("X(" + stem + ")") != std::string::npos;
  for (const char* family : {"heads", "mixers", "feed_forwards"})
    if (folder == fs::path("models") / family || folder == fs::path("models/specs") / family) {
      const std::string members = read(std::string("models/specs/") + family + ".inc");
      return members.find("X(" + stem.substr(0, stem.rfind("_spec")) + ")") != std::string::npos;
    }
  if (folder == "harness/data/tasks" && stem != "task" && stem != "task_text")
    return read(folder / "tasks.inc").find("X(" + stem + ")") != std::string::npos;
  if (file.string().starts_with("reports/findings/"))
    return read("reports/findings/findings.inc").find("X(" + stem + ")") != std::string::npos;
  return folder == "objectives" || folder == "objectives/futures" ||
         folder == "experiments/commands" || folder == "experiments/commands/nightly" ||
         folder == "experiments/commands/running" || folder == "experiments/commands/shell" ||
         folder == "experiments/commands/stores" || file == "experiments/ablate.cpp" ||
         file == "experiments/worker/worker.cpp";
}

TEST(FloorPlan, EverySourceHasAHeaderOfItsName) {
  for (const std::string& floor : kFloors)
    for (fs::path file : sources(floor, {".cpp"})) {
      if (is_listed_elsewhere(file)) continue;
      const fs::path header = fs::path(file).replace_extension(".h");
      EXPECT_TRUE(fs::exists(kRoot / header)) << file << " has no " << header.filename();
    }
}

TEST(FloorPlan, NoFolderIsAHeap) {
  std::map<fs::path, std::int64_t> files;
  for (const std::string& floor : kFloors)
    for (const fs::path& file : sources(floor, {".h", ".cpp", ".inc"})) ++files[file.parent_path()];
  for (const auto& [folder, count] : files)
    EXPECT_LE(count, 20) << folder << " holds " << count << " sources; give it rooms";
}

/// The folders that each folder includes from, itself apart.
std::map<std::string, std::set<std::string>> edges() {
  std::map<std::string, std::set<std::string>> found;
  for (const std::string& floor : kFloors)
    for (const Include& include : includes_of(floor)) {
      const std::string from = include.file.parent_path(),
                        to = fs::path(include.target).parent_path();
      if (!include.system && from != to) found[from].insert(to);
    }
  return found;
}

TEST(FloorPlan, NoRoomIncludesOneThatIncludesIt) {
  const auto direct = edges();
  for (const auto& [start, first] : direct) {
    std::set<std::string> reached;
    std::vector<std::string> open(first.begin(), first.end());
    while (!open.empty()) {
      const std::string room = open.back();
      open.pop_back();
      if (!reached.insert(room).second || !direct.contains(room)) continue;
      for (const std::string& next : direct.at(room)) open.push_back(next);
    }
    EXPECT_FALSE(reached.contains(start)) << start << " includes, by way of others, itself";
  }
}

}  // namespace
}  // namespace ablate::source_tree
