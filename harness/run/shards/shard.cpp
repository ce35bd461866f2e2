#include "harness/run/shards/shard.h"

#include <fmt/core.h>

#include <charconv>
#include <set>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/store/folder/folder.h"
#include "harness/store/folder/plan_difference.h"
#include "harness/store/plan/stored_plan.h"

namespace ablate::run {
namespace {

constexpr std::size_t kMostShards = 100'000;

std::set<std::string> ids_of(const store::StoredPlan& plan) {
  std::set<std::string> ids;
  for (const store::StoredTrial& trial : plan.trials) ids.insert(trial.id);
  return ids;
}

}  // namespace

std::string Shard::text() const { return fmt::format("{}/{}", index, count); }
std::string Shard::file_name() const { return fmt::format("{}-of-{}", index, count); }

Shard shard_of(const std::string& text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.index);
  const bool divided = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
  const auto second = divided ? std::from_chars(first.ptr + 1, end, shard.count) : first;
  if (!divided || second.ec != std::errc() || second.ptr != end || shard.index < 1 ||
      shard.index > shard.count || shard.count > kMostShards)
    reject("--shard {}: is not a part; the third of sixteen is 3/16, of at most {}",
           text.substr(0, 60), kMostShards);
  return shard;
}

std::map<std::string, std::size_t> shards_of_trials(const plan::Plan& plan, std::size_t count) {
  std::map<std::string, std::size_t> shards;
  for (const plan::Bank& bank : plan.banks)
    for (const std::string& id : bank) shards.emplace(id, shards.size() % count);
  return shards;
}

plan::Plan part_of(plan::Plan plan, const Shard& shard) {
  const std::map<std::string, std::size_t> shards = shards_of_trials(plan, shard.count);
  const auto is_others = [&](const std::string& id) { return shards.at(id) != shard.index - 1; };
  for (plan::Bank& bank : plan.banks) std::erase_if(bank, is_others);
  std::erase_if(plan.banks, [](const plan::Bank& bank) { return bank.empty(); });
  std::erase_if(plan.trials, [&](const plan::Trial& trial) { return is_others(trial.id); });
  return plan;
}

std::filesystem::path done_file(const std::filesystem::path& results, const Shard& shard) {
  return results / "shards" / fmt::format("{}.done", shard.file_name());
}

bool is_frozen(const std::filesystem::path& results, const Json& plan) {
  if (!std::filesystem::exists(results / "plan.json")) return false;
  const Json document = store::read_plan(results);
  const store::StoredPlan held = store::stored_plan(document), wanted = store::stored_plan(plan);
  return ids_of(held) == ids_of(wanted) && held.experiment == wanted.experiment &&
         store::compare_plans(held, wanted).lines.empty();
}

Done::Done(const std::filesystem::path& results, const Shard& shard)
    : results_(results), file_(done_file(results, shard)) {
  std::filesystem::remove(file_);
}

void Done::write(const plan::Plan& part) const {
  const Json document = store::read_plan(results_);
  const store::StoredPlan plan = store::stored_plan(document);
  const std::set<std::string> known = ids_of(plan);
  for (const plan::Trial& trial : part.trials)
    if (!known.contains(trial.id))
      reject(
          "{}: another program has changed its plan, which no longer has trial {}; give all shards "
          "the same flags",
          results_.string(), trial.id);
  std::filesystem::create_directories(file_.parent_path());
  write_file(file_, Json{{"plan", plan.sha256}, {"trials", part.trials.size()}}.dump() + "\n");
}

}  // namespace ablate::run
