// Tensor files keep every bit and detect every changed one.

#include "harness/store/journal/checkpoint.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/sha256.h"
#include "tests/temporary_folder.h"

namespace ablate::store {
namespace {

/// As write_file, without waiting for the disk.
void spoil(const std::filesystem::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

class CheckpointFile : public ::testing::Test {
 protected:
  std::string write() {
    return write_checkpoint(file_, std::vector<StoredTensor>{{"a", {2, 3}, a_}, {"b/c", {}, b_}},
                            {{"trial", "t"}, {"state", R"({"sha256":"x"})"}});
  }

  const std::vector<float> a_ = {1, -0.0f, 3e-45f, std::numeric_limits<float>::infinity(), 5, 6};
  const std::vector<float> b_ = {7};
  const TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_ / "c.safetensors";
};

TEST_F(CheckpointFile, KeepsEveryValueShapeAndNote) {
  const std::string hash = write();
  const Checkpoint read = Checkpoint::read(file_);
  EXPECT_EQ(read.sha256(), hash);
  EXPECT_EQ(read.metadata().at("trial"), "t");
  EXPECT_EQ(read.metadata().at("state"), R"({"sha256":"x"})");
  const auto a = read.values("a", std::vector<std::int64_t>{2, 3});
  EXPECT_TRUE(std::equal(a.begin(), a.end(), a_.begin(), a_.end()));
  EXPECT_TRUE(std::signbit(a[1]));
  EXPECT_EQ(read.values("b/c", std::vector<std::int64_t>{})[0], 7);
}

TEST_F(CheckpointFile, NoticesAFlippedBitInEveryByte) {
  write();
  const std::string bytes = read_file(file_);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    // 0x20: a letter's case.
    damaged[i] = static_cast<char>(damaged[i] ^ (i % 2 == 0 ? 0x20 : 0x01));
    spoil(file_, damaged);
    EXPECT_THROW(Checkpoint::read(file_), DamagedFile) << "byte " << i;
  }
}

TEST_F(CheckpointFile, NoticesAFileThatIsCutOffOrRunsOn) {
  write();
  const std::string bytes = read_file(file_);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    spoil(file_, bytes.substr(0, length));
    EXPECT_THROW(Checkpoint::read(file_), DamagedFile) << length << " bytes";
  }
  spoil(file_, bytes + '\0');
  EXPECT_THROW(Checkpoint::read(file_), DamagedFile);
}

TEST_F(CheckpointFile, NamesTheTensorThatIsMissingOrOfAnotherShape) {
  write();
  const Checkpoint read = Checkpoint::read(file_);
  EXPECT_TRUE(read.has("a"));
  EXPECT_FALSE(read.has("x"));
  try {
    read.values("a", std::vector<std::int64_t>{3, 2});
    FAIL();
  } catch (const DamagedFile& error) {
    EXPECT_NE(std::string(error.what()).find("has a in the shape [2,3], not [3,2]"),
              std::string::npos)
        << error.what();
  }
  EXPECT_THROW(read.values("x", std::vector<std::int64_t>{1}), DamagedFile);
}

TEST_F(CheckpointFile, RefusesTwoTensorsOfOneNameAndShapesThatAreNotTheValues) {
  const std::vector<StoredTensor> twice = {{"a", {6}, a_}, {"a", {6}, a_}};
  const std::vector<StoredTensor> wrong = {{"a", {5}, a_}};
  EXPECT_THROW(write_checkpoint(file_, twice, {}), std::invalid_argument);
  EXPECT_THROW(write_checkpoint(file_, wrong, {}), std::invalid_argument);
  EXPECT_FALSE(std::filesystem::exists(file_));
}

/// The bytes of a file with this header, a tensor's four bytes and one more, and its true hash; the
/// first 64 zeros are where the hash goes.
std::string file_with_header(std::string header) {
  header.append((8 - header.size() % 8) % 8, ' ');
  const std::uint64_t length = header.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  bytes += header + std::string(5, '\0');
  const std::string none(64, '0');
  return bytes.replace(bytes.find(none), none.size(), sha256(bytes));
}

TEST_F(CheckpointFile, NoticesAHeaderThatContradictsItselfBehindATrueHash) {
  const std::string hash = R"({"sha256":")" + std::string(64, '0') + "\"}";
  for (const std::string& header :
       {R"({"__metadata__":)" + hash +
            R"(,"a":{"data_offsets":[1,5],"dtype":"F32","shape":[1]}})",  // not aligned
        R"({"__metadata__":{},"a":)" + hash + "}",                        // a hash, but not its own
        R"({"__metadata__":)" + hash +
            R"(,"a":{"data_offsets":[0,8],"dtype":"F32","shape":[2]}})"}) {
    spoil(file_, file_with_header(header));
    EXPECT_THROW(Checkpoint::read(file_), DamagedFile) << header;
  }
}

TEST_F(CheckpointFile, NoticesSizesAndOffsetsThatAreNoIntegers) {
  const std::string before = R"({"__metadata__":{"sha256":")" + std::string(64, '0') + "\"}";
  for (const auto& [offsets, shape] :
       {std::pair("0,4", "1.5"), std::pair("0,4", "1e300"), std::pair("0.0,4", "1"),
        std::pair("0,1e300", "1"), std::pair("-4,0", "1"), std::pair("0,4", "[1]")}) {
    spoil(file_,
          file_with_header(
              before + fmt::format(R"(,"a":{{"data_offsets":[{}],"dtype":"F32","shape":[{}]}}}})",
                                   offsets, shape)));
    EXPECT_THROW(Checkpoint::read(file_), DamagedFile) << offsets << " " << shape;
  }
  spoil(file_,
        file_with_header(before + R"(,"a":{"data_offsets":[0,4],"dtype":"F32","shape":[1]}})"));
  EXPECT_EQ(Checkpoint::read(file_).values(), 1);
}

TEST_F(CheckpointFile, SaysWhichFileIsAbsent) {
  EXPECT_THROW(Checkpoint::read(folder_ / "none"), std::runtime_error);
}

}  // namespace
}  // namespace ablate::store
