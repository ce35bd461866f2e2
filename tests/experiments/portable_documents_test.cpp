// Documents that are handed around name no folder of the machine that wrote them, and folders that are
// written are those that were named.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "tests/end_to_end/program.h"
#include "tests/harness/store/fake_results.h"
#include "tests/source_tree.h"

namespace ablate::commands {
namespace {

namespace fs = std::filesystem;
using ablate::testing_support::Finished;
using ablate::testing_support::Workplace;
using testing::HasSubstr;

/// The absolute paths of two parts or more in a text, such as "/home/me/x".
std::vector<std::string> absolute_paths(const std::string& text) {
  static const std::regex path(R"((^|[\s`'"(=\[])(/[A-Za-z0-9_.~-]+/[A-Za-z0-9_./~-]+))");
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), path), end; at != end; ++at)
    found.push_back((*at)[2]);
  return found;
}

/// Whether a path is the same on every machine, an example of a server, or a place in JSON such as
/// "/differences/0".
bool is_of_no_machine(const std::string& path) {
  static const std::set<std::string> known = {"usr", "bin", "etc", "srv", "nightly"};
  static const std::regex place_in_json("/[a-z_/]+/[0-9]+(/.*)?|/ledger/.*");
  return known.contains(path.substr(1, path.find('/', 1) - 1)) ||
         std::regex_match(path, place_in_json);
}

TEST(PortableDocuments, AbsolutePathsAreFound) {
  EXPECT_EQ(absolute_paths("`/home/me/x` a/b/c https://a.org/b/c (/data/y/z) x=/w/b"),
            (std::vector<std::string>{"/home/me/x", "/data/y/z", "/w/b"}));
}

/// What is shipped for readers, relative to the root.
std::vector<fs::path> shipped_documents() {
  std::vector<fs::path> found;
  const auto add = [&](const fs::directory_entry& entry) {
    const std::string extension = entry.path().extension();
    if (entry.is_regular_file() &&
        (extension == ".md" || extension == ".cff" || extension == ".json"))
      found.push_back(entry.path().lexically_relative(source_tree::kRoot));
  };
  for (const auto& entry : fs::directory_iterator(source_tree::kRoot)) add(entry);
  for (const char* folder : {"docs", "experiments", "tests/vectors"})
    for (const auto& entry : fs::recursive_directory_iterator(source_tree::kRoot / folder))
      add(entry);
  return found;
}

TEST(PortableDocuments, NothingThatIsShippedNamesAFolderOfAMachine) {
  const std::vector<fs::path> documents = shipped_documents();
  EXPECT_GT(documents.size(), 50u);
  for (const fs::path& document : documents)
    for (const std::string& path : absolute_paths(source_tree::read(document)))
      EXPECT_TRUE(is_of_no_machine(path)) << document << " has " << path;
}

std::string fake_results_in(const fs::path& results) {
  fs::create_directories(results.parent_path());
  store::freeze_plan(results, store::testing_support::fake_plan({"clm", "mlm"}, 1),
                     {{"experiment.json", "{}"}});
  for (const char* id : {"t0", "t1"}) store::testing_support::write_trial(results, id);
  return results.string();
}

TEST(PortableDocuments, APageOfClaimsHasCommandsWithRelativePaths) {
  const Workplace place;
  const std::string page = (place.folder() / "page.md").string();
  const Finished judged = place.ablate({"claims", fake_results_in(place.folder() / "a/r"),
                                        fake_results_in(place.folder() / "b/s"), "--out", page});
  ASSERT_EQ(judged.exit_code, exit_ok) << judged.errors;
  const std::string text = read_file(page);
  EXPECT_THAT(text, HasSubstr("    ablate run experiments/masking_rate.json --results results/"));
  EXPECT_EQ(absolute_paths(text), std::vector<std::string>());
}

TEST(ExportCommand, RefusesALinkToAnEmptyFolder) {
  const Workplace place;
  const std::string results = fake_results_in(place.folder() / "r");
  const fs::path real = place.folder() / "real", link = place.folder() / "link";
  fs::create_directory(real);
  fs::create_directory_symlink(real, link);
  for (const std::string& out : {link.string(), link.string() + "/"}) {
    const Finished refused = place.ablate({"export", results, "--to", "jsonl", "--out", out});
    EXPECT_EQ(refused.exit_code, exit_usage) << refused.errors;
    EXPECT_THAT(refused.errors, HasSubstr("link: is a link to " + real.string() +
                                          "; give that folder itself, or a new one"));
  }
  EXPECT_TRUE(fs::is_empty(real));
  EXPECT_FALSE(fs::exists(place.folder() / "link.partial"));
  const Finished made = place.ablate({"export", results, "--to", "jsonl", "--out", real.string()});
  EXPECT_EQ(made.exit_code, exit_ok) << made.errors;
}

}  // namespace
}  // namespace ablate::commands
