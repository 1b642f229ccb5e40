#include "data/readers/npy.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "base/text.h"
#include "base/utf8.h"
#include "slm/errors.h"

namespace slm {
namespace {

template <class T, bool kSwap>
double Load(const char* at) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, at, sizeof(T));
  if constexpr (kSwap) std::reverse(bytes, bytes + sizeof(T));
  return static_cast<double>(std::bit_cast<T>(bytes));
}

double LoadBoolean(const char* at) { return *at != 0 ? 1.0 : 0.0; }

struct NumberKind {
  std::string_view name;
  size_t bytes;
  double (*load)(const char*);
  double (*load_swapped)(const char*);
};

template <class T>
constexpr NumberKind KindOf(std::string_view name) {
  return {name, sizeof(T), Load<T, false>, Load<T, true>};
}

constexpr NumberKind kNumberKinds[] = {
    KindOf<float>("f4"),
    KindOf<double>("f8"),
    KindOf<int8_t>("i1"),
    KindOf<int16_t>("i2"),
    KindOf<int32_t>("i4"),
    KindOf<int64_t>("i8"),
    KindOf<uint8_t>("u1"),
    KindOf<uint16_t>("u2"),
    KindOf<uint32_t>("u4"),
    KindOf<uint64_t>("u8"),
    {"b1", 1, LoadBoolean, LoadBoolean},
};

// The header is a Python dictionary of three entries: {'descr': '<f8', 'fortran_order': False,
// 'shape': (3, 4), }
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& what) : text_(text), what_(what) {}

  void Parse(NpyArray* array) {
    Expect('{');
    while (!Take('}')) {
      std::string_view key = String();
      Expect(':');
      if (key == "descr") {
        SkipBlanks();
        Describe(!text_.empty() && text_.front() == '[' ? Structure() : String(), array);
      } else if (key == "fortran_order") {
        array->fortran = Boolean();
      } else if (key == "shape") {
        Shape(array);
      } else {
        Fail();
      }
      ++entries_;
      if (!Take(',')) {
        Expect('}');
        break;
      }
    }
    SkipBlanks();
    if (!text_.empty() || entries_ != 3 || array->type.empty() || !shape_seen_) Fail();
  }

 private:
  [[noreturn]] void Fail() const {
    throw DataError(what_ +
                    ": the header is not that of a NumPy array; save it again with numpy.save");
  }
  void SkipBlanks() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n'))
      text_.remove_prefix(1);
  }
  bool Take(char c) {
    SkipBlanks();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void Expect(char c) {
    if (!Take(c)) Fail();
  }
  std::string_view String() {
    SkipBlanks();
    const char quote = text_.empty() ? '\0' : text_.front();
    if (quote != '\'' && quote != '"') Fail();
    const size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos) Fail();
    std::string_view string = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return string;
  }
  // The list of fields of a structured array.
  std::string_view Structure() {
    const size_t end = text_.find(']');
    if (end == std::string_view::npos) Fail();
    text_.remove_prefix(end + 1);
    return "structure";
  }
  bool Boolean() {
    SkipBlanks();
    for (std::string_view word : {"False", "True"}) {
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return word == "True";
    }
    Fail();
  }
  void Shape(NpyArray* array) {
    std::vector<size_t> shape;
    Expect('(');
    while (!Take(')')) {
      SkipBlanks();
      size_t digits = std::min(text_.find_first_not_of("0123456789"), text_.size());
      size_t length;
      if (shape.size() > 32 || !ParseNumber(text_.substr(0, digits), &length)) Fail();
      text_.remove_prefix(digits);
      Take('L');  // as Python 2 wrote it
      shape.push_back(length);
      if (!Take(',')) {
        Expect(')');
        break;
      }
    }
    array->dimensions = shape.size();
    array->rows = shape.empty() ? 1 : shape[0];
    // Further dimensions are never read, but their elements must be there.
    for (size_t d = 1; d < shape.size(); ++d) {
      if (__builtin_mul_overflow(array->cols, shape[d], &array->cols)) Fail();
    }
    shape_seen_ = true;
  }
  void Describe(std::string_view type, NpyArray* array) {
    if (type.size() < 2) Fail();
    array->type = type;
    const bool swapped = type[0] == '>';
    const std::string_view kind = type.substr(1);
    for (const NumberKind& entry : kNumberKinds) {
      if (entry.name != kind) continue;
      array->kind = kind == "b1" ? NpyArray::Kind::kBoolean : NpyArray::Kind::kNumber;
      array->load = swapped ? entry.load_swapped : entry.load;
      array->item_bytes = entry.bytes;
      return;
    }
    size_t letters;
    if ((kind[0] == 'U' || kind[0] == 'S') && ParseNumber(kind.substr(1), &letters) &&
        letters != 0 && letters <= (1u << 28)) {
      array->kind = kind[0] == 'U' ? NpyArray::Kind::kUnicode : NpyArray::Kind::kBytes;
      array->item_bytes = letters * (kind[0] == 'U' ? 4 : 1);
      array->swapped = swapped;
      return;
    }
  }

  std::string_view text_;
  const std::string& what_;
  int entries_ = 0;
  bool shape_seen_ = false;
};

}  // namespace

std::string NpyArray::Text(size_t i) const {
  std::string_view bytes(data.data() + i * item_bytes, item_bytes);
  std::string text;
  if (kind == Kind::kBytes) {
    text = bytes;
  } else {
    for (size_t b = 0; b < bytes.size(); b += 4) {
      char unit[4];
      std::memcpy(unit, bytes.data() + b, 4);
      if (swapped) std::reverse(unit, unit + 4);
      AppendUtf8(std::bit_cast<uint32_t>(unit), &text);
    }
  }
  text.erase(text.find_last_not_of('\0') + 1);
  return text;
}

NpyArray ParseNpy(std::string_view bytes, const std::string& what) {
  constexpr std::string_view kMagic = "\x93NUMPY";
  if (!bytes.starts_with(kMagic) || bytes.size() < 12) {
    throw DataError(what +
                    " is not a NumPy array: it lacks the signature; save it with numpy.save");
  }
  const unsigned version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3) {
    throw DataError(what + " is a NumPy array of version " + std::to_string(version) +
                    ", and only 1 to 3 are known; save it with another release of NumPy");
  }
  // Version 1 counts the header's bytes in 16 bits, the others in 32.
  const size_t start = version == 1 ? 10 : 12;
  uint32_t header_bytes = 0;
  std::memcpy(&header_bytes, bytes.data() + 8, start - 8);
  if (header_bytes > bytes.size() - start) {
    throw DataError(what + " ends within its header; fetch or save it again");
  }
  NpyArray array;
  HeaderParser(bytes.substr(start, header_bytes), what).Parse(&array);
  array.data = bytes.substr(start + header_bytes);
  size_t expected = 0;
  const bool overflow = __builtin_mul_overflow(array.rows, array.cols, &expected) ||
                        __builtin_mul_overflow(expected, array.item_bytes, &expected);
  if (array.kind == NpyArray::Kind::kOther) return array;
  if (overflow || expected != array.data.size()) {
    throw DataError(what + " should hold " + std::to_string(array.rows) + " x " +
                    std::to_string(array.cols) + " elements of " +
                    std::to_string(array.item_bytes) + " bytes, but has " +
                    std::to_string(array.data.size()) + " bytes of them; fetch or save it again");
  }
  return array;
}

void CheckReadable(const NpyArray& array, const std::string& what) {
  if (array.kind == NpyArray::Kind::kOther) {
    const bool object = array.type.ends_with('O');
    throw DataError(what +
                    (object ? " holds Python objects, which are pickled and never loaded"
                            : " holds elements of type " + Quoted(array.type)) +
                    "; save numbers, booleans or texts: numpy.save(file, x.astype(float))");
  }
  if (array.readable() && array.rows != 0 && array.cols != 0) return;
  if (array.readable()) {
    // Nothing in the file bounds the other of the two numbers.
    throw DataError(what + " has no " + (array.rows == 0 ? "rows" : "columns") +
                    "; there is nothing to select from");
  }
  throw DataError(what + " has " + std::to_string(array.dimensions) +
                  " dimensions; save a matrix, one row for each row of the table, or a vector");
}

}  // namespace slm
