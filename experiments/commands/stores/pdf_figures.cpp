#include "experiments/commands/stores/pdf_figures.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <deque>
#include <thread>

#include "harness/base/posix/spawn.h"

namespace ablate::commands {
namespace {

namespace fs = std::filesystem;

constexpr int kNotFound = 127;  // env(1): the program was not found

/// rsvg-convert at work on one drawing.
class Conversion {
 public:
  explicit Conversion(const fs::path& svg)
      : svg_(svg), pdf_(fs::path(svg).replace_extension(".pdf")), child_("rsvg-convert", [this] {
          return execute(arguments_.data(), input_, output_, output_);
        }) {}

  const fs::path& svg() const { return svg_; }

  /// Waits for its end; the exit status, 1 where there is no PDF for another reason.
  int finish() {
    const int status = child_.wait();
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    return code == 0 && !fs::exists(pdf_) ? 1 : code;
  }

 private:
  const fs::path svg_, pdf_;
  const std::array<const char*, 9> arguments_ = {
      "/usr/bin/env", "SOURCE_DATE_EPOCH=0", "rsvg-convert", "--format=pdf",
      "--output",     pdf_.c_str(),          "--",           svg_.c_str(),
      nullptr};
  const Descriptor input_ = open_file("/dev/null", O_RDONLY, "could not be opened");
  const Descriptor output_ = open_file("/dev/null", O_WRONLY, "could not be opened");
  ChildProcess child_;
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
