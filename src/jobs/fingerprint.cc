#include "jobs/fingerprint.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include "base/random.h"
#include "base/stop_check.h"
#include "base/text.h"

namespace slm {

std::string Fingerprint(const Table& table) {
  uint64_t hash = MixBits(table.rows);
  auto add = [&](uint64_t bits) { hash = MixBits(hash ^ bits) + 0x9e3779b97f4a7c15ULL; };
  auto add_text = [&](const std::string& text) {
    add(text.size());
    for (char c : text) add(static_cast<unsigned char>(c));
  };
  for (const Column& column : table.columns) {
    StopCheck::Ask();
    add_text(column.name);
    add(static_cast<uint64_t>(column.type));
    for (double x : column.numbers) add(std::isnan(x) ? ~uint64_t{0} : std::bit_cast<uint64_t>(x));
    for (int32_t code : column.codes) add(static_cast<uint64_t>(code));
    for (const std::string& level : column.levels) add_text(level);
  }
  return FormatHex(hash);
}

std::string Fingerprint(const Tables& tables) {
  std::string text = Fingerprint(tables.data);
  for (const std::optional<Table>* table : {&tables.valid, &tables.test}) {
    text += "-" + (*table ? Fingerprint(**table) : "");
  }
  return text;
}

}  // namespace slm
