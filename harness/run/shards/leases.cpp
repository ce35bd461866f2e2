#include "harness/run/shards/leases.h"

#include <utility>

#include "harness/base/files.h"
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
  Claim claim;
  if (is_alone()) return claim;
  std::map<std::string, store::Lease> taken;
  for (const std::string& trial : trials) {
    if (const auto held = held_.find(trial); held != held_.end() && held->second.is_held()) {
      claim.free.push_back(trial);
      continue;
    }
    held_.erase(trial);
    const std::filesystem::path folder = store::begin_trial_folder(results_, trial);
    auto reply = store::take_lease(folder, owner_, watch_, monotonic_seconds());
    if (!reply.lease) {
      claim.holder = reply.holder.text();
      (reply.is_waiting() ? claim.waiting : claim.elsewhere).push_back(trial);
    } else if (is_being_appended(folder / store::kJournalName)) {
      claim.waiting.push_back(trial);  // by a worker whose program was killed, and which is ending
    } else {
      claim.free.push_back(trial);
      taken.emplace(trial, std::move(*reply.lease));
    }
  }
  if (claim.is_ours()) held_.merge(taken);
  return claim;
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
  for (const std::string& trial : lost) held_.erase(trial);
  return lost;
}

bool Leases::may_write(const std::string& trial) const {
  if (is_alone()) return true;
  const auto held = held_.find(trial);
  return held != held_.end() && held->second.is_held();
}

std::map<std::string, store::LeaseTicket> Leases::tickets(
    const std::vector<std::string>& trials) const {
  std::map<std::string, store::LeaseTicket> tickets;
  for (const std::string& trial : trials)
    if (const auto held = held_.find(trial); held != held_.end())
      tickets[trial] = held->second.ticket();
  return tickets;
}

void Leases::end(const std::string& trial) {
  const auto found = held_.find(trial);
  if (found == held_.end()) return;
  found->second.end();
  held_.erase(found);
}

}  // namespace ablate::run
