// What the zero-shot probe measures: whether a picture is the nearest to the name of its own class.

#include "harness/probes/members.h"
#include "harness/probes/zero_shot/pictures_spec.h"

namespace ablate::probes {
namespace {

std::vector<Metric> metrics(const Params&, const ProbedArm& arm) {
  const std::string classes = arm.language ? "name" : "class";
  std::vector<Metric> list;
  const auto add = [&](const char* name, const char* label, Better better,
                       std::string description) -> Metric& {
    return added(list, {std::string("zero_shot.") + name, label, "fraction", better,
                        Comparable::all_arms, std::move(description)});
  };
  add("accuracy", "zero-shot accuracy of pictures", Better::higher,
      "fraction of pictures whose state is nearer by cosine to that of the text of their own " +
          classes + " than to those of all others; nothing is trained on labels")
      .read_against({only_if(arm.language, Bound::ceiling("bayes")), Bound::untrained("untrained"),
                     Bound::chance("chance")})
      .scores_task();
  add("untrained", "zero-shot accuracy of pictures, untrained model", Better::neither,
      "the same for the model with its initial weights: the floor");
  add("chance", "zero-shot accuracy of pictures, chance", Better::neither,
      "accuracy of guessing: one over the number of classes");
  if (arm.language)
    add("bayes", "zero-shot accuracy of pictures, ceiling", Better::neither,
        "accuracy of the exact posterior of the name given the picture: the ceiling");
  return list;
}

std::string refusal(const Params& params, const ProbedArm& arm) {
  if (arm.language && params.has("test"))
    return "'test' names pictures of a file, but those of the built-in language are drawn; leave "
           "it "
           "out";
  if (!arm.language && !params.has("test"))
    return "there is no 'test'; give a JSON Lines file with a picture and a label per line";
  const bool compares = arm.first_head().kind == "contrastive" && arm.params.has("pairs") &&
                        arm.params.text("pairs") == "modalities";
  return compares ? ""
                  : "the arm does not compare pictures with texts; it can measure arms of "
                    "contrastive with \"pairs\": \"modalities\"";
}

/// All pictures under the model and its initial weights; the texts of classes are few and short.
double tokens(const Params& params, const ProbedArm& arm) {
  constexpr double kPatches = 16;
  return 2 * static_cast<double>(params.integer("test_pictures")) *
         std::min(kPatches, static_cast<double>(arm.context));
}

}  // namespace

ProbeSpec zero_shot_spec() {
  return {.name = "zero_shot",
          .summary = "pictures classified by the nearest text of a class's name, without training",
          .subject = "Zero-shot classification of pictures",
          .params = {integer("test_pictures", 500, 10, 100000,
                             "number of pictures to classify; the trial's seed draws them"),
                     optional(text("test", nullptr,
                                   "JSON Lines file of labelled pictures, with their patches under "
                                   "the key that corpus.picture names. On the built-in language, "
                                   "pictures are drawn and the classes are the documents' names")),
                     text("label_field", "label",
                          "key of a line's label, which is the name of its class"),
                     text("wording", "{}",
                          "text for a class, with its name in place of {}; only for files")},
          .metrics = metrics,
          .refusal = refusal,
          .tokens = tokens,
          .prepare = prepare_zero_shot};
}

}  // namespace ablate::probes
