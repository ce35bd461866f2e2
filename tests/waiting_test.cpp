// tests/README.md lists every test that starts processes or threads, or waits; and none sleeps.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <sstream>

#include "tests/source_tree.h"
#include "tests/text_matches.h"

namespace ablate::source_tree {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kSleeps = {"sleep_for(", "sleep_until(", "usleep(", "nanosleep(",
                                          "time.sleep("};

/// What a source has that starts something, or whose result may depend on when something happens.
const std::vector<std::string> kStartsOrWaits = {
    // waiting, and the time
    "wait_until(", "kPatience", "steady_clock", "system_clock", "utc_now(", "timeout=",
    // processes and signals
    "::fork(", "::exec", "posix_spawn", "popen(", "std::system(", "ChildProcess", "make_tokenizer(",
    "time_in_turns(", "waitpid(", "waitid(", "::kill(", "::raise(", "::signal(", "sigaction(",
    "subprocess", "os.fork(", "os.kill(",
    // pipes, terminals and locks
    "::pipe(", "pipe2(", "open_pipe(", "::poll(", "openpty(", "isatty(", "ioctl(", "flock",
    "FolderLock",
    // threads
    "std::thread", "std::jthread", "std::async(", "std::barrier", "std::latch", "atomic_flag",
    "condition_variable", "concurrent.futures"};

/// Headers of the harness whose functions start processes or threads.
const std::vector<std::string> kStarters = {
    "harness/base/parallel/",
    "harness/base/posix/spawn.h",
    "harness/nightly/measure/programs.h",
    "harness/probes/together/turns.h",
    "harness/run/sweep.h",
    "harness/run/worker/process.h",
};

bool has_any(const std::string& text, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return text.find(word) != std::string::npos; });
}

/// Every source and script below tests/ with its text, by its path from there.
const std::map<fs::path, std::string>& all_texts() {
  static const std::map<fs::path, std::string> texts = [] {
    std::map<fs::path, std::string> made;
    for (const fs::path& file : sources("tests", {".h", ".cpp", ".py", ""})) {
      if (file.string().find("node_modules") != std::string::npos) continue;
      const std::string text = read(file);
      if (file.has_extension() || text.starts_with("#!"))
        made[file.lexically_relative("tests")] = text;
    }
    made.erase("waiting_test.cpp");  // names the words that it looks for
    return made;
  }();
  return texts;
}

/// What a source includes, as written.
std::vector<std::string> included_by(const std::string& text) {
  std::vector<std::string> targets;
  static const std::string kInclude = "#include \"";
  for (std::size_t at = 0; (at = text.find(kInclude, at)) != std::string::npos;) {
    at += kInclude.size();
    targets.push_back(text.substr(at, text.find('"', at) - at));
  }
  return targets;
}

/// Whether a file starts something or waits, itself or by a header of tests/ that does. What a header
/// declares is in the source of its name.
bool starts_or_waits(const fs::path& file) {
  const auto found = all_texts().find(file);
  if (found == all_texts().end()) return false;
  if (has_any(found->second, kStartsOrWaits) || has_any(found->second, kSleeps)) return true;
  if (file.extension() == ".h" && starts_or_waits(fs::path(file).replace_extension(".cpp")))
    return true;
  const std::vector<std::string> targets = included_by(found->second);
  return std::any_of(targets.begin(), targets.end(), [&](const std::string& target) {
    const fs::path other = fs::path(target).lexically_relative("tests");
    const bool own = other == fs::path(file).replace_extension(".h");
    return has_any(target, kStarters) || (!own && starts_or_waits(other));
  });
}

/// Whether a file is no test itself and is listed by those that use it: a header, or the source of one.
bool is_used_by_others(const fs::path& file) {
  return file.extension() == ".h" || (file.extension() == ".cpp" &&
                                      all_texts().contains(fs::path(file).replace_extension(".h")));
}

/// What the first two columns of the table name: files below tests/, and what runs them.
struct Table {
  std::set<std::string> files, runners;
};

Table table() {
  Table found;
  static const std::regex quoted("`([^`]+)`"), row(R"(\| (`[^|]*)\|([^|]*)\|[^|]*\|[^|]*\|)");
  std::istringstream lines(read("tests/README.md"));
  std::smatch cells;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_match(line, cells, row)) continue;
    for (const std::string& file : matches_in(cells[1], quoted, 1)) found.files.insert(file);
    for (const std::string& runner : matches_in(cells[2], quoted, 1)) found.runners.insert(runner);
  }
  return found;
}

/// The entries of CTest, but for the parts of the two programs of tests.
std::vector<std::string> ctest_entries() {
  std::vector<std::string> names =
      matches_in(read("CMakeLists.txt"), std::regex(R"(add_test\(NAME ([a-z_]+)\s)"), 1);
  std::erase(names, "ablate_torch_tests");
  return names;
}

TEST(WaitingTests, AreListedWithWhatTheyWaitFor) {
  const std::set<std::string> listed = table().files;
  std::size_t count = 0;
  for (const auto& [file, text] : all_texts()) {
    if (is_used_by_others(file) || !starts_or_waits(file)) continue;
    ++count;
    EXPECT_TRUE(listed.contains(file.string()))
        << "tests/" << file.string() << " starts processes or threads, or waits: give it a row in "
        << "tests/README.md that says what it starts and what it waits for";
  }
  EXPECT_GT(count, 40u);
}

TEST(WaitingTests, OfTheListStillStartSomethingOrWait) {
  for (const std::string& file : table().files) {
    EXPECT_TRUE(fs::exists(kRoot / "tests" / file)) << "tests/README.md: there is no " << file;
    EXPECT_TRUE(starts_or_waits(file))
        << "tests/README.md: " << file << " starts nothing and waits for nothing; remove its row";
  }
}

TEST(WaitingTests, AreRunByWhatTheListSays) {
  const std::set<std::string> runners = table().runners;
  const std::vector<std::string> entries = ctest_entries();
  EXPECT_GT(entries.size(), 5u);
  for (const std::string& entry : entries)
    EXPECT_TRUE(runners.contains(entry))
        << "CTest starts " << entry << " as a process: give it a row in tests/README.md";
  std::set<std::string> known(entries.begin(), entries.end());
  known.insert({"ablate_tests", "ablate_torch_tests"});
  const std::string makefile = read("Makefile");
  for (const std::string& runner : runners) {
    const bool target = runner.starts_with("make ") &&
                        makefile.find("\n" + runner.substr(5) + ":") != std::string::npos;
    EXPECT_TRUE(target || known.contains(runner))
        << "tests/README.md: there is no test of CTest and no target of make that is " << runner;
  }
}

/// Where pauses are allowed, and why.
const std::set<std::string> kMayPause = {
    "wait_until.h",                // waits for what tells nobody, and says what that was
    "fuzz/driver.cpp",             // looks after another process until it ends
    "faults/kills.py",             // kills at random moments on purpose
    "bench/scale/scale",           // looks for the plan of a program that runs
    "bench/versus/self_check.py",  // a peer that says nothing until it is killed
    "slurm/check",  // looks at what jobs of a scheduler have written, and says what it waits for
    "build/gate_scripts.py",      // parts of a gate that take some time, which is printed
    "harness/run/fake_worker.h",  // has the wait_until of all fake workers
};

TEST(WaitingTests, SleepNowhere) {
  for (const auto& [file, text] : all_texts()) {
    if (kMayPause.contains(file.string())) continue;
    EXPECT_FALSE(has_any(text, kSleeps))
        << "tests/" << file.string() << " sleeps: what it waits for can take longer; wait for what "
        << "happens (a pipe, a latch, the end of a process), or use tests/wait_until.h";
  }
}

// One that never ends, `while :; do sleep 0.01; done`, waits for nothing.
TEST(WaitingTests, SleepNowhereInScriptsOfTheShell) {
  const std::string sleep = "sleep ", for_ever = "while :; do ";
  for (const auto& [file, text] : all_texts()) {
    if (kMayPause.contains(file.string())) continue;
    for (std::size_t at = 0; (at = text.find(sleep, at)) != std::string::npos; at += sleep.size()) {
      const std::string_view before = std::string_view(text).substr(0, at);
      const bool a_number = std::isdigit(static_cast<unsigned char>(text[at + sleep.size()])) != 0;
      EXPECT_TRUE(!a_number || before.ends_with(for_ever))
          << "tests/" << file.string()
          << " has a `sleep` of the shell: a fake worker that waits has "
          << "wait_until of tests/harness/run/fake_worker.h";
    }
  }
}

}  // namespace
}  // namespace ablate::source_tree
