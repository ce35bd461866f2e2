// The table of the parameters of training.

#include "harness/plan/rows/train_params.h"

namespace ablate::plan {

std::span<const Param> train_params() {
  static const std::vector<Param> rows = {
      section("budget",
              {optional(number("tokens", nullptr, 1, 1e15,
                               "raw tokens of text read, not counting begin tokens and pads")),
               optional(
                   number("positions", nullptr, 1, 1e15,
                          "positions of text read: batch x context in a step, whatever they hold")),
               optional(number("targets", nullptr, 1, 1e15,
                               "targets predicted, not counting those of weight 0")),
               optional(number("flops", nullptr, 1, 1e25, "training FLOPs")),
               optional(number("steps", nullptr, 1, 1e12, "optimizer steps")),
               optional(number("seconds", nullptr, 0.01, 1e9,
                               "seconds of training; not deterministic"))},
              "what every trial may spend; give exactly one of these"),
      integer("batch", 16, 1, 65536, "texts per step"),
      optional(integer(
          "micro_batch", nullptr, 1, 65536,
          "number of texts whose gradients are computed at once, a divisor of the batch; fewer "
          "take less memory and give the same step except for rounding; absent: all of them")),
      optional(
          section("loss",
                  {optional(number("label_smoothing", nullptr, 0, 0.99,
                                   "the fraction of each target that is given to all tokens of "
                                   "the vocabulary alike; absent: 0"),
                            0.0),
                   optional(number("focal", nullptr, 0, 10,
                                   "g: a target is weighted by (1 - q)^g, q being its "
                                   "probability by the model; absent: 0"),
                            0.0),
                   optional(number("entropy_weight", nullptr, 0, 10,
                                   "g: a target is weighted by (1 + H)^g, H being the entropy "
                                   "of the model's prediction in nats (MiLe); absent: 0"),
                            0.0),
                   optional(number("z", nullptr, 0, 1,
                                   "c: the loss of a target is raised by c (log Z)^2, Z being "
                                   "the sum of the exponentials of its logits; absent: 0"),
                            0.0)},
                  "what is minimised in place of the plain loss of tokens, by heads that "
                  "predict them; curves and probes show the plain loss; at most one of "
                  "label_smoothing, focal and entropy_weight; absent: the plain loss"),
          Json::object()),
      number("learning_rate", 3e-3, 1e-9, 10, "peak learning rate"),
      choice("schedule", "cosine", {"constant", "cosine", "linear", "warmup_stable_decay"},
             "shape of the learning rate over the budget, after warm-up"),
      number("warmup", 0.05, 0, 1,
             "fraction of the budget over which the learning rate rises from 0"),
      number("decay", 0.2, 0, 1, "fraction of the budget over which warmup_stable_decay decays"),
      number("final_rate", 0.0, 0, 1, "final learning rate, as a fraction of the peak"),
      number("beta1", 0.9, 0, 0.999999,
             "AdamW: decay of the running mean of the gradient, per step"),
      number("beta2", 0.98, 0, 0.999999,
             "AdamW: decay of the running mean of the squared gradient, per step"),
      number("epsilon", 1e-8, 1e-16, 1, "AdamW: added to the root of the mean squared gradient"),
      number("weight_decay", 0.01, 0, 10,
             "AdamW: decoupled weight decay, applied to matrices only"),
      number("clip", 1.0, 0, 1e9, "maximum norm of a trial's gradient; 0: no clipping"),
      number("dropout", 0.0, 0, 0.95,
             "fraction of units dropped after attention and feed-forward layers"),
      choice("precision", "auto", {"auto", "bfloat16", "float32"},
             "precision of products and activations; weights and optimizer stay in float32; auto: "
             "bfloat16 if the processor or GPU that trains can multiply it; the plan says which"),
      choice("kernels", "fused", {"fused", "plain"},
             "fused: loops of this project on the CPU; plain: one library call per operation"),
      choice("packing", "isolated", {"isolated", "joined", "padded"},
             "how documents share a row: isolated from each other, joined, or not at all (padded "
             "to one per row)"),
      integer("curve_points", 100, 2, 100000, "number of points of the loss curve"),
  };
  return rows;
}

std::int64_t micro_batch_of(const Params& train) {
  return train.has("micro_batch") ? train.integer("micro_batch") : 0;
}

TrainingLoss loss_of(const Json& train) {
  TrainingLoss loss;
  const Json given = train.value("loss", Json::object());
  const auto set = [&](const char* name, double& value) {
    if (const auto found = given.find(name); found != given.end()) value = found->get<double>();
  };
  set("label_smoothing", loss.label_smoothing);
  set("focal", loss.focal);
  set("entropy_weight", loss.entropy_weight);
  set("z", loss.z);
  return loss;
}

}  // namespace ablate::plan
