#include "experiments/commands/stores/pdf_figures.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/wait.h>

#include <array>

#include "harness/base/posix/spawn.h"

namespace ablate::commands {
namespace {

namespace fs = std::filesystem;

constexpr int kNotFound = 127;  // env(1): the program was not found

/// Runs rsvg-convert and returns its exit status.
int convert(const fs::path& svg, const fs::path& pdf) {
  const std::string from = svg.string(), to = pdf.string();
  const std::array<const char*, 9> arguments = {
      "/usr/bin/env", "SOURCE_DATE_EPOCH=0", "rsvg-convert", "--format=pdf", "--output", to.c_str(),
      "--",           from.c_str(),          nullptr};
  const Descriptor input = open_file("/dev/null", O_RDONLY, "could not be opened");
  const Descriptor output = open_file("/dev/null", O_WRONLY, "could not be opened");
  ChildProcess child("rsvg-convert",
                     [&] { return execute(arguments.data(), input, output, output); });
  const int status = child.wait();
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

std::string write_pdf_figures(const fs::path& folder,
                              const std::vector<reports::ReportFile>& files) {
  std::string fault;
  for (const reports::ReportFile& file : files) {
    const fs::path name = file.name;
    if (name.extension() != ".svg" || name.parent_path() != "paper/figures") continue;
    const fs::path pdf = (folder / name).replace_extension(".pdf");
    fs::remove(pdf);
    if (!fault.empty()) continue;
    const int status = convert(folder / name, pdf);
    if (status == kNotFound)
      fault =
          "the figures in paper/ have no PDF, because rsvg-convert was not found; install "
          "librsvg2-bin, or use their .tex";
    else if (status != 0 || !fs::exists(pdf))
      fault = fmt::format(
          "the figures in paper/ have no PDF from {} on, because rsvg-convert ended with {}; use "
          "their .tex",
          name.filename().string(), status);
  }
  return fault;
}

}  // namespace ablate::commands
