#include "data/readers/npy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "base/random.h"
#include "data/readers/zip.h"
#include "tests/data/temp_file.h"
#include "tests/data/zip_writer.h"

namespace slm {
namespace {

using Doubles = std::vector<double>;
using Strings = std::vector<std::string>;

template <class T>
std::string Items(std::initializer_list<T> values) {
  std::string bytes;
  for (T value : values) bytes += Little(value);
  return bytes;
}

std::string Npy(const std::string& type, const std::string& shape, const std::string& data,
                bool fortran = false, char version = 1) {
  std::string header = "{'descr': '" + type +
                       "', 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': " + shape + ", }\n";
  std::string length = version == 1 ? Little(static_cast<uint16_t>(header.size()))
                                    : Little(static_cast<uint32_t>(header.size()));
  return std::string("\x93NUMPY") + version + '\0' + length + header + data;
}

Table FromNpy(const std::string& bytes, const ReadOptions& options = {}) {
  ThreadPool pool(2);
  return ReadNpy(bytes, "x.npy", options, pool);
}

Table FromNpz(const std::string& bytes, const ReadOptions& options = {}) {
  ThreadPool pool(2);
  return ReadNpz(bytes, "x.npz", options, pool);
}

const std::string kMatrix = Npy("<f8", "(2, 3)", Items({1.5, 2.0, 3.0, 4.0, 5.0, 6.0}));

TEST(ReadNpy, ReadsBothOrdersAndAllVersions) {
  for (char version : {'\1', '\2', '\3'}) {
    Table c = FromNpy(Npy("<f8", "(2, 3)", Items({1.5, 2.0, 3.0, 4.0, 5.0, 6.0}), false, version));
    Table f = FromNpy(Npy("<f8", "(2, 3)", Items({1.5, 4.0, 2.0, 5.0, 3.0, 6.0}), true, version));
    for (const Table& table : {c, f}) {
      ASSERT_EQ(table.columns.size(), 3u);
      EXPECT_EQ(table.rows, 2u);
      EXPECT_EQ(table.columns[2].name, "f2");
      EXPECT_EQ(table.columns[0].numbers, (Doubles{1.5, 4}));
      EXPECT_EQ(table.columns[2].numbers, (Doubles{3, 6}));
    }
  }
  EXPECT_EQ(FromNpy(kMatrix).Where(1), "x.npy row 1");
}

TEST(ReadNpy, ReadsEveryTypeOfNumber) {
  auto numbers = [](const std::string& type, const std::string& data) {
    return FromNpy(Npy(type, "(2,)", data)).columns[0].numbers;
  };
  EXPECT_EQ(numbers("<f4", Items({0.5f, -2.0f})), (Doubles{0.5, -2}));
  EXPECT_EQ(numbers("|i1", Items<int8_t>({-128, 127})), (Doubles{-128, 127}));
  EXPECT_EQ(numbers("<i2", Items<int16_t>({-300, 300})), (Doubles{-300, 300}));
  EXPECT_EQ(numbers("<i4", Items<int32_t>({-70000, 70000})), (Doubles{-70000, 70000}));
  EXPECT_EQ(numbers("<i8", Items<int64_t>({-1, 1LL << 40})), (Doubles{-1, 1099511627776.0}));
  EXPECT_EQ(numbers("|u1", Items<uint8_t>({0, 255})), (Doubles{0, 255}));
  EXPECT_EQ(numbers("<u2", Items<uint16_t>({0, 65535})), (Doubles{0, 65535}));
  EXPECT_EQ(numbers("<u4", Items<uint32_t>({0, 4294967295u})), (Doubles{0, 4294967295.0}));
  EXPECT_EQ(numbers("<u8", Items<uint64_t>({1, 1ULL << 63})), (Doubles{1, 9223372036854775808.0}));
  EXPECT_EQ(numbers(">i2", std::string("\1\0\xff\xff", 4)), (Doubles{256, -1}));
  EXPECT_EQ(numbers(">f4", std::string("\x3f\x80\0\0\xc0\0\0\0", 8)), (Doubles{1, -2}));
  Table booleans = FromNpy(Npy("|b1", "(2, 1)", std::string("\0\1", 2)));
  EXPECT_EQ(booleans.columns[0].type, ColumnType::kBoolean);
  EXPECT_EQ(booleans.columns[0].numbers, (Doubles{0, 1}));
}

TEST(ReadNpy, NotANumberIsMissing) {
  Table table = FromNpy(Npy("<f8", "(2,)", Items({1.0, std::nan("")})));
  EXPECT_TRUE(IsMissing(table.columns[0], 1));
}

struct BadBytes {
  std::string bytes;
  const char* message;
};

TEST(ReadNpy, BadFilesAreAnsweredWithTheFix) {
  const std::string two = Items({1.0, 2.0});
  const BadBytes kCases[] = {
      {"", "lacks the signature"},
      {"a,b\n1,2\n", "lacks the signature"},
      {Npy("<f8", "(2,)", two, false, '\x09'), "version 9"},
      {Npy("<f8", "(2,)", "").substr(0, 30), "ends within its header"},
      {Npy("<f8", "(3,)", two), "should hold 3 x 1 elements of 8 bytes, but has 16"},
      {Npy("<f8", "(1,)", two), "should hold 1 x 1"},
      {Npy("<f8", "(99999999999, 99999999999)", two), "should hold"},
      {Npy("<f8", "(18446744073709551617,)", two), "the header is not"},
      {Npy("<f8", "(-1,)", two), "the header is not"},
      {Npy("<f8", "(4, 2305843009213693952)", ""), "should hold"},
      {Npy("<f8", "()", Items({1.0})), "0 dimensions"},
      {Npy("<f8", "(1, 1, 2)", two), "3 dimensions"},
      {Npy("<f8", "(0, 2)", ""), "no rows"},
      {Npy("<f8", "(2, 0)", ""), "no columns"},
      {Npy("|O", "(2,)", two), "Python objects"},
      {Npy("<c16", "(1,)", two), "'<c16'"},
      {Npy("<U1", "(2,)", std::string(8, '\0')), "holds text"},
      {Npy("<f8", "(2,)", Items<double>({1, INFINITY})), "x.npy row 1, column 'f0' is infinite"},
      {Npy("<f8'", "(2,)", two), "the header is not"},
  };
  for (const auto& [bytes, message] : kCases) {
    std::string error = DataErrorOf([&bytes = bytes] { FromNpy(bytes); });
    EXPECT_NE(error.find(message), std::string::npos) << message << " | " << error;
    EXPECT_NE(error.find("x.npy"), std::string::npos) << error;
  }
}

TEST(ReadNpy, TheSizeIsCheckedBeforeMemoryIsTaken) {
  ReadOptions options;
  options.max_bytes = 1 << 20;
  std::string error =
      DataErrorOf([&] { FromNpy(Npy("|u1", "(1000, 200)", std::string(200000, '\0')), options); });
  EXPECT_NE(error.find("1000 rows and 200 columns"), std::string::npos) << error;
}

TEST(ReadNpz, TakesMatrixNamesAndVectors) {
  for (bool deflated : {false, true}) {
    Table table =
        FromNpz(Zip({{"y.npy", Npy("<i8", "(2,)", Items<int64_t>({7, 8}))},
                     {"X.npy", kMatrix},
                     {"other.npy", Npy("<f8", "(1, 1)", Items({1.0}))},
                     {"feature_names.npy", Npy("|S2", "(3,)", std::string("abc\0d\0", 6))},
                     {"kind.npy", Npy("<U1", "(2,)", std::string("b\0\0\0\xe9\0\0\0", 8))}},
                    deflated));
    ASSERT_EQ(table.columns.size(), 5u);
    EXPECT_EQ(table.columns[0].name, "ab");
    EXPECT_EQ(table.columns[0].numbers, (Doubles{1.5, 4}));
    EXPECT_EQ(table.columns[3].name, "y");
    EXPECT_EQ(table.columns[3].numbers, (Doubles{7, 8}));
    EXPECT_EQ(table.columns[4].name, "kind");
    EXPECT_EQ(table.columns[4].levels, (Strings{"b", "\xc3\xa9"}));
  }
}

TEST(ReadNpz, TheOnlyMatrixNeedsNoNameAndVectorsNeedNoMatrix) {
  Table table = FromNpz(Zip({{"data.npy", kMatrix}}, true));
  EXPECT_EQ(table.columns[1].name, "f1");
  Table vectors = FromNpz(Zip({{"a.npy", Npy("<f8", "(2,)", Items({1.0, 2.0}))},
                               {"b.npy", Npy("|b1", "(2,)", std::string("\1\0", 2))}},
                              true));
  ASSERT_EQ(vectors.columns.size(), 2u);
  EXPECT_EQ(vectors.columns[1].name, "b");
  EXPECT_EQ(vectors.columns[1].type, ColumnType::kBoolean);
}

TEST(ReadNpz, WhatIsNoColumnIsLeftOutExceptY) {
  const std::string object = Npy("|O", "(2,)", "pickled");
  const std::string cube = Npy("<f8", "(1, 1, 1)", Items({1.0}));
  const std::string vector = Npy("<f8", "(3,)", Items({1.0, 2.0, 3.0}));
  Table table = FromNpz(
      Zip({{"X.npy", kMatrix}, {"a.npy", object}, {"b.npy", cube}, {"c.npy", vector}}, true));
  EXPECT_EQ(table.columns.size(), 3u);
  const BadBytes kCases[] = {{object, "Python objects"},
                             {cube, "3 dimensions"},
                             {vector, "'y' has 3 entries where the table has 2 rows"}};
  for (const auto& [bytes, message] : kCases) {
    std::string error = DataErrorOf([&bytes = bytes] {
      FromNpz(Zip({{"X.npy", kMatrix}, {"y.npy", bytes}}, true));
    });
    EXPECT_NE(error.find(message), std::string::npos) << message << " | " << error;
  }
}

TEST(ReadNpz, BadArchivesAreAnsweredWithTheFix) {
  const std::string good = Zip({{"X.npy", kMatrix}}, true);
  std::string flipped = good, cut = good.substr(0, good.size() / 2), encrypted = good;
  flipped[60] = static_cast<char>(flipped[60] ^ 0x10);
  std::string huge = good;  // claims 4 GiB in a few bytes
  const size_t entry = good.find("PK\1\2");
  huge.replace(entry + 24, 4, "\xf0\xff\xff\xff");
  encrypted[entry + 8] = 1;
  std::string astray = good;
  astray.replace(entry + 42, 4, "\xf0\xff\xff\x7f");
  std::string many = good;
  many.replace(good.size() - 12, 2, "\xff\xff");
  const BadBytes kCases[] = {
      {"PK", "it is too short"},
      {std::string(100, 'x'), "its end is missing"},
      {cut, "its end is missing"},
      {flipped, "damaged"},
      {huge, "the size of 'X.npy' cannot be true"},
      {encrypted, "encrypted"},
      {astray, "is outside the file"},
      {many, "damaged"},
      {Zip({{"A.npy", kMatrix}, {"B.npy", kMatrix}}, true), "several matrices, 'A', 'B'"},
      {Zip({{"X.npy", kMatrix}, {"columns.npy", Npy("|S1", "(2,)", "ab")}}, true),
       "'columns' has 2 names for the 3 columns of 'X'"},
      {Zip({{"X.npy", kMatrix}, {"columns.npy", Npy("|S1", "(3,)", "aba")}}, true),
       "columns 1 and 3 are both named 'a'"},
      {Zip({{"X.npy", "no array"}}, true), "array 'X' is not a NumPy array"},
      {Zip({}, true), "no columns"},
  };
  for (const auto& [bytes, message] : kCases) {
    std::string error = DataErrorOf([&bytes = bytes] { FromNpz(bytes); });
    EXPECT_NE(error.find(message), std::string::npos) << message << " | " << error;
    EXPECT_NE(error.find("x.npz"), std::string::npos) << error;
  }
}

TEST(ReadNpz, ContentIsBounded) {
  ReadOptions options;
  options.max_bytes = 1 << 20;
  const std::string zeros = Npy("<f8", "(1000, 200)", std::string(1600000, '\0'));
  std::string error = DataErrorOf([&] { FromNpz(Zip({{"X.npy", zeros}}, true), options); });
  EXPECT_NE(error.find("more than 1 MiB"), std::string::npos) << error;
}

TEST(ReadNpz, BytesThatAreNamedManyTimesAreRefusedBeforeTheyAreUnpacked) {
  const std::string zeros = Npy("<f8", "(100000,)", std::string(800000, '\0'));
  for (const bool deflated : {true, false}) {
    const std::string one = Zip({{"$.npy", zeros}}, deflated);
    EXPECT_EQ(FromNpz(NamedManyTimes(one, 1)).rows, 100000u);
    const std::string error = DataErrorOf([&] { FromNpz(NamedManyTimes(one, 20)); });
    EXPECT_NE(error.find("'a.npy' and 'b.npy' of the archive share bytes"), std::string::npos)
        << error;
  }
}

TEST(ReadNpz, SurvivesFlippedBytes) {
  const std::string good = Zip({{"X.npy", kMatrix},
                                {"columns.npy", Npy("<U2", "(3,)", std::string(24, 'a'))},
                                {"y.npy", Npy("<f8", "(2,)", Items({1.0, 2.0}))}},
                               false);
  for (uint64_t i = 0; i < 3000; ++i) {
    std::string bytes = good;
    for (uint64_t flip = 0; flip < 3; ++flip) {
      const uint64_t bits = MixBits(i * 3 + flip);
      bytes[bits % bytes.size()] = static_cast<char>(bits >> 40);
    }
    try {
      FromNpz(bytes);
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace slm
