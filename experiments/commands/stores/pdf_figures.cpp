#include "experiments/commands/stores/pdf_figures.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <deque>
#include <filesystem>
#include <string_view>
#include <utility>

#include "harness/base/posix/cores.h"
#include "harness/base/posix/descriptor.h"

namespace ablate::commands {
namespace {

namespace fs = std::filesystem;

constexpr int kNotFound = 127;       // env(1): the program was not found
constexpr int kNotStarted = 1 << 8;  // exit status 1, as waitpid() gives it

/// A file in memory that starts at `bytes`.
Descriptor memory_file(const fs::path& name, std::string_view bytes) {
  Descriptor file(::memfd_create(name.c_str(), MFD_CLOEXEC));
  if (!file.is_open()) fail_errno(name, "could not be made in memory");
  write_all(file, bytes, name);
  if (::lseek(file.get(), 0, SEEK_SET) != 0) fail_errno(name, "could not be rewound");
  return file;
}

std::string all_bytes(const Descriptor& file, const fs::path& name) {
  std::string bytes;
  std::array<char, 1 << 16> part;
  while (true) {
    const ssize_t got =
        ::pread(file.get(), part.data(), part.size(), static_cast<off_t>(bytes.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_errno(name, "could not be read");
    if (got == 0) return bytes;
    bytes.append(part.data(), static_cast<std::size_t>(got));
  }
}

/// rsvg-convert at work on one drawing. Not a ChildProcess: forking copies the page tables of a program
/// that may hold gigabytes of results, for every drawing; posix_spawn() does not.
class Conversion {
 public:
  explicit Conversion(const reports::ReportFile& drawing)
      : name_(fs::path(drawing.name).replace_extension(".pdf")),
        svg_(memory_file(drawing.name, drawing.bytes)),
        pdf_(memory_file(name_, "")) {
    const std::array<const char*, 5> arguments = {"/usr/bin/env", "SOURCE_DATE_EPOCH=0",
                                                  "rsvg-convert", "--format=pdf", nullptr};
    posix_spawn_file_actions_t streams;
    ::posix_spawn_file_actions_init(&streams);
    ::posix_spawn_file_actions_adddup2(&streams, svg_.get(), STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&streams, pdf_.get(), STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&streams, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int failure = ::posix_spawn(&child_, arguments[0], &streams, nullptr,
                                      const_cast<char* const*>(arguments.data()), ::environ);
    ::posix_spawn_file_actions_destroy(&streams);
    if (failure != 0) child_ = 0;
  }
  Conversion(const Conversion&) = delete;
  Conversion& operator=(const Conversion&) = delete;
  ~Conversion() { finish(); }

  const fs::path& name() const { return name_; }

  /// Waits for its end; the exit status, 1 where it has none.
  int finish() {
    while (child_ > 0) {
      const pid_t ended = ::waitpid(child_, &status_, 0);
      if (ended == child_ || errno != EINTR) child_ = 0;
    }
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 1;
  }

  std::string bytes() const { return all_bytes(pdf_, name_); }

 private:
  const fs::path name_;
  const Descriptor svg_, pdf_;
  pid_t child_ = 0;  // 0: has ended, or was not started
  int status_ = kNotStarted;
};

/// Adds what a conversion has made, or why it has not.
void take(Conversion& conversion, PdfFigures& figures) {
  const int status = conversion.finish();
  std::string pdf = status == 0 ? conversion.bytes() : "";
  if (!pdf.empty()) {
    figures.files.push_back({conversion.name(), std::move(pdf)});
  } else if (status == kNotFound) {
    figures.fault =
        "the figures in paper/ have no PDFs, because rsvg-convert was not found; install "
        "librsvg2-bin, or use the .tex files";
  } else if (figures.fault.empty()) {
    figures.fault = fmt::format(
        "{} and perhaps other PDFs could not be made, because rsvg-convert ended with {}; use the "
        ".tex files",
        conversion.name().string(), status);
  }
}

}  // namespace

PdfFigures pdf_figures(const std::vector<reports::ReportFile>& files) {
  PdfFigures figures;
  std::deque<Conversion> running;
  const auto take_first = [&] {
    take(running.front(), figures);
    running.pop_front();
  };
  const std::size_t at_once = usable_cores();
  for (const reports::ReportFile& file : files) {
    const fs::path name = file.name;
    if (name.extension() != ".svg" || name.parent_path() != "paper/figures") continue;
    if (running.size() == at_once) take_first();
    if (!figures.fault.empty()) break;
    running.emplace_back(file);
  }
  while (!running.empty()) take_first();
  return figures;
}

}  // namespace ablate::commands
