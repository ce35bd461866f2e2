#include "harness/run/shards/leases.h"

#include <utility>

#include "harness/run/worker/machine.h"
#include "harness/store/folder/folder.h"

namespace ablate::run {
namespace {

constexpr double kBeatsUntilStill = 10;  // so that a few that are late do not matter

}  // namespace

Leases::Leases(std::filesystem::path results, double seconds)
    : results_(std::move(results)),
      seconds_(seconds),
      owner_(store::this_process()),
      watch_(seconds) {}

Leases::Claim Leases::claim(const std::vector<std::string>& trials) {
  if (seconds_ <= 0) return Claim::ours;
  std::map<std::string, store::Lease> taken;
  for (const std::string& trial : trials) {
    if (held_.contains(trial)) continue;
    auto reply = store::take_lease(store::journal_file(results_, trial).parent_path(), owner_,
                                   watch_, monotonic_seconds());
    if (!reply.lease) {
      holder_ = reply.holder.text();
      return reply.is_waiting() ? Claim::waiting : Claim::elsewhere;
    }
    taken.emplace(trial, std::move(*reply.lease));
  }
  held_.merge(taken);
  return Claim::ours;
}

std::vector<std::string> Leases::beat() {
  const double now = monotonic_seconds();
  std::vector<std::string> lost;
  if (held_.empty() || now < beat_at_) return lost;
  beat_at_ = now + seconds_ / kBeatsUntilStill;
  for (auto& [trial, lease] : held_) {
    if (!lease.is_held()) lost.push_back(trial);
    lease.beat();
  }
  return lost;
}

void Leases::end(const std::string& trial) {
  const auto found = held_.find(trial);
  if (found == held_.end()) return;
  found->second.end();
  held_.erase(found);
}

}  // namespace ablate::run
