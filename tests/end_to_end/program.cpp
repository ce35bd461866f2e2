// Starts programs in child processes, and interrupts and collects them.

#include "tests/end_to_end/program.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include "harness/base/files.h"
#include "harness/store/journal/trial_folders.h"
#include "tests/end_to_end/pauses.h"
#include "tests/paths.h"
#include "tests/wait_until.h"

namespace ablate::testing_support {
namespace {

namespace fs = std::filesystem;

/// Runs in the child process: sets up its environment and executes the program.
[[noreturn]] void become_ablate(const fs::path& programs, const std::vector<std::string>& arguments,
                                const fs::path& folder) {
  ::setpgid(0, 0);             // so that its workers can be killed with it
  ::signal(SIGXFSZ, SIG_DFL);  // as a shell starts it: a test with a Limit ignores it
  ::setenv("ABLATE_CACHE", (folder / "cache").c_str(), 1);
  const int out = ::open((folder / "stdout").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const int err = ::open((folder / "stderr").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  const std::string program = (programs / "ablate").string();
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  ::_exit(127);
}

/// Sends SIGKILL to a process, the group that it leads, and all processes that it started in other
/// groups.
void kill_tree(pid_t process) {
  std::ifstream children(fmt::format("/proc/{}/task/{}/children", process, process));
  std::vector<pid_t> workers;
  for (pid_t child = 0; children >> child;) workers.push_back(child);
  ::kill(-process, SIGKILL);
  ::kill(process, SIGKILL);
  for (const pid_t worker : workers) ::kill(worker, SIGKILL);
}

/// Whether a child that runs has a signal that it has not taken yet.
bool is_pending(int signal, pid_t child) {
  siginfo_t ended{};
  ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT);
  if (ended.si_pid == child) return false;  // what ended it stays pending
  std::ifstream status(fmt::format("/proc/{}/status", child));
  std::uint64_t pending = 0;
  for (std::string word; status >> word;)
    if (std::uint64_t mask = 0; word == "SigPnd:" || word == "ShdPnd:") {
      status >> std::hex >> mask;
      pending |= mask;
    }
  return (pending >> (signal - 1) & 1) != 0;
}

/// Sends the signal as soon as it is due. A worker that stands still goes on when the program has the
/// signal.
void interrupt(pid_t process, Pauses& pauses, const Interruption& interruption) {
  while (pauses.wait()) {
    if (!interruption.when()) {
      pauses.go_on();
      continue;
    }
    if (interruption.signal == SIGKILL) kill_tree(process);
    ::kill(process, interruption.signal);
    wait_until("the program takes its signal",
               [&] { return !is_pending(interruption.signal, process); });
    return pauses.end();
  }
  ADD_FAILURE() << "the program ended before its interruption was due";
}

}  // namespace

fs::path Workplace::write(const std::string& name, const std::string& text) const {
  return folder_.write(name, text);
}

Finished Workplace::ablate(const std::vector<std::string>& arguments,
                           const Interruption& interruption) const {
  return ablate_in(programs_folder(), arguments, interruption);
}

Finished Workplace::ablate_in(const fs::path& programs, const std::vector<std::string>& arguments,
                              const Interruption& interruption) const {
  std::optional<Pauses> pauses;
  if (interruption.signal != 0) pauses.emplace().allow(interruption.lines);
  const pid_t child = ::fork();
  if (child == 0) {
    if (pauses) pauses->begin();
    become_ablate(programs, arguments, folder());
  }
  if (pauses) {
    pauses->let_go();
    interrupt(child, *pauses, interruption);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          read_file(folder_ / "stdout"), read_file(folder_ / "stderr")};
}

std::string tiny_experiment(const std::string& changes) {
  Json experiment = Json::parse(R"({
    "name": "tiny",
    "question": "Does a sweep of seconds end?",
    "corpus": {"kind": "language", "topics": 2, "states": 6, "vocabulary": 16,
               "tokens": 8000, "held_out_tokens": 2048},
    "model": {"depth": 1, "width": 32, "heads": 2, "context": 32},
    "train": {"budget": {"steps": 12}, "batch": 4},
    "arms": [
      {"name": "clm", "set": {"objective": {"type": "causal_lm"}}},
      {"name": "mlm", "set": {"objective": {"type": "masked_lm"}}}
    ],
    "baseline": "clm",
    "seeds": 2,
    "probes": [{"type": "held_out", "texts": 20}],
    "analysis": {"primary": "held_out.excess"}
  })");
  experiment.merge_patch(Json::parse(changes));
  return experiment.dump(2);
}

std::int64_t journal_lines(const fs::path& results) {
  std::int64_t lines = 0;
  for (const auto& [id, folder] : store::listed_trials(results)) {  // none before the sweep begins
    std::ifstream journal(folder / "journal.jsonl");
    lines += std::count(std::istreambuf_iterator<char>(journal), {}, '\n');
  }
  return lines;
}

Interruption at_line(std::int64_t lines, int signal, const fs::path& results) {
  const std::int64_t left = lines + 1 - journal_lines(results);
  return {signal, [] { return true; }, std::max<std::int64_t>(left, 0)};
}

Json report_of(const Workplace& place, const fs::path& results) {
  const Finished report = place.ablate({"report", results.string(), "--json"});
  EXPECT_EQ(report.exit_code, 0) << report.errors;
  return Json::parse(report.output);
}

int run_shell(const std::string& environment, const std::string& line) {
  constexpr int kTimedOut = 124;  // as timeout(1) says
  const int status = std::system(
      fmt::format("env {} timeout {}m {}", environment, kPatience.count(), line).c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  EXPECT_NE(code, kTimedOut) << "still running after " << kPatience.count() << " minutes: " << line;
  return code;
}

std::string python_with_numpy() {
  for (const std::string python : {"python3", "/usr/bin/python3"})
    if (std::system((python + " -c 'import numpy' 2>/dev/null").c_str()) == 0) return python;
  return {};
}

}  // namespace ablate::testing_support
