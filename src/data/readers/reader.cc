#include "data/readers/reader.h"

#include <sys/stat.h>

#include <algorithm>
#include <new>
#include <string_view>

#include "base/options.h"
#include "base/text.h"
#include "data/readers/archive.h"
#include "data/readers/arff.h"
#include "data/readers/bytes.h"
#include "data/readers/decoded_text.h"
#include "data/readers/delimited.h"
#include "data/readers/duckdb_reader.h"
#include "data/readers/extension.h"
#include "data/readers/foreign_formats.h"
#include "data/readers/joined_files.h"
#include "data/readers/json_table.h"
#include "data/readers/libsvm.h"
#include "data/readers/npy.h"
#include "data/readers/odd_rows.h"
#include "data/readers/xlsx.h"
#include "slm/errors.h"

namespace slm {
namespace {

using Format = ReadOptions::Format;
using Decimal = ReadOptions::Decimal;
using Delimiter = ReadOptions::Delimiter;

struct FormatEntry {
  std::string_view name;
  Format format;
  std::string_view extensions;  // between blanks
  std::string_view magic;       // first bytes that no other format has; empty if there are none
  Table (*read)(FileBytes& file, const ReadOptions&, ThreadPool&);
};

template <Table (*kRead)(std::string_view, const std::string&, const ReadOptions&, ThreadPool&)>
Table FromBytes(FileBytes& file, const ReadOptions& options, ThreadPool& pool) {
  return kRead(file.view(), file.name(), options, pool);
}

Table ReadTsv(std::string_view text, const std::string& source, const ReadOptions& options,
              ThreadPool& pool) {
  ReadOptions tabs = options;
  if (tabs.delimiter == Delimiter::kAuto) tabs.delimiter = Delimiter::kTab;
  return ReadDelimited(text, source, tabs, pool);
}

Table ReadZip(FileBytes& archive, const ReadOptions& options, ThreadPool& pool);

constexpr std::string_view kZipMagic = "PK\x03\x04";

constexpr FormatEntry kFormats[] = {
    {"csv", Format::kCsv, ".csv", "", FromBytes<ReadDelimited>},
    {"tsv", Format::kTsv, ".tsv", "", FromBytes<ReadTsv>},
    {"npy", Format::kNpy, ".npy", "\x93NUMPY", FromBytes<ReadNpy>},
    {"npz", Format::kNpz, ".npz", "", FromBytes<ReadNpz>},
    {"libsvm", Format::kLibsvm, ".libsvm .svm .svmlight", "", FromBytes<ReadLibsvm>},
    {"arff", Format::kArff, ".arff", "", FromBytes<ReadArff>},
    {"xlsx", Format::kXlsx, ".xlsx .xlsm", "", FromBytes<ReadXlsx>},
    {"json", Format::kJson, ".json", "", ReadJson},
    {"zip", Format::kZip, ".zip", "", ReadZip},
    {"parquet", Format::kParquet, ".parquet .pq", "PAR1", ReadParquet},
    {"jsonl", Format::kJsonl, ".jsonl .ndjson", "", ReadJsonLines},
    {"sql", Format::kSql, ".sql", "", FromBytes<ReadQuery>},
};

const FormatEntry& EntryOf(Format format) {
  for (const FormatEntry& entry : kFormats) {
    if (entry.format == format) return entry;
  }
  return kFormats[0];
}

// By the name, which may end with that of a compression; null if it tells nothing.
const FormatEntry* FindByName(std::string_view name) {
  for (std::string_view compressed : {".gz", ".zst"}) {
    if (name.ends_with(compressed)) name.remove_suffix(compressed.size());
  }
  for (const FormatEntry& entry : kFormats) {
    if (HasExtension(name, entry.extensions)) return &entry;
  }
  return nullptr;
}

// NumPy and Excel write archives too, which may have lost their name.
const FormatEntry& FindArchive(const FormatEntry* by_name, const FileBytes& file) {
  switch (KindOfArchive(file.view(), file.name())) {
    case ArchiveKind::kArrays:
      return EntryOf(Format::kNpz);
    case ArchiveKind::kWorkbook:
      return EntryOf(Format::kXlsx);
    default:
      break;
  }
  const bool known =
      by_name != nullptr && (by_name->format == Format::kNpz || by_name->format == Format::kXlsx);
  return known ? *by_name : EntryOf(Format::kZip);
}

const FormatEntry& FindFormat(Format format, std::string_view name, const FileBytes& file) {
  if (format != Format::kAuto) return EntryOf(format);
  const std::string_view bytes = file.view();
  RefuseForeignFormat(name, bytes, file.name());
  const FormatEntry* by_name = FindByName(name);
  if (bytes.starts_with(kZipMagic)) return FindArchive(by_name, file);
  if (by_name != nullptr) return *by_name;
  for (const FormatEntry& entry : kFormats) {
    if (!entry.magic.empty() && bytes.starts_with(entry.magic)) return entry;
  }
  return EntryOf(LooksLikeJsonTable(bytes) ? Format::kJson : Format::kCsv);
}

Table ReadMember(FileBytes& archive, const std::string& wanted, const ReadOptions& options,
                 ThreadPool& pool) {
  MemberFile member = TakeMember(archive, wanted, options.max_bytes);
  FileBytes file(archive.name() + "/" + member.name, std::move(member.content), options.max_bytes);
  const Format inside = options.format == Format::kZip ? Format::kAuto : options.format;
  // pandas calls the CSV file in data.zip data.zip, too.
  const FormatEntry* by_name = FindByName(member.name);
  const bool named_zip = by_name != nullptr && by_name->format == Format::kZip;
  const bool text = named_zip && !file.view().starts_with(kZipMagic);
  const FormatEntry& entry = FindFormat(inside, text ? std::string() : member.name, file);
  if (entry.format == Format::kZip) {
    throw DataError(file.name() + " is an archive inside another; unpack the outer one first");
  }
  return entry.read(file, options, pool);
}

Table ReadZip(FileBytes& archive, const ReadOptions& options, ThreadPool& pool) {
  return ReadMember(archive, "", options, pool);
}

Table ReadFile(const std::string& path, const ReadOptions& options, ThreadPool& pool) {
  const ArchivePath place = SplitArchivePath(path);
  FileBytes file(place.file, options.max_bytes);
  if (!place.member.empty()) return ReadMember(file, place.member, options, pool);
  return FindFormat(options.format, path, file).read(file, options, pool);
}

// Whether `path` is the text of a query instead of the name of a file.
bool IsQuery(const std::string& path, Format format) {
  struct stat status;
  if ((format != Format::kAuto && format != Format::kSql) || stat(path.c_str(), &status) == 0) {
    return false;
  }
  const size_t begin = std::min(path.find_first_not_of(" \t\r\n("), path.size());
  const size_t end = path.find_first_of(" \t\r\n", begin);
  if (end == std::string::npos) return false;
  std::string word = path.substr(begin, end - begin);
  std::transform(word.begin(), word.end(), word.begin(), ToLower);
  return word == "select" || word == "with" || word == "from";
}

// A character by itself or by its name; `none` for 0.
OptionField CharacterField(std::string name, char* value, const std::string& none,
                           const std::vector<std::pair<std::string_view, char>>& names,
                           std::string help) {
  std::string allowed = none + ", ";
  for (const auto& [word, character] : names) allowed += std::string(word) + ", ";
  return {std::move(name),
          std::move(help),
          allowed + "a character",
          OptionField::Kind::kText,
          [value, none, names] {
            if (*value == 0) return none;
            for (const auto& [word, character] : names) {
              if (character == *value) return std::string(word);
            }
            return std::string(1, *value);
          },
          [value, none, names](const std::string& text) {
            for (const auto& [word, character] : names) {
              if (text != word) continue;
              *value = character;
              return true;
            }
            const bool single = text.size() == 1 && MayDelimit(text[0]);
            if (text != none && !single) return false;
            *value = single ? text[0] : '\0';
            return true;
          }};
}

Table ReadAny(std::span<const std::string> paths, const ReadOptions& options, ThreadPool& pool) {
  const bool single = paths.size() == 1;
  const std::string source =
      paths[0] + (single ? "" : " and " + std::to_string(paths.size() - 1) + " more");
  try {
    std::vector<std::string> files;
    for (const std::string& path : paths) {
      const bool query = IsQuery(path, options.format);
      if (query && single) return ReadQuery(path, "the query", options, pool);
      if (query || (path == "-" && !single)) {
        throw DataError((query ? "a query" : "standard input") +
                        std::string(" is a table of its own and cannot be joined with files; give "
                                    "it alone, or files alone"));
      }
      const std::vector<std::string> matching = MatchingFiles(path);
      files.insert(files.end(), matching.begin(), matching.end());
    }
    if (files.size() == 1) return ReadFile(files[0], options, pool);
    return JoinFiles(source, files, options, [&](const std::string& file, const ReadOptions& one) {
      return ReadFile(file, one, pool);
    });
  } catch (const std::bad_alloc&) {
    throw DataError("the table in " + (source == "-" ? "standard input" : source) +
                    " does not fit into memory; keep fewer rows or columns");
  }
}

}  // namespace

void DescribeOptions(ReadOptions* options, OptionList* list) {
  std::vector<std::pair<std::string_view, Format>> formats = {{"auto", Format::kAuto}};
  for (const FormatEntry& entry : kFormats) formats.emplace_back(entry.name, entry.format);
  list->Choice("format", &options->format, formats,
               "format of the files; auto detects it from names and first bytes");
  list->Add(CharacterField(
      "delimiter", reinterpret_cast<char*>(&options->delimiter), "auto",
      {{"comma", ','}, {"tab", '\t'}, {"semicolon", ';'}, {"space", ' '}, {"pipe", '|'}},
      "separator between cells: any character, or comma, tab, semicolon, space "
      "or pipe; auto detects it from the first rows"));
  list->Choice("header", &options->header,
               {{"auto", ReadOptions::Header::kAuto},
                {"yes", ReadOptions::Header::kYes},
                {"no", ReadOptions::Header::kNo}},
               "whether the first row names the columns; otherwise they are f0, f1 and so on");
  list->Text("sheet", &options->sheet, "sheet of a workbook (.xlsx); the first unless given");
  list->Add(CharacterField("comment", &options->comment, "none", {},
                           "the `CHARACTER` that begins lines of delimited text that are no rows"));
  list->Int("skip", &options->skip, 0, 1 << 30,
            "leave out `N` lines of delimited text before the header");
  list->List(
      "na", &options->na,
      "more words, or numbers, that stand for missing cells: `A,B`; NA, N/A, NaN, null, None and "
      "the like always do");
  list->Choice("decimal", &options->decimal,
               {{"auto", Decimal::kAuto}, {"point", Decimal::kPoint}, {"comma", Decimal::kComma}},
               "decimal sign of numbers in text; auto decides by all cells of a column");
  list->List("types", &options->types,
             "what columns are, instead of what their cells suggest: `COL=TYPE,...` with number, "
             "text, date or boolean");
  list->List(
      "date_format", &options->date_format,
      "how dates are written: `PATTERN` of %Y %y %m %b %q %d %H %I %M %S %p %z, as in %d.%m.%Y, or "
      "COL=PATTERN");
  list->Bool("remote", &options->remote,
             "let queries load DuckDB's extensions and read over the network");
  list->ReachesOut();
}

Table ReadTable(const std::string& path, const ReadOptions& options, ThreadPool& pool) {
  return ReadTables(std::span(&path, 1), options, pool);
}

Table ReadTable(std::span<const std::string> paths, const ReadOptions& options, int threads) {
  ThreadPool pool(threads);
  return ReadTables(paths, options, pool);
}

Table ReadTables(std::span<const std::string> paths, const ReadOptions& wanted, ThreadPool& pool) {
  ReadOptions options = wanted;
  options.na.clear();
  for (const std::string& words : wanted.na) {
    for (std::string& word : SplitList(words)) options.na.push_back(std::move(word));
  }
  Table table = ReadAny(paths, options, pool);
  if (!options.raw) {
    RemarkOnUnits(&table);
    RemarkOnTotals(&table);
  }
  return table;
}

}  // namespace slm
