#include "harness/run/ask_worker.h"

#include <fmt/core.h>
#include <sys/wait.h>

#include "harness/base/error.h"
#include "harness/run/worker/process.h"

namespace ablate::run {

void ask_worker(const Job& job, const std::filesystem::path& worker,
                const std::filesystem::path& log, const std::string& failure,
                const std::function<void(const Json& event)>& take) {
  Process process(worker, canonical(job) + "\n", log);
  do {
    for (const std::string& line : process.awaited_lines())
      if (const Json event = event_in(line); !event.is_null()) take(event);
    shorten_log(log);
  } while (!process.over());
  const std::string words = last_lines(log);
  std::error_code ignored;
  std::filesystem::remove(log, ignored);
  if (!WIFEXITED(process.status()) || WEXITSTATUS(process.status()) != 0)
    fail("{}: the worker ended with {}\n{}", failure, status_text(process.status()), words);
}

}  // namespace ablate::run
