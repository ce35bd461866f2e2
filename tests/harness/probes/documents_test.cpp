// Documents stand in a batch in the order in which an arm reads them.

#include "harness/probes/documents.h"

#include <gtest/gtest.h>

namespace ablate::probes {
namespace {

const std::vector<Token> kShort = {begin_token, 16, end_token};
const std::vector<Token> kLong = {begin_token, 17, 18, 19, end_token};

TEST(DocumentBatch, HasEachTokenAtThePlaceWhereItIsRead) {
  const std::vector<std::span<const Token>> documents = {kShort, kLong};
  for (const Reading reading :
       {Reading(), Reading(Attention::causal, true), Reading(Attention::bidirectional),
        Reading(Attention::bidirectional, true)}) {
    const data::Batch batch = document_batch(documents, reading);
    ASSERT_EQ(batch.time, 5);
    for (std::size_t row = 0; row < 2; ++row)
      for (std::size_t i = 0; i < documents[row].size(); ++i) {
        const std::size_t place = reading.place_of(i, documents[row].size());
        const std::size_t at = row * 5 + place;
        EXPECT_EQ(batch.tokens[at], documents[row][i]);
        EXPECT_EQ(batch.visible_from[at], 0);
        EXPECT_EQ(static_cast<std::size_t>(batch.visible_until[at]),
                  reading.sees_all() ? documents[row].size() : place + 1);
      }
  }
}

TEST(DocumentBatch, IsReadFromTheEndToTheBegin) {
  const std::vector<std::span<const Token>> documents = {kLong};
  const data::Batch batch = document_batch(documents, {Attention::causal, true});
  EXPECT_EQ(batch.tokens, (std::vector<Token>{end_token, 19, 18, 17, begin_token}));
}

}  // namespace
}  // namespace ablate::probes
