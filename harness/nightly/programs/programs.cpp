#include "harness/nightly/programs/programs.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/json/parse.h"
#include "harness/base/posix/program.h"
#include "harness/base/sha256.h"
#include "harness/run/worker/process.h"

namespace ablate::nightly {

Programs running_programs() {
  Programs programs = {program_folder()};
  for (const char* const name : kPrograms)
    if (::access(programs.path_of(name).c_str(), X_OK) != 0)
      reject("{} is not there; build all targets (`make build`), a night needs {}, {} and {}",
             programs.path_of(name), kPrograms[0], kPrograms[1], kPrograms[2]);
  return programs;
}

ProgramHashes hashes_of(const Programs& programs) {
  ProgramHashes hashes;
  for (const char* const name : kPrograms) hashes[name] = sha256(read_file(programs.path_of(name)));
  return hashes;
}

int run_program(const std::vector<std::string>& command, const std::filesystem::path& log,
                const std::function<void(const std::string& line)>& take) {
  run::Process process(command, "", log);
  do {
    for (const std::string& line : process.awaited_lines())
      if (take) take(line);
  } while (!process.over());
  const int status = process.status();
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string ending_text(int status) {
  if (status <= 128) return fmt::format("status {}", status);
  return fmt::format("signal {} ({})", status - 128, ::strsignal(status - 128));
}

Json about(const Programs& programs, const std::filesystem::path& log) {
  Json told;
  const int status = run_program({programs.path_of("ablate-worker"), "--info"}, log,
                                 [&](const std::string& line) { told = parse_or_discard(line); });
  if (status != 0 || !told.is_object())
    fail("{} --info: ended with {}\n{}", programs.path_of("ablate-worker"), ending_text(status),
         run::last_lines(log));
  return told;
}

std::set<std::string> benchmarks_of(const Programs& programs, const std::string& filter,
                                    const std::filesystem::path& log) {
  std::set<std::string> names;
  const int status = run_program(
      {programs.path_of("ablate_bench"), "--benchmark_filter=" + filter, "--benchmark_list_tests"},
      log, [&](const std::string& line) { names.insert(line); });
  if (status != 0)
    fail("ablate_bench ended with {}: {}", ending_text(status), run::last_lines(log, 300));
  return names;
}

}  // namespace ablate::nightly
