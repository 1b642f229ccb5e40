#include "data/readers/arff.h"

#include <algorithm>

#include "base/text.h"
#include "data/readers/column_text.h"
#include "data/readers/dialect.h"
#include "data/readers/finish_table.h"
#include "data/table.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr std::string_view kBlanks = " \t\r";

enum class Kind { kNumber, kDate, kNominal, kString };

struct Attribute {
  std::string name;
  Kind kind = Kind::kNumber;
  ArffDateFormat date;
  TextDictionary texts;  // of a nominal attribute, first those that it declares
  size_t declared = 0;
};

struct Word {
  std::string text;
  bool quoted = false;

  bool missing() const { return !quoted && text == "?"; }
};

void SkipBlanks(std::string_view* line) {
  line->remove_prefix(std::min(line->find_first_not_of(kBlanks), line->size()));
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), ToLower);
  return lower;
}

class ArffParser {
 public:
  ArffParser(std::string_view text, const std::string& source, const ReadOptions& options)
      : bytes_(text.size()), text_(text), options_(options) {
    table_.source = source;
  }

  Table Parse() {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
    std::string_view line;
    bool data = false;
    while (NextLine(&line)) {
      if (data) {
        ReadRow(line);
      } else {
        data = ReadDeclaration(line);
      }
    }
    if (!data) {
      throw DataError(table_.source + " has no @data line before its rows; is it an " +
                      "ARFF file?");
    }
    for (size_t j = 0; j < attributes_.size(); ++j) {
      if (IsText(attributes_[j])) SortLevels(attributes_[j].texts, &table_.columns[j]);
    }
    FinishTable(options_, &table_);
    return std::move(table_);
  }

 private:
  static bool IsText(const Attribute& attribute) {
    return attribute.kind == Kind::kNominal || attribute.kind == Kind::kString;
  }

  [[noreturn]] void Fail(const std::string& what) const {
    throw DataError(table_.source + " line " + std::to_string(line_) + ": " + what);
  }

  // The next line that is neither blank nor a remark.
  bool NextLine(std::string_view* line) {
    while (!text_.empty()) {
      const size_t end = std::min(text_.find('\n'), text_.size());
      *line = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++line_;
      SkipBlanks(line);
      line->remove_suffix(line->size() - (line->find_last_not_of(kBlanks) + 1));
      if (!line->empty() && line->front() != '%') return true;
    }
    return false;
  }

  // Takes a word, quoted or up to one of `stops`, and the blanks around it.
  Word TakeWord(std::string_view* line, std::string_view stops) const {
    SkipBlanks(line);
    Word word;
    const char quote = line->empty() ? '\0' : line->front();
    if (quote != '\'' && quote != '"') {
      word.text = line->substr(0, line->find_first_of(stops));
      line->remove_prefix(word.text.size());
      word.text.erase(word.text.find_last_not_of(kBlanks) + 1);
      return word;
    }
    word.quoted = true;
    size_t i = 1;
    for (; i < line->size() && (*line)[i] != quote; ++i) {
      char c = (*line)[i];
      if (c == '\\' && i + 1 < line->size()) {
        c = (*line)[++i];
        if (c == 'n') c = '\n';
        if (c == 't') c = '\t';
        if (c == 'r') c = '\r';
      }
      word.text.push_back(c);
    }
    if (i == line->size()) {
      Fail("a quote is opened and never closed; write \\' for a quote inside quotes");
    }
    line->remove_prefix(i + 1);
    SkipBlanks(line);
    return word;
  }

  // True at @data.
  bool ReadDeclaration(std::string_view line) {
    const std::string keyword = Lower(TakeWord(&line, kBlanks).text);
    if (keyword == "@data") {
      if (attributes_.empty()) Fail("@data comes before any @attribute");
      table_.columns.resize(attributes_.size());
      for (size_t j = 0; j < attributes_.size(); ++j) {
        table_.columns[j].name = attributes_[j].name;
        if (attributes_[j].kind == Kind::kDate) table_.columns[j].type = ColumnType::kDate;
      }
      return true;
    }
    if (keyword == "@relation") return false;
    if (keyword != "@attribute") {
      Fail(Quoted(keyword) + " is not known; the lines before @data begin with @relation or " +
           "@attribute, comments with %");
    }
    ReadAttribute(line);
    return false;
  }

  void ReadAttribute(std::string_view line) {
    Attribute& attribute = attributes_.emplace_back();
    attribute.name = TakeWord(&line, " \t{").text;
    SkipBlanks(&line);
    if (line.starts_with('{')) {
      attribute.kind = Kind::kNominal;
      do {
        line.remove_prefix(1);
        attribute.texts.Code(TakeWord(&line, ",}").text);
      } while (line.starts_with(','));
      if (!line.starts_with('}'))
        Fail("the values of attribute " + Quoted(attribute.name) + " do not end with }");
      attribute.declared = attribute.texts.texts().size();
      return;
    }
    const std::string type = Lower(TakeWord(&line, kBlanks).text);
    if (type == "numeric" || type == "real" || type == "integer") return;
    if (type == "string") {
      attribute.kind = Kind::kString;
    } else if (type == "date") {
      attribute.kind = Kind::kDate;
      SkipBlanks(&line);
      if (line.empty() || line.front() == '%') return;
      const std::string pattern = TakeWord(&line, "%").text;
      if (pattern != "yyyy-MM-dd'T'HH:mm:ss" && !attribute.date.Set(pattern)) {
        Fail("the date format " + Quoted(pattern) + " of attribute " + Quoted(attribute.name) +
             " is not known; its letters may be y, M, d, H, m, s and S");
      }
    } else {
      Fail("the type " + Quoted(type) + " of attribute " + Quoted(attribute.name) +
           " is not known; it may be numeric, real, integer, string, date, or {a,b,...}");
    }
  }

  void ReadRow(std::string_view line) {
    if (line.starts_with('{')) {
      CheckSparseFits(table_.source, table_.rows + 1, attributes_.size(), bytes_,
                      options_.max_bytes);
      ReadSparseRow(line);
    } else {
      ReadDenseRow(line);
    }
    ++table_.rows;
    table_.lines.push_back(line_);
  }

  void ReadDenseRow(std::string_view line) {
    size_t j = 0;
    for (;; ++j) {
      const bool weight = line.find_first_not_of(kBlanks) != std::string_view::npos &&
                          line[line.find_first_not_of(kBlanks)] == '{';
      if (weight) {
        Fail(
            "a weight in braces after a row is not read; put the weights into a column and name it "
            "with " +
            FieldRef("weights"));
      }
      const Word word = TakeWord(&line, ",");
      if (j < attributes_.size()) AddCell(j, word);
      if (!line.empty() && line.front() != ',') Fail("text follows a closing quote");
      if (line.empty()) break;
      line.remove_prefix(1);
    }
    if (j + 1 != attributes_.size()) {
      Fail("the row has " + std::to_string(j + 1) + (j == 0 ? " cell" : " cells") +
           " where the header declares " + std::to_string(attributes_.size()) +
           " attributes; fix that line");
    }
  }

  void ReadSparseRow(std::string_view line) {
    line.remove_prefix(1);
    size_t next = 0;  // the first attribute that has no cell yet
    SkipBlanks(&line);
    while (!line.starts_with('}')) {
      const std::string index_text = TakeWord(&line, " \t,}").text;
      size_t index;
      if (!ParseNumber(index_text, &index) || index >= attributes_.size()) {
        Fail(Quoted(index_text) + " is not an attribute; they are numbered from 0 to " +
             std::to_string(attributes_.size() - 1));
      }
      if (index < next) {
        Fail("the attribute " + index_text + " stands after " + std::to_string(next - 1) +
             "; sort them, each at most once");
      }
      for (; next < index; ++next) AddAbsent(next);
      AddCell(next++, TakeWord(&line, ",}"));
      if (line.starts_with(',')) {
        line.remove_prefix(1);
        SkipBlanks(&line);
      } else if (!line.starts_with('}')) {
        Fail("a sparse row is {index value, index value, ...} and ends with }");
      }
    }
    for (; next < attributes_.size(); ++next) AddAbsent(next);
  }

  void AddAbsent(size_t j) {
    Column& column = table_.columns[j];
    if (IsText(attributes_[j])) {
      column.codes.push_back(attributes_[j].kind == Kind::kNominal ? 0 : -1);
    } else {
      column.numbers.push_back(0);
    }
  }

  void AddCell(size_t j, const Word& word) {
    Attribute& attribute = attributes_[j];
    Column& column = table_.columns[j];
    if (IsText(attribute)) {
      column.codes.push_back(word.missing() ? -1 : attribute.texts.Code(word.text));
      if (attribute.kind == Kind::kNominal && attribute.texts.texts().size() > attribute.declared) {
        Fail(Quoted(word.text) + " is none of the values that attribute " + Quoted(attribute.name) +
             " declares; fix the cell or add the value there");
      }
      return;
    }
    double value = kMissing;
    const bool number = attribute.kind == Kind::kNumber;
    const bool fits = word.missing() || (number ? NumberFromText(word.text, &value)
                                                : attribute.date.Parse(word.text, &value));
    if (!fits) {
      Fail("attribute " + Quoted(attribute.name) + " is " + (number ? "numeric" : "a date") +
           ", but its cell is " + Quoted(word.text) + "; write ? for a missing cell");
    }
    column.numbers.push_back(value);
  }

  const size_t bytes_;
  std::string_view text_;
  const ReadOptions& options_;
  Table table_;
  std::vector<Attribute> attributes_;
  size_t line_ = 0;
};

}  // namespace

Table ReadArff(std::string_view text, const std::string& source, const ReadOptions& options,
               ThreadPool&) {
  return ArffParser(text, source, options).Parse();
}

}  // namespace slm
