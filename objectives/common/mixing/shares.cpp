// Normalises shares, and draws by them.

#include "objectives/common/mixing/shares.h"

#include <numeric>

#include "harness/base/error.h"

namespace ablate::objectives {
namespace {

std::vector<double> normalised(std::vector<double> shares, const char* name, std::size_t members) {
  if (shares.size() != members)
    reject("mixture: {} has {} entries for {} members; give one each", name, shares.size(),
           members);
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (!(total > 0)) reject("mixture: {} sums to 0; give at least one member a share above 0", name);
  for (double& share : shares) share /= total;
  return shares;
}

}  // namespace

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
  std::vector<double> first(members, 1.0);
  if (params.has("shares")) first = params.list("shares").get<std::vector<double>>();
  first = normalised(std::move(first), "shares", members);
  if (!params.has("final_shares")) return {first, first};
  return {first, normalised(params.list("final_shares").get<std::vector<double>>(), "final_shares",
                            members)};
}

}  // namespace ablate::objectives
