#include "experiments/worker/measure_one.h"

#include "experiments/worker/process/stop.h"
#include "experiments/worker/reference_model.h"
#include "harness/base/time/time_spent.h"
#include "harness/data/language/language.h"
#include "harness/store/journal/measuring_time.h"

namespace ablate::worker {
namespace {

/// The loss of a point of the curve; none where nothing was scored.
std::optional<double> loss_in(const Json& event) {
  const Json& loss = event.at("loss");
  return loss.is_null() ? std::nullopt : std::optional(store::number_from_json(loss));
}

/// The curve of the trial and what it read, by the last attempt of each step.
probes::TrainingCourse course_of(const TrialRun& run) {
  probes::TrainingCourse course;
  if (run.resolved.has_phases || !run.resolved.start.empty()) return course;
  std::vector<probes::TrainingPoint>& points = course.points;
  for (const Json& event : run.journal.events()) {
    if (event.at("event") == "curve") {
      const auto step = event.at("step").get<std::int64_t>();
      while (!points.empty() && points.back().step >= step) points.pop_back();
      points.push_back({step, store::number_from_json(event.at("text_tokens")), loss_in(event)});
    } else if (event.at("event") == "ledger") {
      course.epochs = event.value("epochs", 0.0);
      course.text_tokens = event.value("text_tokens", 0.0);
      course.scored_tokens = event.value("target_weight", 0.0);
    }
  }
  return course;
}

/// The named phases of the trial, for probes that measure phases.
std::vector<probes::SubjectPhase> subject_phases(TrialRun& run, const Corpora& corpora,
                                                 const Computing& computing) {
  std::vector<probes::SubjectPhase> made;
  if (!run.resolved.has_phases) return made;
  const std::vector<plan::ResolvedPhase>& phases = run.resolved.phases;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const plan::ResolvedCorpus& corpus = phases[i].corpora.front();
    const auto trained = [&run, &computing, i, last = i + 1 == phases.size()] {
      auto network = network_of(run.resolved, 1, computing);
      if (last)
        train::load_weights(*network, train::final_weights(run.files()).value());
      else
        train::load_weights(*network, train::phase_weights(run.files(), i));
      return network;
    };
    made.push_back({phases[i], corpora.of(corpus.hash), language_of(corpus), trained});
  }
  return made;
}

/// What a probe measures. Throws ProbeFailed for what it throws, unless it was stopped.
probes::Measurement measured(const probes::Subject& subject, const plan::ResolvedProbe& probe,
                             const probes::ProgressSink& progress) {
  try {
    return measure(subject, probe, progress);
  } catch (const Stopped&) {
    throw;
  } catch (...) {
    throw ProbeFailed{std::current_exception()};
  }
}

}  // namespace

void measure_one(TrialRun& run, const MissingMeasurement& wanted, const store::Checkpoint& weights,
                 const Corpora& corpora, const std::string& device, probes::SharedPasses& passes,
                 const probes::ProgressSink& progress) {
  const TimeSpent before = time_spent();
  const plan::ResolvedTrial& trial = run.resolved;
  const Computing computing{device};  // in float32
  const auto network = passes.join(network_of(trial, 1, computing));
  std::optional<train::Snapshot> on_the_way;
  if (wanted.step) on_the_way = train::snapshot(run.files(), *wanted.step);
  train::load_weights(*network, on_the_way ? on_the_way->weights : weights);
  const auto language = language_of(trial.own.corpora.front());
  const auto untrained = [&] {
    auto fresh = passes.join(network_of(trial, 1, computing));
    train::initialise(*fresh, {static_cast<std::uint64_t>(trial.seed)});
    return fresh;
  };
  const probes::Subject subject{
      .seed = trial.seed,
      .model = trial.model,
      .phase = trial.own,
      .corpus = corpora.main(),
      .language = language.get(),
      .network = *network,
      .untrained = untrained,
      .device = computing.device,
      .cache = corpora.cache(),
      .phases = subject_phases(run, corpora, computing),
      .bank = [&](std::int64_t lanes) { return network_of(trial, lanes, computing); },
      .reference =
          [&](std::int64_t width, std::int64_t depth, std::int64_t context) {
            return reference_model(trial.model.vocabulary, width, depth, context, device);
          },
      .course = course_of(run)};
  const probes::Measurement made = measured(subject, *wanted.probe, progress);
  Json metrics = Json::object();
  for (const auto& [name, value] : made.metrics) metrics[name] = store::number_to_json(value);
  Json event = {{"id", wanted.id},         {"probe", wanted.probe->spec->name},
                {"metrics", metrics},      {"details", made.details},
                {"samples", made.samples}, {"spent", store::measuring_time(time_spent() - before)}};
  if (on_the_way) event["at"] = on_the_way->used;
  run.journal.write("measurement", std::move(event));
}

}  // namespace ablate::worker
