// The README and docs/ are correct: their commands run, and their links and paths exist.
//
// The info string of a fenced block says what it holds (```sh, ```jsonc, ...). Strings that are not
// listed below are refused, so that no command remains untested by mistake. Blocks of `sh` are run
// in the order of their page, each page in a temporary copy of the tree with `ablate` on the PATH.
// There, `ablate run` trains at a tiny budget.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "harness/base/files.h"
#include "harness/base/json/json.h"
#include "tests/end_to_end/program.h"
#include "tests/paths.h"
#include "tests/text_matches.h"

namespace ablate {
namespace {

using testing_support::run_shell;
using testing_support::Workplace;

namespace fs = std::filesystem;

const fs::path kRoot = project_root();

enum class Treatment { run, refuse, compare, leave };

// All accepted info strings. Those of blocks that are not run say why.
const std::map<std::string, Treatment> kTreatments = {
    {"sh", Treatment::run},
    {"sh refused", Treatment::refuse},  // ends with status 2
    {"sh build", Treatment::leave},     // builds or tests the project: make does, not a test
    {"sh gpu", Treatment::leave},
    {"sh slurm", Treatment::leave},  // tests/slurm/check does this to a Slurm
    {"sh network", Treatment::leave},
    {"sh night", Treatment::leave},      // takes minutes; nightly_test.cpp runs short ones
    {"sh data", Treatment::leave},       // reads files that are not shipped
    {"jsonc file", Treatment::compare},  // the file that the line above the block names
    {"jsonc", Treatment::leave},
    {"cpp", Treatment::leave},
    {"latex", Treatment::leave},
    {"python", Treatment::leave},
    {"sql", Treatment::leave},
    {"text", Treatment::leave},
    {"crontab", Treatment::leave},  // schedules_test.cpp runs these three
    {"systemd", Treatment::leave},
    {"yaml", Treatment::leave},
};

struct Block {
  std::size_t line = 0;  // of its first line of text, from 1
  std::string info;
  std::string text;
  std::string before;  // the last line above it that is not empty
};

struct Page {
  fs::path file;  // relative to the root
  std::vector<Block> blocks;
  std::string prose;  // everything outside blocks
};

Page read_page(const fs::path& file) {
  Page page{.file = file};
  std::istringstream lines(read_file(kRoot / file, 1 << 20));
  std::string before;
  bool inside = false;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    if (line.compare(indent, 3, "```") == 0) {
      if (!inside) page.blocks.push_back({number + 1, line.substr(indent + 3), "", before});
      inside = !inside;
    } else if (inside) {
      page.blocks.back().text += line + "\n";
    } else {
      page.prose += line + "\n";
      if (!line.empty()) before = line;
    }
  }
  EXPECT_FALSE(inside) << file << ": the last fenced block has no end";
  return page;
}

/// README.md, CONTRIBUTING.md and the pages in docs/; pages in folders below it have separate
/// tests.
std::vector<fs::path> pages() {
  std::vector<fs::path> files = {"README.md", "CONTRIBUTING.md"};
  for (const auto& entry : fs::directory_iterator(kRoot / "docs"))
    if (entry.path().extension() == ".md") files.push_back(fs::relative(entry.path(), kRoot));
  std::sort(files.begin(), files.end());
  return files;
}

class Document : public testing::TestWithParam<fs::path> {
 protected:
  const Page page_ = read_page(GetParam());

  std::string where(const Block& block) const {
    return page_.file.string() + ":" + std::to_string(block.line);
  }
};

// `ablate run`, and `ablate plan` for the commands that it prints, with more settings after the printed ones, which they override. A file that extends
// another is on the built-in language; one on text keeps its size and its probes.
constexpr const char* kSmoke = R"(#!/bin/bash
program="$PROGRAMS/ablate"
case "$1 $*" in
  run\ *) smoke=(--progress none) ;;
  plan\ *--jobs*) smoke=() ;;
  *) exec "$program" "$@" ;;
esac
case "$2" in lecture/*)  # on a small text, with probes of their own
  exec "$program" "$@" "${smoke[@]}" --set train.budget.tokens=8192 --set seeds=1 --set probes.held_out.texts=20 ;;
esac
for setting in train.budget.tokens=8192 seeds=1 probes.held_out.texts=20 \
    probes.generation.samples=4 probes.generation.steps=4; do
  smoke+=(--set "$setting")
done
if grep -q '"extends"' "$2"; then
  for setting in corpus.tokens=30000 corpus.held_out_tokens=4000 \
      probes.classification.training_documents=20 \
      probes.classification.development_documents=10 \
      probes.classification.test_documents=10; do
    smoke+=(--set "$setting")
  done
fi
if grep -q '"hidden_state"' "$2"; then
  for setting in training_tokens=200 development_tokens=100 test_tokens=200; do
    smoke+=(--set "probes.hidden_state.$setting")
  done
fi
exec "$program" "$@" "${smoke[@]}"
)";

/// A folder that looks like the root of the tree. Everything that commands may write to is a copy.
void furnish(const Workplace& place) {
  for (const auto& entry : fs::directory_iterator(kRoot)) {
    const std::string name = entry.path().filename().string();
    static const std::set<std::string> made = {"build", "results", "report", "mine"};
    if (name.front() == '.' || made.contains(name)) continue;
    if (name == "experiments")
      fs::copy(entry.path(), place.folder() / name, fs::copy_options::recursive);
    else
      fs::create_symlink(entry.path(), place.folder() / name);
  }
  fs::create_directories(place.folder() / "build");
  fs::create_symlink(place.folder() / "bin", place.folder() / "build/release");
  const fs::path program = place.write("bin/ablate", kSmoke);
  fs::permissions(program, fs::perms::owner_all);
}

struct Ended {
  int status = 0;
  std::string output;
};

/// Runs a script in the folder. It stops at the first command that fails.
Ended run_script(const Workplace& place, const std::string& script) {
  const fs::path folder = place.folder();
  place.write("script", "cd '" + folder.string() + "'\nset -eo pipefail\n" + script);
  const std::string environment = "PATH='" + (folder / "bin").string() +
                                  "':\"$PATH\" ABLATE_CACHE='" + (folder / "cache").string() +
                                  "' PROGRAMS='" + programs_folder().string() + "'";
  const std::string output = (folder / "output").string();
  const int status = run_shell(
      environment, "bash '" + (folder / "script").string() + "' >'" + output + "' 2>&1 </dev/null");
  return {status, read_file(output)};
}

TEST_P(Document, RunsTheCommandsThatItPrints) {
  const Workplace place;
  furnish(place);
  for (const Block& block : page_.blocks) {
    const auto treatment = kTreatments.find(block.info);
    if (treatment == kTreatments.end()) continue;  // another test says so
    if (treatment->second == Treatment::run) {
      const Ended ended = run_script(place, block.text);
      ASSERT_EQ(ended.status, 0) << where(block) << "\n" << block.text << "\n" << ended.output;
    }
    if (treatment->second == Treatment::refuse) {
      const Ended ended = run_script(place, block.text);
      EXPECT_EQ(ended.status, 2) << where(block) << "\n" << block.text << "\n" << ended.output;
    }
  }
}

TEST_P(Document, MarksEveryBlockWithWhatItHolds) {
  for (const Block& block : page_.blocks)
    EXPECT_TRUE(kTreatments.contains(block.info))
        << where(block) << ": no block is marked '" << block.info << "'";
}

TEST_P(Document, ShowsExperimentFilesAsTheyAre) {
  const std::regex name("`([^`]+[.]json)`");
  for (const Block& block : page_.blocks) {
    if (block.info != "jsonc file") continue;
    std::smatch found;
    ASSERT_TRUE(std::regex_search(block.before, found, name))
        << where(block) << ": the line above names no file";
    const auto parse = [](const std::string& text) {
      return Json::parse(text, nullptr, /*allow_exceptions=*/true, /*ignore_comments=*/true);
    };
    EXPECT_EQ(parse(block.text), parse(read_file(kRoot / found[1].str(), 1 << 20))) << where(block);
  }
}

/// GitHub's anchor for a heading: in lower case, with hyphens for spaces and without punctuation.
std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_')
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

std::set<std::string> anchors_of(const fs::path& file) {
  std::set<std::string> anchors;
  std::istringstream lines(read_page(file).prose);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with('#')) anchors.insert(anchor_of(line.substr(line.find_first_not_of("# "))));
  return anchors;
}

TEST_P(Document, LinksToWhatExists) {
  for (const std::string& link : matches_in(page_.prose, std::regex(R"(\]\(([^)\s]+)\))"), 1)) {
    if (link.find("://") != link.npos || link.starts_with("mailto:")) continue;
    const std::size_t hash = std::min(link.find('#'), link.size());
    const fs::path target =
        hash == 0 ? page_.file
                  : (page_.file.parent_path() / link.substr(0, hash)).lexically_normal();
    EXPECT_TRUE(fs::exists(kRoot / target)) << page_.file << " links to " << link;
    if (hash < link.size() && target.extension() == ".md" && fs::exists(kRoot / target)) {
      EXPECT_TRUE(anchors_of(target).contains(link.substr(hash + 1)))
          << page_.file << " links to " << link << ", and there is no such heading";
    }
  }
}

/// Names of files in the tree, such as `objectives/masked_lm.cpp`. A NAME in capitals stands for
/// any name.
TEST_P(Document, NamesFilesThatExist) {
  const std::regex path(
      R"(`((?:harness|objectives|models|reports|experiments|tests|docs|[.]ci)/[\w./-]+[.]\w+)`)");
  const std::regex placeholder("[A-Z]{2}");
  for (const std::string& name : matches_in(page_.prose, path, 1)) {
    if (std::regex_search(name, placeholder) && !fs::exists(kRoot / name)) continue;
    EXPECT_TRUE(fs::exists(kRoot / name)) << page_.file << " names " << name;
  }
}

std::string name_of(const testing::TestParamInfo<fs::path>& made) {
  std::string name = made.param.stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Document, testing::ValuesIn(pages()), name_of);

}  // namespace
}  // namespace ablate
