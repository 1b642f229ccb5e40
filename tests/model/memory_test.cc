// What a hostile file may cost: the promise of LoadModel, held to by counting every allocation.

#include <gtest/gtest.h>

#include <string>

#include "model/model_file.h"
#include "slm/errors.h"
#include "tests/counted_memory.h"
#include "tests/model/small_model.h"

namespace slm {
namespace {

constexpr size_t kSize = size_t{1} << 20;
constexpr size_t kFactor = 100;  // as slm/model.h says

std::string Repeated(const std::string& begin, const std::string& unit, const std::string& end) {
  std::string out = begin;
  out.reserve(kSize + 100);
  while (out.size() < kSize) out += unit;
  return out + end;
}

std::string WithLength(const std::string& header) {
  std::string out;
  for (size_t i = 0; i < 8; ++i) out.push_back(static_cast<char>(header.size() >> (8 * i)));
  return out + header;
}

std::string Keys() {
  std::string out = "{\"__metadata__\":{";
  for (int i = 0; out.size() < kSize; ++i) out += "\"" + std::to_string(i) + "\":\"\",";
  return out + "\"\":\"\"}}";
}

void ExpectBounded(const std::string& bytes, const std::string& what) {
  const size_t before = live_bytes;
  const size_t peak = PeakOf([&] {
    try {
      ReadModel(bytes);
    } catch (const InputError&) {
    }
  });
  EXPECT_LE(peak, kFactor * bytes.size()) << what;
  EXPECT_EQ(live_bytes, before) << what;
}

TEST(ReadModel, UsesNoMoreMemoryThanPromised) {
  const std::string slm =
      R"({"__metadata__":{"format":"slm.model","version":"1","crc32":"","slm":")";
  ExpectBounded(WithLength(Repeated("{\"a\":[0", ",0", "]}")), "a list of numbers");
  ExpectBounded(WithLength(Repeated("{\"a\":[[]", ",[]", "]}")), "a list of lists");
  ExpectBounded(WithLength(Repeated("{\"a\":[\\\"\\\"", ",\"\"", "]}")), "a list of texts");
  ExpectBounded(WithLength(Keys()), "many keys");
  ExpectBounded(WithLength(Repeated(slm + "[0", ",0", "]\"}}")), "a long description");
  ExpectBounded(WithLength(Repeated(slm + "[[]", ",[]", "]\"}}")), "a description of lists");
  ExpectBounded(WithLength("{}") + std::string(kSize, '\0'), "data for nothing");
  std::string huge(8, '\xFF');
  ExpectBounded(huge, "an enormous length");
}

TEST(ReadModel, UsesFewTimesTheMemoryOfAThinLayer) {
  ModelContent content = SmallModel(Task::kRegression, {20000});
  const std::string bytes = WriteModel(content);
  const size_t peak = PeakOf([&] { EXPECT_EQ(ReadModel(bytes).layers[1].w.rows(), 20000u); });
  // A column of one number is padded to a cache line.
  EXPECT_LE(peak, 20 * bytes.size());
}

}  // namespace
}  // namespace slm
