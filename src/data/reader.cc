#include "data/reader.h"

#include <new>
#include <string_view>

#include "base/options.h"
#include "data/bytes.h"
#include "data/delimited.h"
#include "slm/errors.h"

namespace slm {
namespace {

using Format = ReadOptions::Format;
using Delimiter = ReadOptions::Delimiter;

struct FormatEntry {
  std::string_view name;
  Format format;
  std::string_view extension;
  Table (*read)(std::string_view text, const std::string& source, const ReadOptions&, ThreadPool&);
};

Table ReadTsv(std::string_view text, const std::string& source, const ReadOptions& options,
              ThreadPool& pool) {
  ReadOptions tabs = options;
  if (tabs.delimiter == Delimiter::kAuto) tabs.delimiter = Delimiter::kTab;
  return ReadDelimited(text, source, tabs, pool);
}

constexpr FormatEntry kFormats[] = {
    {"csv", Format::kCsv, ".csv", ReadDelimited},
    {"tsv", Format::kTsv, ".tsv", ReadTsv},
};

const FormatEntry& FindFormat(Format format, std::string_view path) {
  for (std::string_view compressed : {".gz", ".zst"}) {
    if (path.ends_with(compressed)) path.remove_suffix(compressed.size());
  }
  for (const FormatEntry& entry : kFormats) {
    if (format == Format::kAuto ? path.ends_with(entry.extension) : format == entry.format) {
      return entry;
    }
  }
  return kFormats[0];
}

}  // namespace

void DescribeOptions(ReadOptions* options, OptionList* list) {
  std::vector<std::pair<std::string_view, Format>> formats = {{"auto", Format::kAuto}};
  for (const FormatEntry& entry : kFormats) formats.emplace_back(entry.name, entry.format);
  list->Choice("format", &options->format, formats,
               "format of the files; auto goes by their names");
  list->Choice("delimiter", &options->delimiter,
               {{"auto", Delimiter::kAuto},
                {"comma", Delimiter::kComma},
                {"tab", Delimiter::kTab},
                {"semicolon", Delimiter::kSemicolon},
                {"space", Delimiter::kSpace}},
               "what stands between cells; auto looks at the first rows");
  list->Choice("header", &options->header,
               {{"auto", ReadOptions::Header::kAuto},
                {"yes", ReadOptions::Header::kYes},
                {"no", ReadOptions::Header::kNo}},
               "whether the first row names the columns; without names they are f0, f1, ...");
}

Table ReadTable(const std::string& path, const ReadOptions& options, ThreadPool& pool) {
  FileBytes bytes(path, options.max_bytes);
  std::string source = path == "-" ? "standard input" : path;
  try {
    return FindFormat(options.format, path).read(bytes.view(), source, options, pool);
  } catch (const std::bad_alloc&) {
    throw DataError("the table in " + source +
                    " does not fit into memory; keep fewer rows or columns");
  }
}

}  // namespace slm
