// Reports of an experiment that is run until it is decided: no p and no interval forgets the looks.

#include "reports/analysis/looks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/error.h"
#include "harness/statistics/paired/sign_flip.h"
#include "harness/statistics/sequential/sequential_sign_flip.h"
#include "reports/analysis/answer/answer.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/method.h"
#include "reports/report.h"
#include "tests/reports/records.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The small records, six seeds of each arm, as the first of these looks.
store::Records looked_at(const statistics::Looks& looks, std::size_t begun = 1) {
  store::Records records = small_records();
  records.plan["sequential"] = {
      {"looks", looks}, {"weights", statistics::look_weights(looks)}, {"look", begun}};
  return records;
}

const Difference& primary(const Analysis& analysis) {
  return *analysis.difference("mlm", analysis.primary);
}

TEST(Looks, CountThemselvesIntoP) {
  const store::Records records = looked_at({6, 9, 12});
  const Analysis analysis = analyse(records);
  ASSERT_TRUE(analysis.looks);
  EXPECT_EQ(analysis.looks->complete, 1u);
  // All six differences agree: 2 / 64, and one look of three may take half of alpha.
  EXPECT_DOUBLE_EQ(*primary(analysis).p, 2.0 / 64 / (6.0 / 12));
  EXPECT_EQ(primary(analysis).verdict, statistics::Verdict::inconclusive);
  const store::Records plain = small_records();
  EXPECT_EQ(primary(analyse(plain)).verdict, statistics::Verdict::worse) << "in one look";
  EXPECT_FALSE(is_decided(analysis));
}

TEST(Looks, WithASingleOneAreThePlainTest) {
  const store::Records records = looked_at({6}), plain = small_records();
  const Analysis analysis = analyse(records), once = analyse(plain);
  EXPECT_EQ(primary(analysis).p, primary(once).p);
  EXPECT_EQ(primary(analysis).over_seeds.interval->low, primary(once).over_seeds.interval->low);
  EXPECT_TRUE(is_decided(analysis));
}

TEST(Looks, WidenTheIntervalOfThePrimaryDifferenceAlone) {
  const store::Records records = looked_at({6, 9, 12}), plain = small_records();
  const Analysis analysis = analyse(records), once = analyse(plain);
  const auto width = [](const Difference& difference) {
    return difference.over_seeds.interval->high - difference.over_seeds.interval->low;
  };
  EXPECT_GT(width(primary(analysis)), width(primary(once)));
  EXPECT_LT(primary(analysis).interval_level, .05);
  EXPECT_EQ(width(*analysis.difference("mlm", "topic.accuracy")),
            width(*once.difference("mlm", "topic.accuracy")));
}

TEST(Looks, AreCompleteOnlyWhereEveryTrialHasEnded) {
  store::Records records = looked_at({6, 9});
  trial_of(records, "clm", 6).outcome = "unfinished";
  const Analysis analysis = analyse(records);
  EXPECT_EQ(analysis.looks->complete, 0u);
  EXPECT_EQ(*primary(analysis).p, 1);
  EXPECT_EQ(verdict_text(analysis, primary(analysis)), "not testable with 5 seeds");
  trial_of(records, "clm", 6).outcome = "failed";
  EXPECT_EQ(analyse(records).looks->complete, 1u) << "a trial that failed has ended";
}

TEST(Looks, LeaveOutTheSeedsOfALookThatIsNotComplete) {
  store::Records records = looked_at({6, 9}, 2);
  records.trials.push_back(small_trial("clm", 7, .9));
  records.trials.push_back(small_trial("mlm", 7, .1));
  for (const char* arm : {"clm", "mlm"})
    for (std::int64_t seed = 8; seed <= 9; ++seed) {
      records.trials.push_back(small_trial(arm, seed, .5));
      records.trials.back().outcome = "unfinished";
    }
  const Analysis analysis = analyse(records);
  EXPECT_EQ(analysis.looks->complete, 1u);
  EXPECT_EQ(primary(analysis).over_seeds.n, 7) << "what is there is shown";
  const store::Records before = looked_at({6, 9});
  EXPECT_EQ(primary(analysis).p, primary(analyse(before)).p) << "and not tested";
}

TEST(Looks, CanFindEquivalenceAtTheirPartOfAlpha) {
  store::Records records = looked_at({6, 9, 12});
  records.plan["analysis"]["smallest_effect"] = 1.0;
  const Analysis analysis = analyse(records);
  const store::Records plain = [] {
    store::Records once = small_records();
    once.plan["analysis"]["smallest_effect"] = 1.0;
    return once;
  }();
  EXPECT_DOUBLE_EQ(*primary(analysis).p_equivalent, 2 * *primary(analyse(plain)).p_equivalent);
  EXPECT_EQ(primary(analysis).verdict, statistics::Verdict::equivalent);
  EXPECT_TRUE(is_decided(analysis));
}

TEST(Looks, AreDecidedWhereSeedsCannotHelp) {
  store::Records records = looked_at({6, 9});
  trial_of(records, "mlm", 3).outcome = "diverged";
  const Analysis analysis = analyse(records);
  EXPECT_EQ(primary(analysis).verdict, statistics::Verdict::inconclusive);
  EXPECT_TRUE(is_decided(analysis)) << "the arms diverged unequally";
}

TEST(Looks, AreSaidWhereTheTestIs) {
  const store::Records records = looked_at({6, 9, 12});
  const Analysis analysis = analyse(records);
  EXPECT_THAT(basis_of(answer_statements(analysis)), HasSubstr("sequential sign-flip test"));
  EXPECT_THAT(method(analysis),
              HasSubstr("looks planned after 6, 9, 12 seeds, of which 1 is complete"));
  EXPECT_THAT(method(analysis), HasSubstr("its t-interval at the level of the look excludes 0"));
  EXPECT_THAT(method(analysis), Not(HasSubstr("with power 0.8")));
  EXPECT_THAT(Report(records).main_table_text(), HasSubstr("alpha holds over all looks together"));
  const Json json = Report(records).json();
  EXPECT_EQ(json.at("analysis").at("looks").at("seeds"), Json({6, 9, 12}));
  EXPECT_EQ(json.at("analysis").at("looks").at("complete"), 1);
  for (const Json& difference : json.at("differences"))
    EXPECT_EQ(difference.value("ci_level", 0.) > .95, difference.at("primary").get<bool>());
}

TEST(Looks, AreDamagedWhereTheyAreNone) {
  store::Records records = looked_at({6, 9});
  records.plan["sequential"]["weights"] = {1.0};
  EXPECT_THROW(analyse(records), DamagedFile);
}

}  // namespace
}  // namespace ablate::reports
