// Draws the batches of a trial from a part of a corpus.

#include "harness/data/batches/batches.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <mutex>

#include "harness/base/error.h"
#include "harness/base/shuffle.h"
#include "harness/data/batches/mixture.h"
#include "harness/data/batches/texts.h"

namespace ablate::data {
namespace {

using Order = std::vector<std::int32_t>;

void check(const BatchSettings& settings) {
  if (settings.rows < 1 || settings.context < 1)
    reject("batches: got {} rows of {} tokens; both must be at least 1", settings.rows,
           settings.context);
}

std::vector<double> probabilities_of(const std::vector<BatchMember>& members) {
  std::vector<double> probabilities;
  probabilities.reserve(members.size());
  for (const BatchMember& member : members) probabilities.push_back(member.probability);
  return probabilities;
}

}  // namespace

/// A part that texts are drawn from, in an order of its texts.
class OrderedPart {
 public:
  OrderedPart(const BatchMember& member, const Needs& needs, const BatchSettings& settings,
              std::uint64_t at)
      : part(member.part),
        texts(part, needs, settings.packing, settings.context),
        probability(member.probability),
        number(at),
        seed_(settings.seed) {}

  /// The text at place `index` of the training order. The orders of the last two epochs are kept,
  /// because one step may need both.
  std::int64_t in_training_order(std::int64_t index) {
    const std::int64_t epoch = index / texts.count();
    const std::lock_guard<std::mutex> lock(mutex_);
    Kept& kept = orders_[static_cast<std::size_t>(epoch % 2)];
    if (kept.epoch != epoch) {
      const Rng rng(seed_, Stream::data_order, static_cast<std::uint64_t>(epoch), number);
      kept = {epoch, random_order(static_cast<std::int32_t>(texts.count()), rng)};
    }
    return kept.order[static_cast<std::size_t>(index % texts.count())];
  }

  const Part part;
  const Texts texts;
  const double probability;    // that a text is drawn from it
  const std::uint64_t number;  // among the members

 private:
  struct Kept {
    std::int64_t epoch = -1;
    Order order;
  };

  const std::uint64_t seed_;
  std::mutex mutex_;
  Kept orders_[2];
};

struct Batches::State {
  State(const std::vector<BatchMember>& members, Objective made_by, BatchSettings by)
      : objective(std::move(made_by)), settings(by), mixture(probabilities_of(members), by.seed) {
    check(settings);
    for (const BatchMember& member : members)
      sources.emplace_back(member, objective.needs, settings, sources.size());
    if (settings.shape.time != 0) return;
    for (const OrderedPart& source : sources)
      settings.shape = maximum(settings.shape, row_shape(source.texts, objective));
  }

  void add_examples(const Text& text, Rng rng, std::int64_t row, SampledBatch& drawn) const {
    for (Example& example : objective.transform(text, rng)) {
      settle(example, objective.needs);
      drawn.examples.push_back({text, std::move(example), row});
    }
  }

  /// Adds the examples of a text to a row. `about`: the text's index, progress, row and shared
  /// random stream.
  void add_row(const OrderedPart& source, std::int64_t number, const Text& about, std::int64_t row,
               Rng rng, SampledBatch& drawn) const {
    const Piece whole = source.texts.at(number);
    drawn.text_tokens += count_raw(source.part.tokens.subspan(whole.first, whole.count));
    std::uint64_t fragment = 0;
    for (const Piece& piece : source.texts.fragments(number)) {
      Text text = source.texts.text_of(piece);
      text.index = about.index;
      text.pass = about.pass;
      text.corpus = static_cast<std::int64_t>(source.number);
      text.own = Rng(settings.seed, Stream::texts, piece.first, source.number);
      text.shared = about.shared.fork(static_cast<std::uint64_t>(text.document));
      text.progress = about.progress;
      text.row = about.row;
      text.rows = settings.rows;
      add_examples(text, rng.fork(fragment++), row, drawn);
    }
  }

  void lay(SampledBatch& drawn, std::int64_t rows) const {
    drawn.batch = lay_out(drawn.examples, objective.needs, settings.packing, rows, settings.shape);
  }

  const Objective objective;
  BatchSettings settings;
  const Mixture mixture;
  std::deque<OrderedPart> sources;  // never moved: texts point to their source
};

Batches::Batches(const Part& part, Objective objective, BatchSettings settings)
    : Batches(std::vector<BatchMember>{{part}}, std::move(objective), settings) {}

Batches::Batches(const std::vector<BatchMember>& members, Objective objective,
                 BatchSettings settings)
    : state_(std::make_shared<State>(members, std::move(objective), settings)) {}

std::int64_t Batches::texts() const {
  double minimum = std::numeric_limits<double>::infinity();
  for (const OrderedPart& part : state_->sources)
    minimum = std::min(minimum, static_cast<double>(part.texts.count()) / part.probability);
  return static_cast<std::int64_t>(minimum);
}

const RowShape& Batches::shape() const { return state_->settings.shape; }

SampledBatch Batches::step(std::int64_t step) const {
  if (step < 0) reject("batches: step {} is negative; the first step is 0", step);
  const BatchSettings& settings = state_->settings;
  SampledBatch drawn;
  const auto places = state_->mixture.places(step * settings.rows, settings.rows);
  for (std::int64_t row = 0; row < settings.rows; ++row) {
    const std::int64_t index = step * settings.rows + row;
    const Rng rng(settings.seed, Stream::corruption, static_cast<std::uint64_t>(step),
                  static_cast<std::uint64_t>(row));
    Text about;
    about.index = index;
    about.row = row;
    if (settings.steps > 0)
      about.progress =
          std::min(1.0, static_cast<double>(step) / static_cast<double>(settings.steps));
    const Mixture::Place& place = places[static_cast<std::size_t>(row)];
    OrderedPart& source = state_->sources[place.member];
    const std::int64_t epoch = place.index / source.texts.count();
    about.pass = epoch;
    about.shared =
        Rng(settings.seed, Stream::documents, static_cast<std::uint64_t>(epoch) + 1, source.number);
    state_->add_row(source, source.in_training_order(place.index), about, row, rng, drawn);
  }
  state_->lay(drawn, settings.rows);
  return drawn;
}

SampledBatch Batches::read(std::span<const std::int64_t> numbers) const {
  const OrderedPart& source = state_->sources.front();
  if (numbers.empty()) reject("batches: no text is asked for");
  SampledBatch drawn;
  const std::int64_t rows = std::ssize(numbers);
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t text = numbers[static_cast<std::size_t>(row)];
    if (text < 0 || text >= source.texts.count())
      reject("batches: there is no text {}: the part has {}", text, source.texts.count());
    const Rng rng(state_->settings.seed, Stream::probes, static_cast<std::uint64_t>(text), 0);
    Text about;
    about.index = text;
    about.row = row % state_->settings.rows;
    about.progress = 1;
    about.shared = Rng(state_->settings.seed, Stream::documents, 0, 0);
    state_->add_row(source, text, about, row, rng, drawn);
  }
  state_->lay(drawn, rows);
  return drawn;
}

}  // namespace ablate::data
