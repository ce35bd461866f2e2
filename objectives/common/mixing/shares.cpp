// Normalises shares, and draws by them.

#include "objectives/common/mixing/shares.h"

#include <numeric>

#include "harness/base/error.h"

namespace ablate::objectives {
namespace {

/// The shares of `members` members, normalised. `name`: of the parameter that they are from.
std::vector<double> checked(const std::vector<double>& shares, const char* name,
                            std::size_t members) {
  if (shares.size() != members)
    reject("mixture: {} has {} entries for {} members; give one each", name, shares.size(),
           members);
  std::vector<double> made = normalised(shares);
  if (made.empty()) reject("mixture: {} sums to 0; give at least one member a share above 0", name);
  return made;
}

}  // namespace

std::vector<double> normalised(std::vector<double> shares) {
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (!(total > 0)) return {};
  for (double& share : shares) share /= total;
  return shares;
}

std::size_t Shares::drawn(double draw, double progress) const {
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double share = first[i] + (last[i] - first[i]) * progress;
    if (!(share > 0)) continue;
    chosen = i;  // the last one absorbs rounding
    if ((draw -= share) < 0) break;
  }
  return chosen;
}

Shares shares_of(const Params& params, std::size_t members) {
  if (const std::vector<Shares> all = shares_by_corpus(params, members); !all.empty()) {
    std::vector<double> sums(members);
    for (const Shares& own : all)
      for (std::size_t i = 0; i < members; ++i) sums[i] += own.first[i];
    sums = checked(sums, "shares_by_corpus", members);
    return {sums, sums};
  }
  std::vector<double> first(members, 1.0);
  if (params.has("shares")) first = params.list("shares").get<std::vector<double>>();
  first = checked(first, "shares", members);
  if (!params.has("final_shares")) return {first, first};
  return {first,
          checked(params.list("final_shares").get<std::vector<double>>(), "final_shares", members)};
}

std::vector<Shares> shares_by_corpus(const Params& params, std::size_t members) {
  std::vector<Shares> all;
  if (!params.has("shares_by_corpus")) return all;
  if (params.has("shares") || params.has("final_shares"))
    reject("mixture: shares_by_corpus and shares are both set; drop one of them");
  for (const Json& own : params.list("shares_by_corpus")) {
    const auto shares =
        checked(own.get<std::vector<double>>(), "an entry of shares_by_corpus", members);
    all.push_back({shares, shares});
  }
  if (all.empty()) reject("mixture: shares_by_corpus is empty; give one list of shares a corpus");
  return all;
}

}  // namespace ablate::objectives
