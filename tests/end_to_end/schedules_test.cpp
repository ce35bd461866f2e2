// What docs/nightly.md prints for cron, systemd and CI works as printed: each schedule is read from
// the page and runs its night, after the pin that the page prints for it.
//
// /srv/ablate is a folder of the test, `git` and `make` do nothing, and a night runs a tiny suite.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "harness/base/files.h"
#include "tests/end_to_end/program.h"
#include "tests/paths.h"

namespace ablate {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing_support::run_shell;
using testing_support::tiny_experiment;
using testing_support::Workplace;
namespace fs = std::filesystem;

/// The fenced blocks of docs/nightly.md with an info string.
std::vector<std::string> blocks(const std::string& info) {
  std::vector<std::string> found;
  std::istringstream lines(read_file(project_root() / "docs/nightly.md", 1 << 20));
  bool inside = false, wanted = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      wanted = inside && line == "```" + info;
      if (wanted) found.emplace_back();
    } else if (wanted) {
      found.back() += line + '\n';
    }
  }
  return found;
}

/// The one block of commands that pins a baseline and holds `part`.
std::string pin_block(const std::string& part) {
  std::string found;
  for (const std::string& block : blocks("sh build"))
    if (block.find("gate pin") != block.npos && block.find(part) != block.npos) {
      EXPECT_TRUE(found.empty()) << "two pins with " << part;
      found = block;
    }
  EXPECT_FALSE(found.empty()) << "no pin with " << part;
  return found;
}

/// A unit file: its "Key=value" lines by section.
std::map<std::string, std::vector<std::string>> sections_of(const std::string& unit) {
  std::map<std::string, std::vector<std::string>> sections;
  std::istringstream lines(unit);
  std::string section;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    if (line.front() == '[') {
      section = line;
      sections[section];
      continue;
    }
    EXPECT_TRUE(std::regex_match(line, std::regex("[A-Z][A-Za-z]*=.+"))) << line;
    sections[section].push_back(line);
  }
  return sections;
}

/// The commands of a job's `run:` steps, in order.
std::vector<std::string> commands_of(const std::string& job) {
  std::vector<std::string> commands;
  std::istringstream lines(job);
  const std::regex step("( *- run: )(.*)");
  std::size_t margin = 0;  // of the lines of the block that is read; 0: none is
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    if (margin > 0 && indent >= margin) {
      commands.back() += line.substr(margin) + '\n';
      continue;
    }
    margin = 0;
    if (!std::regex_match(line, found, step)) continue;
    commands.push_back(found[2] == "|" ? "" : found[2].str());
    if (found[2] == "|") margin = indent + 4;
  }
  return commands;
}

class Schedule : public testing::Test {
 protected:
  Schedule() {
    for (const char* const folder : {"experiments", "docs"})
      link(project_root() / folder, checkout / folder);
    place.write("tiny.json", tiny_experiment(R"({"seeds": 1})"));
    place.write("suite.json", R"({"experiments": [{"file": "tiny.json"}]})");
    script("bin/git", "[ \"$*\" = 'pull --quiet' ]\n");
    script("bin/make", "[ \"$*\" = build ]\n");
    script("checkout/build/release/ablate",
           "if [ \"$1\" = nightly ]; then\n"
           "  [ -f \"$2\" ] || exit 99\n"
           "  shift 2\n"
           "  set -- nightly " +
               (place.folder() / "suite.json").string() +
               " \"$@\"\n"
               "fi\n"
               "exec " +
               programs_folder().string() + "/ablate \"$@\"\n");
  }

  void link(const fs::path& what, const fs::path& where) const {
    fs::create_directories(where.parent_path());
    fs::create_symlink(what, where);
  }

  void script(const std::string& name, const std::string& text) const {
    const fs::path file = place.write(name, "#!/bin/sh\n" + text);
    fs::permissions(file, fs::perms::owner_all);
  }

  /// Runs a command as cron, systemd or a runner would, with little of an environment.
  int run(std::string command, const fs::path& folder) const {
    for (std::size_t at; (at = command.find("/srv/ablate")) != command.npos;)
      command.replace(at, 11, checkout.string());
    const fs::path file =
        place.write("command", "cd '" + folder.string() + "' || exit\n" + command);
    const std::string home = place.folder().string();
    return run_shell("-i HOME='" + home + "' PATH='" + home + "/bin:/usr/bin:/bin' ABLATE_CACHE='" +
                         home + "/cache' GITHUB_STEP_SUMMARY='" + home + "/summary'",
                     "sh -e '" + file.string() + "' >'" + home + "/output' 2>&1 </dev/null");
  }

  std::string output() const { return read_file(place.folder() / "output"); }

  const Workplace place;
  const fs::path checkout = place.folder() / "checkout";
};

TEST_F(Schedule, TheLineForCronRunsANightAndIsSilentWhereItPasses) {
  const std::vector<std::string> lines = blocks("crontab");
  ASSERT_EQ(lines.size(), 1u);
  std::smatch found;
  const std::regex shape("[0-9]+ [0-9]+ [*] [*] [*] +([^\n%]+)\n");  // cron makes a new line of a %
  ASSERT_TRUE(std::regex_match(lines[0], found, shape)) << lines[0];
  ASSERT_EQ(run(pin_block("/srv/ablate"), place.folder()), 0) << output();
  EXPECT_EQ(run(found[1], place.folder()), 0) << output();
  EXPECT_EQ(output(), "");
  EXPECT_THAT(read_file(checkout / "nightly.log"), HasSubstr("Pass: "));
}

TEST_F(Schedule, TheUnitRunsANightAsTheTimerAsks) {
  const std::vector<std::string> units = blocks("systemd");
  ASSERT_EQ(units.size(), 2u);
  auto service = sections_of(units[0]), timer = sections_of(units[1]);
  EXPECT_THAT(service["[Unit]"], Contains("Wants=network-online.target")) << "git pulls";
  EXPECT_THAT(service["[Unit]"], Contains("After=network-online.target"));
  EXPECT_THAT(service["[Service]"], Contains("Type=oneshot"));
  EXPECT_THAT(service["[Service]"], Contains("WorkingDirectory=/srv/ablate"));
  EXPECT_EQ(service.size(), 2u) << "the timer starts it";
  EXPECT_THAT(timer["[Timer]"], Contains(testing::StartsWith("OnCalendar=")));
  EXPECT_THAT(timer["[Install]"], Contains("WantedBy=timers.target"));
  EXPECT_TRUE(timer.contains("[Unit]"));
  std::string command;
  for (const std::string& line : service["[Service]"])
    if (line.starts_with("ExecStart=")) command = line.substr(10);
  ASSERT_TRUE(command.starts_with("/bin/sh -c '")) << "an absolute path: " << command;
  ASSERT_EQ(run(pin_block("/srv/ablate"), place.folder()), 0) << output();
  EXPECT_EQ(run(command, checkout), 0) << output();
  EXPECT_THAT(output(), HasSubstr("Pass: "));
}

TEST_F(Schedule, TheJobRunsANightBesideThePinThatIsPrintedForIt) {
  const std::vector<std::string> jobs = blocks("yaml");
  ASSERT_EQ(jobs.size(), 1u);
  const std::vector<std::string> commands = commands_of(jobs[0]);
  ASSERT_EQ(commands.size(), 2u);
  ASSERT_EQ(run(pin_block("--home \"$HOME/nightly\""), checkout), 0) << output();
  for (const std::string& command : commands)
    EXPECT_EQ(run(command, checkout), 0) << command << output();
  EXPECT_THAT(read_file(place.folder() / "summary"), HasSubstr("Pass: "));
  EXPECT_THAT(read_file(checkout / "gate.xml"), HasSubstr("<testsuite"));
}

}  // namespace
}  // namespace ablate
