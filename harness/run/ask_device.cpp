#include "harness/run/ask_device.h"

#include <fmt/core.h>
#include <unistd.h>

#include <optional>

#include "harness/base/error.h"
#include "harness/run/ask_worker.h"

namespace ablate::run {

Machine machine_of(const std::string& device, const Machine& here,
                   const std::filesystem::path& worker) {
  if (device == "cpu") return here;
  std::optional<Machine> told;
  const std::string failure = fmt::format("--device {}", device);
  const auto log =
      std::filesystem::temp_directory_path() / fmt::format("ablate_device_{}.log", ::getpid());
  const Job job{.device = device, .task = Task::describe};
  ask_worker(job, worker, log, failure, [&](const Json& event) {
    const Json none,
        &refusal = event.contains("bfloat16_refusal") ? event["bfloat16_refusal"] : none,
        &model = event.contains("model") ? event["model"] : none;
    if (event.at("event") != "device" || !refusal.is_string() || !model.is_string()) return;
    told = here;
    told->bfloat16_refusal = refusal.get<std::string>();
    told->trainer = fmt::format("{} ({})", device, model.get<std::string>());
  });
  if (!told) fail("{}: the worker did not say what it is", failure);
  return *told;
}

}  // namespace ablate::run
