#include "harness/probes/text_quality/clusters.h"

#include <algorithm>
#include <limits>

namespace ablate::probes {
namespace {

constexpr int kMaxRounds = 500;

using Size = std::size_t;

/// The points, and the state of one run.
class Lloyd {
 public:
  Lloyd(std::span<const float> points, Size width, Size k)
      : points_(points), width_(width), count_(points.size() / width), k_(std::min(k, count_)) {}

  /// Draws the first centres: each with a probability proportional to the squared distance from
  /// those before it.
  void start(Rng rng) {
    centres_.clear();
    std::vector<double> distances(count_, std::numeric_limits<double>::infinity());
    Size chosen = static_cast<Size>(rng.below(static_cast<std::int64_t>(count_)));
    while (true) {
      const auto centre = point(chosen);
      centres_.insert(centres_.end(), centre.begin(), centre.end());
      if (centres_.size() == k_ * width_) break;
      double total = 0;
      for (Size i = 0; i < count_; ++i)
        total += distances[i] = std::min(distances[i], distance(i, centres_.size() / width_ - 1));
      double left = rng.uniform() * total;
      for (chosen = 0; chosen + 1 < count_ && (left -= distances[chosen]) >= 0; ++chosen) {
      }
    }
    clusters_.assign(count_, 0);
  }

  /// Moves points and centres until no point changes its cluster; returns the sum of squared
  /// distances.
  double run() {
    double cost = assign();
    for (int round = 0; round < kMaxRounds; ++round) {
      move_centres();
      const std::vector<Size> before = clusters_;
      cost = assign();
      if (clusters_ == before) break;
    }
    return cost;
  }

  const std::vector<Size>& clusters() const { return clusters_; }

 private:
  std::span<const float> point(Size i) const { return points_.subspan(i * width_, width_); }

  double distance(Size i, Size centre) const {
    double sum = 0;
    const auto own = point(i);
    for (Size d = 0; d < width_; ++d) {
      const double difference = static_cast<double>(own[d]) - centres_[centre * width_ + d];
      sum += difference * difference;
    }
    return sum;
  }

  double assign() {
    double cost = 0;
    for (Size i = 0; i < count_; ++i) {
      double nearest = std::numeric_limits<double>::infinity();
      for (Size centre = 0; centre < k_; ++centre)
        if (const double to = distance(i, centre); to < nearest) {
          nearest = to;
          clusters_[i] = centre;
        }
      cost += nearest;
    }
    return cost;
  }

  /// Puts each centre at the mean of its points; one without points stays.
  void move_centres() {
    std::vector<double> sums(k_ * width_, 0.0), counts(k_, 0.0);
    for (Size i = 0; i < count_; ++i) {
      ++counts[clusters_[i]];
      for (Size d = 0; d < width_; ++d)
        sums[clusters_[i] * width_ + d] += static_cast<double>(point(i)[d]);
    }
    for (Size centre = 0; centre < k_; ++centre)
      for (Size d = 0; d < width_ && counts[centre] > 0; ++d)
        centres_[centre * width_ + d] = sums[centre * width_ + d] / counts[centre];
  }

  std::span<const float> points_;
  Size width_, count_, k_;
  std::vector<double> centres_;  // [k, width]
  std::vector<Size> clusters_;
};

}  // namespace

std::vector<std::size_t> clusters_of(std::span<const float> points, std::size_t width,
                                     std::size_t k, int starts, const Rng& rng) {
  Lloyd lloyd(points, width, k);
  std::vector<Size> best;
  double lowest = std::numeric_limits<double>::infinity();
  for (int start = 0; start < starts; ++start) {
    lloyd.start(rng.fork(static_cast<std::uint64_t>(start)));
    const double cost = lloyd.run();
    if (cost >= lowest) continue;
    lowest = cost;
    best = lloyd.clusters();
  }
  return best;
}

}  // namespace ablate::probes
