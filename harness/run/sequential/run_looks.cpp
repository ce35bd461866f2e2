#include "harness/run/sequential/run_looks.h"

#include <fmt/core.h>

#include "harness/base/exit_code.h"

namespace ablate::run {
namespace {

std::string ending(const statistics::Looks& looks, std::size_t look, bool decided) {
  if (decided && look < looks.size())
    return fmt::format("decided, {} seeds before the cap", looks.back() - looks[look - 1]);
  if (decided) return "decided";
  if (look == looks.size()) return "the cap is met, and what is open stays inconclusive";
  return fmt::format("going on to {} seeds", looks[look]);
}

}  // namespace

int run_looks(const statistics::Looks& looks, std::size_t first, const LookStage& stage) {
  for (std::size_t look = first;; ++look) {
    const int code = stage.run(look);
    if (code != exit_ok && code != exit_some_failed) return code;
    const LookResult result = stage.judge();
    stage.note(fmt::format("look {} of {}, {} seeds: {}: {}", look, looks.size(), looks[look - 1],
                           result.verdicts, ending(looks, look, result.decided)));
    if (result.decided || look == looks.size()) return code;
  }
}

}  // namespace ablate::run
