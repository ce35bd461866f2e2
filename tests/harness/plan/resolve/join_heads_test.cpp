// Objectives that train one network share its heads.

#include "harness/plan/resolve/join_heads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/specs/head_specs.h"

namespace ablate::plan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Needs of these heads after one for tokens, with coefficients 1, 2 ...
Needs asking(const std::vector<HeadNeed>& further) {
  Needs needs;
  needs.heads.insert(needs.heads.end(), further.begin(), further.end());
  for (std::size_t i = 0; i < needs.heads.size(); ++i)
    needs.heads[i].coefficient = static_cast<double>(i + 1);
  needs.heads = known_heads(needs.heads, models::head_specs());
  return needs;
}

HeadNeed ahead(std::int64_t tokens) {
  return {.kind = "future_tokens", .params = {{"ahead", tokens}, {"architecture", "linear"}}};
}

std::vector<std::string> kinds(const Needs& needs) {
  std::vector<std::string> all;
  for (const HeadNeed& head : needs.heads)
    all.push_back(std::string(head.scored ? "" : "(") + std::string(head.kind) +
                  head.params.value("ahead", Json("")).dump());
  return all;
}

TEST(JoinHeads, GivesEachAllHeadsAndScoresItsOwn) {
  Needs plain = asking({}), future = asking({ahead(2), ahead(3)}),
        pairs = asking({{.kind = "pair"}, ahead(3)});
  EXPECT_EQ(join_heads(std::vector<Needs*>{&plain, &future, &pairs}), "");
  EXPECT_THAT(kinds(plain),
              ElementsAre("token\"\"", "(future_tokens2", "(future_tokens3", "(pair\"\""));
  EXPECT_THAT(kinds(future),
              ElementsAre("token\"\"", "future_tokens2", "future_tokens3", "(pair\"\""));
  EXPECT_THAT(kinds(pairs),
              ElementsAre("token\"\"", "(future_tokens2", "future_tokens3", "pair\"\""));
  EXPECT_THAT(future.parts, ElementsAre(0, 1, 2));
  EXPECT_THAT(pairs.parts, ElementsAre(0, 3, 2));
  EXPECT_EQ(future.heads[2].coefficient, 3);
  EXPECT_EQ(pairs.heads[2].coefficient, 3);
  EXPECT_EQ(pairs.heads[3].coefficient, 2);
}

TEST(JoinHeads, KeepsTwoHeadsOfAKindThatOneObjectiveAsksFor) {
  Needs twice = asking({{.kind = "pair"}, {.kind = "pair"}}), once = asking({{.kind = "pair"}});
  EXPECT_EQ(join_heads(std::vector<Needs*>{&once, &twice}), "");
  EXPECT_THAT(twice.parts, ElementsAre(0, 1, 2));
  EXPECT_THAT(once.parts, ElementsAre(0, 1));
  EXPECT_EQ(once.heads.size(), 3u);
}

TEST(JoinHeads, NeedsHeadsThatWereLookedUp) {
  Needs plain = asking({}), never = {};
  EXPECT_THROW(join_heads(std::vector<Needs*>{&plain, &never}), std::logic_error);
}

TEST(JoinHeads, RefusesOtherHeadsOfTokens) {
  Needs plain = asking({}), own_block = asking({});
  own_block.heads[0].params = {{"block", true}};
  EXPECT_THAT(join_heads(std::vector<Needs*>{&plain, &own_block}),
              HasSubstr("choose objectives with the same head"));
}

TEST(JoinHeads, PutsTheHeadOfTokensFirstWhateverPhaseHasIt) {
  Needs compares = asking({}), plain = asking({{.kind = "pair"}});
  compares.heads = known_heads({{.kind = "contrastive"}}, models::head_specs());
  EXPECT_EQ(join_heads(std::vector<Needs*>{&compares, &plain}), "");
  EXPECT_THAT(kinds(plain), ElementsAre("token\"\"", "(contrastive\"\"", "pair\"\""));
  EXPECT_THAT(kinds(compares), ElementsAre("(token\"\"", "contrastive\"\"", "(pair\"\""));
  EXPECT_EQ(compares.primary(), 1u);
  EXPECT_EQ(compares.target_part(), std::nullopt);
  EXPECT_TRUE(compares.couples_rows());
  EXPECT_EQ(plain.primary(), 0u);
  EXPECT_EQ(plain.target_part(), 0u);
  EXPECT_FALSE(plain.couples_rows()) << "another phase's head";
}

TEST(JoinHeads, RefusesTwoGenerators) {
  const HeadNeed generator = {.kind = "generator"},
                 wide = {.kind = "generator", .params = {{"width", 0.5}}};
  Needs plain = asking({}), first = asking({generator}), same = asking({generator}),
        other = asking({wide});
  EXPECT_EQ(first.target_part(), 0u) << "a generator takes no targets";
  EXPECT_EQ(join_heads(std::vector<Needs*>{&plain, &first, &same}), "");
  EXPECT_EQ(plain.heads.size(), 2u);
  EXPECT_THAT(join_heads(std::vector<Needs*>{&first, &other}),
              HasSubstr("choose the same settings of it"));
}

}  // namespace
}  // namespace ablate::plan
