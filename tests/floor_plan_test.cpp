// The floor plan of docs/architecture.md, enforced: a folder includes only what stands below it,
// LibTorch stays where it is allowed, and every member of a family is registered.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

const fs::path kRoot = PROJECT_ROOT;

const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"harness", {"harness"}},
    {"objectives", {"objectives", "harness"}},
    {"models", {"models", "harness"}},
    {"reports", {"reports", "harness"}},
    {"experiments", {"experiments", "objectives", "models", "reports", "harness"}},
};

// Inside harness/, a folder includes itself and those before it.
const std::vector<std::string> kHarnessOrder = {"base", "statistics", "contract", "data",  "store",
                                                "plan", "run",        "train",    "probes"};

struct Include {
  fs::path file;       // relative to the root
  std::string target;  // as written
  bool system = false;
};

std::vector<Include> includes_of(const fs::path& folder) {
  const std::regex include(R"re(^\s*#\s*include\s+(["<])([^">]+)[">])re");
  std::vector<Include> found;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
    const auto suffix = entry.path().extension();
    if (suffix != ".h" && suffix != ".cpp") continue;
    std::ifstream file(entry.path());
    std::smatch match;
    for (std::string line; std::getline(file, line);)
      if (std::regex_search(line, match, include))
        found.push_back({fs::relative(entry.path(), kRoot), match[2].str(), match[1].str() == "<"});
  }
  return found;
}

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

/// Files of models/ and harness/probes/ with "spec" in their name are compiled into `ablate`.
bool may_use_libtorch(const fs::path& file) {
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
  const std::set<fs::path> allowed = {"models/attention.cpp", "harness/train/device.cpp"};
  for (const char* folder : {"models", "harness", "experiments"})
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path());
      const std::string source((std::istreambuf_iterator<char>(file)), {});
      const fs::path name = fs::relative(entry.path(), kRoot);
      if (source.find("TORCH_VERSION") != std::string::npos) {
        EXPECT_TRUE(allowed.contains(name)) << name;
      }
    }
}

TEST(FloorPlan, EveryObjectiveFileIsRegistered) {
  std::ifstream file(kRoot / "objectives/registry.cpp");
  const std::string registry((std::istreambuf_iterator<char>(file)), {});
  for (const auto& entry : fs::directory_iterator(kRoot / "objectives")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".cpp" || name == "registry") continue;
    EXPECT_NE(registry.find("X(" + name + ")"), std::string::npos)
        << "objectives/" << name << ".cpp is not listed in objectives/registry.cpp; what "
        << "objectives share is in objectives/laws";
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

}  // namespace
