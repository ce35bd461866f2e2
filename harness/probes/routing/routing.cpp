// Counts which experts read the positions of held-out documents.

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/probes/documents.h"
#include "harness/probes/measuring.h"
#include "harness/train/step/feed.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kRowsOfDocuments = 50;
constexpr double kUnused = 0.1;  // of an even share

/// What one layer has chosen.
struct LayerChoices {
  std::vector<double> loads;                      // choices, by expert
  std::map<Token, std::vector<double>> by_token;  // first choices, by expert
};

double entropy(const std::vector<double>& counts) {
  const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
  double nats = 0;
  for (const double count : counts)
    if (count > 0) nats -= count / all * std::log(count / all);
  return nats;
}

/// The fraction of the entropy of a first choice that the token takes away; 0 where all choices are alike.
double decided_by_token(const LayerChoices& choices) {
  std::vector<double> all(choices.loads.size(), 0.0);
  double given = 0, positions = 0;
  for (const auto& [token, counts] : choices.by_token) {
    const double own = std::accumulate(counts.begin(), counts.end(), 0.0);
    given += own * entropy(counts);
    positions += own;
    for (std::size_t e = 0; e < all.size(); ++e) all[e] += counts[e];
  }
  const double before = entropy(all);
  return before > 0 ? 1 - given / positions / before : 0;
}

/// Adds the choices for documents, in rows of their own.
void count(const std::vector<train::ChosenExperts>& routes,
           std::span<const std::span<const Token>> documents, Reading reading,
           std::vector<LayerChoices>& layers) {
  layers.resize(routes.size());
  for (std::size_t layer = 0; layer < routes.size(); ++layer) {
    LayerChoices& own = layers[layer];
    const auto experts = static_cast<std::size_t>(routes[layer].experts);
    own.loads.resize(experts);
    const at::Tensor chosen = routes[layer].chosen.select(0, 0).cpu().contiguous();
    const std::int64_t time = chosen.size(1), choices = chosen.size(2);
    const auto* const values = chosen.data_ptr<std::int64_t>();
    for (std::size_t d = 0; d < documents.size(); ++d)
      for (std::size_t t = 0; t < documents[d].size(); ++t) {
        const std::int64_t* const place =
            values + (static_cast<std::int64_t>(d) * time + static_cast<std::int64_t>(t)) * choices;
        for (std::int64_t i = 0; i < choices; ++i) ++own.loads[static_cast<std::size_t>(place[i])];
        // Place t is not token t where documents are read from their ends.
        std::vector<double>& first =
            own.by_token[documents[d][reading.place_of(t, documents[d].size())]];
        first.resize(experts);
        ++first[static_cast<std::size_t>(place[0])];
      }
  }
}

std::vector<LayerChoices> choices_of(train::Network& network, const Subject& subject,
                                     std::span<const std::span<const Token>> documents,
                                     const ProgressSink& progress) {
  std::vector<LayerChoices> layers;
  for (std::size_t first = 0; first < documents.size(); first += kRowsOfDocuments) {
    const auto some =
        documents.subspan(first, std::min(kRowsOfDocuments, documents.size() - first));
    const Reading reading = subject.phase.objective.needs.reading();
    const data::Batch batch = document_batch(some, reading);
    count(network.routes(train::to_inputs({&batch, 1}, subject.device)), some, reading, layers);
    progress(static_cast<double>(first + some.size()) / static_cast<double>(documents.size()));
  }
  return layers;
}

/// Adds the metrics of all layers, and returns the shares of their experts.
Json add_metrics(const std::vector<LayerChoices>& layers, const std::string& before,
                 std::map<std::string, double>& metrics) {
  double fullest = 0, unused = 0, experts = 0, by_token = 0;
  Json shares = Json::array();
  for (const LayerChoices& layer : layers) {
    const auto count = static_cast<double>(layer.loads.size());
    const double even = std::accumulate(layer.loads.begin(), layer.loads.end(), 0.0) / count;
    fullest += *std::ranges::max_element(layer.loads) / even;
    by_token += decided_by_token(layer);
    experts += count;
    Json& own = shares.emplace_back(Json::array());
    for (const double load : layer.loads) {
      unused += load < kUnused * even ? 1 : 0;
      own.push_back(load / even / count);
    }
  }
  const auto count = static_cast<double>(layers.size());
  metrics["routing." + before + "fullest"] = fullest / count;
  metrics["routing." + before + "unused"] = unused / experts;
  metrics["routing." + before + "by_token"] = by_token / count;
  return shares;
}

}  // namespace

Measurement measure_routing(const Subject& subject, const plan::ResolvedProbe& probe,
                            const ProgressSink& progress) {
  std::vector<std::span<const Token>> documents = documents_of(
      subject.corpus.held_out(), static_cast<std::size_t>(probe.params.integer("documents")));
  for (std::span<const Token>& document : documents)
    document =
        document.first(std::min(document.size(), static_cast<std::size_t>(subject.phase.context)));
  const auto half = [&](double from) {
    return [&progress, from](double fraction) { progress(from + fraction / 2); };
  };
  const std::vector<LayerChoices> trained =
      choices_of(subject.network, subject, documents, half(0));
  if (trained.empty()) return no_measurement("routing", "its model has none");
  const std::unique_ptr<train::Network> initial = subject.untrained();
  const std::vector<LayerChoices> untrained = choices_of(*initial, subject, documents, half(0.5));
  Measurement made;
  made.details["share_of_experts_by_layer"] = add_metrics(trained, "", made.metrics);
  add_metrics(untrained, "untrained_", made.metrics);
  return made;
}

}  // namespace ablate::probes
