#include "harness/probes/text_quality/divergence.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>
#include <cmath>

#include "harness/probes/text_quality/clusters.h"

namespace ablate::probes {
namespace {

constexpr int kMixtures = 25;
constexpr double kScale = 5;                                       // of the divergences
constexpr double kVarianceKept = 0.9;                              // by the principal components
constexpr std::size_t kPerCluster = 50;                            // texts of a sample
constexpr std::size_t kPerClusterAtLeast = 10, kFewClusters = 20;  // where texts are few
constexpr double kAddedTexts = 0.5;                                // texts added to each cell
constexpr int kClusterings = 5, kStarts = 5;

double kl(std::span<const double> p, std::span<const double> q) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (p[i] > 0) sum += p[i] * std::log(p[i] / q[i]);
  return sum;
}

struct Point {
  double x = 0, y = 0;
};

/// The area under the points, by trapezoids along the x axis.
double area(std::vector<Point> points) {
  std::sort(points.begin(), points.end(),
            [](const Point& a, const Point& b) { return a.x < b.x || (a.x == b.x && a.y > b.y); });
  double sum = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    sum += (points[i].x - points[i - 1].x) * (points[i].y + points[i - 1].y) / 2;
  return sum;
}

/// The rows of both samples, scaled to unit length and reduced: float32 [count, components].
at::Tensor reduced(std::span<const float> p, std::span<const float> q, std::size_t width) {
  std::vector<float> all(p.begin(), p.end());
  all.insert(all.end(), q.begin(), q.end());
  const auto columns = static_cast<std::int64_t>(width);
  const at::Tensor rows = at::tensor(all).view({-1, columns}).to(at::kDouble);
  const at::Tensor unit = rows / rows.norm(2, {1}, true).clamp_min(1e-12);
  const at::Tensor centred = unit - unit.mean(0, true);
  const auto [values, vectors] = at::linalg_eigh(centred.t().matmul(centred));  // ascending
  const at::Tensor held = values.flip(0).cumsum(0) / values.sum().clamp_min(1e-300);
  const std::int64_t kept =
      std::min(columns, held.lt(kVarianceKept).sum().item<std::int64_t>() + 1);
  return centred.matmul(vectors.narrow(1, columns - kept, kept)).to(at::kFloat).contiguous();
}

/// The fraction of some points in each cluster, [k], after `added` points are added to each.
std::vector<double> histogram(std::span<const std::size_t> clusters, std::size_t k, double added) {
  std::vector<double> cells(k, added);
  for (const std::size_t cluster : clusters) ++cells[cluster];
  const double total = static_cast<double>(clusters.size()) + added * static_cast<double>(k);
  for (double& cell : cells) cell /= total;
  return cells;
}

/// What a cell with probabilities p and q adds to the frontier integral.
double frontier_of(double p, double q) {
  if (p == q) return 0;
  if (p == 0 || q == 0) return (p + q) / 2;
  return (p + q) / 2 - p * q * (std::log(p) - std::log(q)) / (p - q);
}

}  // namespace

double divergence_area(std::span<const double> p, std::span<const double> q) {
  std::vector<Point> points = {{1, 0}, {0, 1}}, mirrored = points;
  for (int i = 0; i < kMixtures; ++i) {
    const double weight = 1e-6 + (1 - 2e-6) * i / (kMixtures - 1);
    std::vector<double> mixture;
    for (std::size_t cell = 0; cell < p.size(); ++cell)
      mixture.push_back(weight * p[cell] + (1 - weight) * q[cell]);
    const double of_q = std::exp(-kScale * kl(q, mixture)),
                 of_p = std::exp(-kScale * kl(p, mixture));
    points.push_back({of_q, of_p});
    mirrored.push_back({of_p, of_q});
  }
  return (area(points) + area(mirrored)) / 2;
}

double frontier_integral(std::span<const double> p, std::span<const double> q) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += frontier_of(p[i], q[i]);
  return std::max(0.0, sum);  // rounding leaves less than 0 of cells that are almost equal
}

TextDivergence text_divergence(std::span<const float> p, std::span<const float> q,
                               std::size_t width, const Rng& rng) {
  const at::Tensor rows = reduced(p, q, width);
  const std::span<const float> points(rows.data_ptr<float>(),
                                      static_cast<std::size_t>(rows.numel()));
  const std::size_t of_p = p.size() / width, of_q = q.size() / width;
  const std::size_t texts = std::min(of_p, of_q);
  const std::size_t k = std::max(
      {std::size_t{2}, texts / kPerCluster, std::min(texts / kPerClusterAtLeast, kFewClusters)});
  TextDivergence sum;
  for (int clustering = 0; clustering < kClusterings; ++clustering) {
    const std::vector<std::size_t> clusters =
        clusters_of(points, static_cast<std::size_t>(rows.size(1)), k, kStarts,
                    rng.fork(static_cast<std::uint64_t>(clustering)));
    const auto first = std::span(clusters).first(of_p), second = std::span(clusters).subspan(of_p);
    const std::vector<double> cells_p = histogram(first, k, 0), cells_q = histogram(second, k, 0);
    sum.mauve += divergence_area(cells_p, cells_q) / kClusterings;
    sum.smoothed +=
        divergence_area(histogram(first, k, kAddedTexts), histogram(second, k, kAddedTexts)) /
        kClusterings;
    sum.frontier += frontier_integral(cells_p, cells_q) / kClusterings;
  }
  return sum;
}

}  // namespace ablate::probes
