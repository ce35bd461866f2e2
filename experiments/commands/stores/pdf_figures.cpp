#include "experiments/commands/stores/pdf_figures.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <deque>
#include <thread>

namespace ablate::commands {
namespace {

namespace fs = std::filesystem;

constexpr int kNotFound = 127;  // env(1): the program was not found

/// rsvg-convert at work on one drawing. Not a ChildProcess: forking copies the page tables of a program
/// that may hold gigabytes of results, for every drawing; posix_spawn() does not.
class Conversion {
 public:
  explicit Conversion(const fs::path& svg)
      : svg_(svg), pdf_(fs::path(svg).replace_extension(".pdf")) {
    const std::array<const char*, 9> arguments = {
        "/usr/bin/env", "SOURCE_DATE_EPOCH=0", "rsvg-convert", "--format=pdf",
        "--output",     pdf_.c_str(),          "--",           svg_.c_str(),
        nullptr};
    posix_spawn_file_actions_t silent;
    ::posix_spawn_file_actions_init(&silent);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_addopen(&silent, stream, "/dev/null", O_RDWR, 0);
    failure_ = ::posix_spawn(&child_, arguments[0], &silent, nullptr,
                             const_cast<char* const*>(arguments.data()), ::environ);
    ::posix_spawn_file_actions_destroy(&silent);
  }
  Conversion(const Conversion&) = delete;
  Conversion& operator=(const Conversion&) = delete;
  ~Conversion() { finish(); }

  const fs::path& svg() const { return svg_; }

  /// Waits for its end; the exit status, 1 where there is no PDF for another reason.
  int finish() {
    if (failure_ != 0) return 1;
    while (child_ > 0) {
      const pid_t ended = ::waitpid(child_, &status_, 0);
      if (ended == child_ || errno != EINTR) child_ = 0;
    }
    const int code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 1;
    return code == 0 && !fs::exists(pdf_) ? 1 : code;
  }

 private:
  const fs::path svg_, pdf_;
  pid_t child_ = 0;  // 0: has ended
  int failure_ = 0;  // of starting it
  int status_ = 0;
};

}  // namespace

std::string write_pdf_figures(const fs::path& folder,
                              const std::vector<reports::ReportFile>& files) {
  std::string fault;
  std::deque<Conversion> running;
  const auto finish_first = [&] {
    const int status = running.front().finish();
    if (status == kNotFound)
      fault =
          "the figures in paper/ have no PDF, because rsvg-convert was not found; install "
          "librsvg2-bin, or use their .tex";
    else if (status != 0 && fault.empty())
      fault = fmt::format(
          "paper/figures/{} and perhaps others have no PDF, because rsvg-convert ended with {}; "
          "use their .tex",
          running.front().svg().filename().string(), status);
    running.pop_front();
  };
  const std::size_t at_once = std::max(1u, std::thread::hardware_concurrency());
  for (const reports::ReportFile& file : files) {
    const fs::path name = file.name;
    if (name.extension() != ".svg" || name.parent_path() != "paper/figures") continue;
    fs::remove((folder / name).replace_extension(".pdf"));
    if (!fault.empty()) continue;
    if (running.size() == at_once) finish_first();
    running.emplace_back(folder / name);
  }
  while (!running.empty()) finish_first();
  return fault;
}

}  // namespace ablate::commands
