// Star graphs: the path from the centre to the end of one arm.
//
//   4 9 , 7 2 , 9 1 , 4 7 / 4 2 = 4 7 2      behind the "=", all but the first node are the answer
//
// To choose the second node a model must look ahead: what follows is an edge that it can look up. A model
// that learns that alone guesses one of the arms.
//
// Source: Bachmann and Nagarajan 2024, "The Pitfalls of Next-Token Prediction", arXiv:2403.06963,
// section 4; gregorbachmann/Next-Token-Failures at b925a1e. There graphs are drawn from a pool that
// training repeats; here every document is drawn anew.

#include <fmt/core.h>

#include <algorithm>

#include "harness/data/tasks/task.h"

namespace ablate::data {
namespace {

std::int64_t edges_of(const Params& dials, std::int64_t path) {
  return dials.integer("arms") * (path - 1);
}

std::string refusal(const Params& dials, std::int64_t path) {
  const std::int64_t needed = 1 + edges_of(dials, path), nodes = dials.integer("nodes");
  if (needed <= nodes) return {};
  return fmt::format("{} arms with paths of {} need {} nodes and there are {}; give more nodes",
                     dials.integer("arms"), path, needed, nodes);
}

std::vector<std::string> words(const Params& dials) {
  std::vector<std::string> all;
  add_words(all, "", dials.integer("nodes"));
  all.insert(all.end(), {",", "/", "="});
  return all;
}

std::int64_t length(const Params& dials, std::int64_t path) {
  return 3 * edges_of(dials, path) + 3 + path + 2;
}

double chance(const Params& dials) { return 1 / static_cast<double>(dials.integer("nodes")); }

void draw(const TaskDraw& with, Rng& rng, TaskDocument& document) {
  const std::int64_t nodes = with.dials.integer("nodes"), arms = with.dials.integer("arms");
  const std::int64_t path = with.difficulty, edges = edges_of(with.dials, path);
  const std::vector<std::int64_t> drawn = distinct(1 + edges, nodes, rng);
  // Node number `step` of an arm, of which the centre is number 0.
  const auto node = [&](std::int64_t arm, std::int64_t step) {
    return drawn[static_cast<std::size_t>(step == 0 ? 0 : arm * (path - 1) + step)];
  };
  bool first = true;
  for (const std::int64_t edge : distinct(edges, edges, rng)) {
    if (!first) document.put(nodes);
    first = false;
    const std::int64_t arm = edge / (path - 1), step = edge % (path - 1);
    document.put(node(arm, step));
    document.put(node(arm, step + 1));
  }
  // The arms are alike until one is asked about.
  document.put(nodes + 1);
  document.put(node(0, 0));
  document.put(node(0, path - 1));
  document.put(nodes + 2);
  const bool reversed = with.dials.text("order") == "reversed";
  for (std::int64_t step = 0; step < path; ++step)
    document.put(node(0, reversed ? path - 1 - step : step), step > 0);
  document.nats =
      log_arrangements(nodes, 1 + edges) + log_factorial(edges) - log_factorial(arms - 1);
}

}  // namespace

TaskSpec star_task() {
  return {
      .name = "star",
      .summary = "the edges of a star graph, then the path from its centre to the end of an arm",
      .source = "Bachmann and Nagarajan 2024, arXiv:2403.06963, section 4",
      .difficulty = {"path", "test_path", {3}, {}, 2, 64, "nodes of a path, including the centre"},
      .dials = {integer("arms", 2, 2, 64, "arms of a star"),
                integer("nodes", 20, 3, 16384, "nodes that graphs are made of"),
                choice("order", "forward", {"forward", "reversed"},
                       "order of the path; reversed, each node can be looked up")},
      .refusal = refusal,
      .words = words,
      .length = length,
      .chance = chance,
      .draw = draw};
}

}  // namespace ablate::data
