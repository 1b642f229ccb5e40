#include "data/readers/decoded_text.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

#include "base/stop_check.h"
#include "base/text.h"

namespace slm {
namespace {

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
constexpr std::string_view kLittleMark = "\xFF\xFE", kBigMark = "\xFE\xFF";
constexpr uint32_t kReplacement = 0xFFFD;

void AppendUtf8(uint32_t point, std::string* out) {
  auto tail = [&](unsigned shift) {
    out->push_back(static_cast<char>(0x80 | ((point >> shift) & 0x3F)));
  };
  if (point < 0x80) {
    out->push_back(static_cast<char>(point));
  } else if (point < 0x800) {
    out->push_back(static_cast<char>(0xC0 | (point >> 6)));
    tail(0);
  } else if (point < 0x10000) {
    out->push_back(static_cast<char>(0xE0 | (point >> 12)));
    tail(6);
    tail(0);
  } else {
    out->push_back(static_cast<char>(0xF0 | (point >> 18)));
    tail(12);
    tail(6);
    tail(0);
  }
}

// Halves of pairs without their other half become the replacement character.
std::string FromUtf16(std::string_view bytes, bool big_endian) {
  const size_t units = bytes.size() / 2;
  auto unit = [&](size_t i) {
    const auto first = static_cast<uint8_t>(bytes[2 * i]);
    const auto second = static_cast<uint8_t>(bytes[2 * i + 1]);
    return static_cast<uint32_t>(big_endian ? first << 8 | second : second << 8 | first);
  };
  std::string text;
  text.reserve(units);
  for (size_t i = 0; i < units; ++i) {
    const uint32_t point = unit(i);
    const bool surrogate = point >= 0xD800 && point < 0xE000;
    const uint32_t low = surrogate && point < 0xDC00 && i + 1 < units ? unit(i + 1) : 0;
    if (low >= 0xDC00 && low < 0xE000) {
      AppendUtf8(0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00), &text);
      ++i;
    } else {
      AppendUtf8(surrogate ? kReplacement : point, &text);
    }
  }
  return text;
}

// What the bytes from 0x80 to 0x9F mean in Windows-1252; the five that mean nothing stay as they
// are, as browsers have it.
constexpr uint16_t kWindowsPoints[32] = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

std::string FromWindows(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 8);
  for (char c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    AppendUtf8(byte >= 0x80 && byte < 0xA0 ? kWindowsPoints[byte - 0x80] : byte, &text);
  }
  return text;
}

// Looks at all bytes, which brings the file into memory, by all threads.
bool IsAscii(std::string_view bytes, ThreadPool& pool) {
  constexpr size_t kPiece = 256 << 10;
  std::atomic<bool> beyond = false;
  pool.ParallelFor((bytes.size() + kPiece - 1) / kPiece, [&](size_t i) {
    if (beyond.load(std::memory_order_relaxed)) return;
    uint8_t bits = 0;
    for (char c : bytes.substr(i * kPiece, kPiece)) bits |= static_cast<uint8_t>(c);
    if (bits >= 0x80) beyond.store(true, std::memory_order_relaxed);
  });
  return !beyond;
}

// Whether more bytes beyond ASCII stand alone than belong to letters of UTF-8: with fewer it is
// UTF-8 in which some bytes are damaged.
bool LooksLikeWindows(std::string_view bytes) {
  size_t letters = 0, alone = 0;
  constexpr size_t kBytesAtOnce = size_t{1} << 24;
  for (size_t i = 0, next_ask = 0; i < bytes.size();) {
    if (i >= next_ask) {
      StopCheck::Ask();
      next_ask = i + kBytesAtOnce;
    }
    uint64_t word = 0;
    if (i + sizeof(word) <= bytes.size()) {
      std::memcpy(&word, bytes.data() + i, sizeof(word));
      if ((word & 0x8080808080808080ULL) == 0) {
        i += sizeof(word);
        continue;
      }
    }
    const size_t length = Utf8Length(bytes, i);
    if (length > 1) ++letters;
    if (length == 0) ++alone;
    i += std::max<size_t>(length, 1);
  }
  return alone > letters;
}

}  // namespace

bool MayDelimit(char c) {
  const bool letter_or_digit = (c >= '0' && c <= '9') || (ToLower(c) >= 'a' && ToLower(c) <= 'z');
  return !letter_or_digit && c != '"' && c != '\n' && c != '\r' && c != '\0';
}

std::string_view DecodeText(std::string_view bytes, ThreadPool& pool, std::string* storage,
                            std::string* guessed) {
  if (bytes.starts_with(kLittleMark) || bytes.starts_with(kBigMark)) {
    *storage = FromUtf16(bytes.substr(2), bytes.starts_with(kBigMark));
    bytes = *storage;
  } else if (!IsAscii(bytes, pool) && LooksLikeWindows(bytes)) {
    *storage = FromWindows(bytes);
    bytes = *storage;
    *guessed = "Windows-1252";
  }
  if (bytes.starts_with(kUtf8Mark)) bytes.remove_prefix(kUtf8Mark.size());
  const bool cr_alone =
      bytes.find('\n') == std::string_view::npos && bytes.find('\r') != std::string_view::npos;
  if (!cr_alone) return bytes;
  std::string lines(bytes);
  std::replace(lines.begin(), lines.end(), '\r', '\n');
  *storage = std::move(lines);
  return *storage;
}

void SkipLines(size_t lines, std::string_view* text) {
  for (; lines > 0 && !text->empty(); --lines) {
    text->remove_prefix(std::min(text->find('\n'), text->size() - 1) + 1);
  }
}

char AnnouncedDelimiter(std::string_view text) {
  std::string_view line = text.substr(0, text.find('\n'));
  while (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() >= 2 && line.front() == '"' && line.back() == '"') {
    line = line.substr(1, line.size() - 2);
  }
  constexpr std::string_view kWord = "sep=";
  const bool announced =
      line.size() == kWord.size() + 1 && (line.starts_with(kWord) || line.starts_with("SEP="));
  return announced && MayDelimit(line.back()) ? line.back() : '\0';
}

}  // namespace slm
