#include "data/readers/reader.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cmath>
#include <string>

#include "base/options.h"
#include "base/random.h"
#include "tests/data/temp_file.h"

namespace slm {
namespace {

std::vector<std::string> Names(const Table& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  return names;
}

using Strings = std::vector<std::string>;
using Doubles = std::vector<double>;
using Codes = std::vector<int32_t>;

TEST(ReadTable, ReadsNumbersUnderAHeader) {
  Table table = ReadText("a,b,c\n1,2.5,-3e2\n4,5,6\n");
  EXPECT_EQ(table.rows, 2u);
  EXPECT_EQ(Names(table), (Strings{"a", "b", "c"}));
  EXPECT_EQ(table.columns[0].numbers, (Doubles{1, 4}));
  EXPECT_EQ(table.columns[1].numbers, (Doubles{2.5, 5}));
  EXPECT_EQ(table.columns[2].numbers, (Doubles{-300, 6}));
}

TEST(ReadTable, AFirstRowWithNumbersIsNoHeader) {
  Table table = ReadText("1,tcp,2\n3,udp,4\n");
  EXPECT_EQ(Names(table), (Strings{"f0", "f1", "f2"}));
  EXPECT_EQ(table.rows, 2u);
  EXPECT_EQ(table.Where(1), table.source + " line 2");
}

TEST(ReadTable, TextUnderTextIsAHeaderUnlessItRepeats) {
  EXPECT_EQ(Names(ReadText("name,city\nann,rome\nbob,oslo\n")), (Strings{"name", "city"}));
  EXPECT_EQ(Names(ReadText("ann,rome\nann,oslo\nbob,rome\n")), (Strings{"f0", "f1"}));
}

TEST(ReadTable, TheHeaderOptionOverridesDetection) {
  ReadOptions options;
  options.header = ReadOptions::Header::kYes;
  EXPECT_EQ(Names(ReadText("0,1\n5,6\n", options)), (Strings{"0", "1"}));
  options.header = ReadOptions::Header::kNo;
  EXPECT_EQ(ReadText("name,city\nann,rome\n", options).rows, 2u);
}

TEST(ReadTable, AnEmptyNameInTheHeaderIsGenerated) {
  EXPECT_EQ(Names(ReadText(",x\n0,1\n1,2\n")), (Strings{"Unnamed: 0", "x"}));
}

TEST(ReadTable, DetectsTheDelimiter) {
  for (const char* text : {"a,b\n1,2\n3,4\n", "a\tb\n1\t2\n3\t4\n", "a;b\n1;2\n3;4\n",
                           "a b\n1 2\n3 4\n", "  a   b\n 1\t 2  \n  3 4\n"}) {
    Table table = ReadText(text);
    ASSERT_EQ(Names(table), (Strings{"a", "b"})) << text;
    EXPECT_EQ(table.columns[1].numbers, (Doubles{2, 4})) << text;
  }
}

TEST(ReadTable, ADelimiterInsideQuotesOrSentencesIsText) {
  Table table = ReadText("text,y\n\"one, two; three\",1\nfour five six,2\n");
  ASSERT_EQ(Names(table), (Strings{"text", "y"}));
  EXPECT_EQ(table.columns[0].levels, (Strings{"four five six", "one, two; three"}));
  Table one = ReadText("text\nsome words here\nmore words\n");
  EXPECT_EQ(Names(one), (Strings{"text"}));
}

TEST(ReadTable, TheDelimiterOptionIsObeyed) {
  ReadOptions options;
  options.delimiter = ReadOptions::Delimiter::kSemicolon;
  Table table = ReadText("a;b\n1,5;2\n2,5;3\n", options);
  EXPECT_EQ(table.columns[0].numbers, (Doubles{1.5, 2.5}));
  EXPECT_EQ(table.columns[1].numbers, (Doubles{2, 3}));
}

TEST(ReadTable, UndoesQuotesEscapesAndLineEndsInside) {
  Table table = ReadText("id,\"a \"\"b\"\"\"\n1,\"x\ny\"\n2,\"say \"\"hi\"\"\"\n3,5\" pipe\n");
  EXPECT_EQ(table.rows, 3u);
  EXPECT_EQ(table.columns[1].name, "a \"b\"");
  EXPECT_EQ(table.columns[1].levels, (Strings{"5\" pipe", "say \"hi\"", "x\ny"}));
  EXPECT_EQ(table.columns[1].codes, (Codes{2, 1, 0}));
  EXPECT_EQ(table.Where(1), table.source + " line 4");
}

TEST(ReadTable, QuotedNumbersAreNumbers) {
  Table table = ReadText("a,b\n\"1\",\"2.5\"\n\"\",\"4\"\n");
  EXPECT_EQ(table.columns[1].numbers, (Doubles{2.5, 4}));
  EXPECT_TRUE(std::isnan(table.columns[0].numbers[1]));
}

TEST(ReadTable, AcceptsCarriageReturnsByteOrderMarkAndBlankLines) {
  Table table = ReadText(
      "\xEF\xBB\xBF"
      "a,b\r\n1,x\r\n\r\n2,y\r\n\r\n");
  EXPECT_EQ(Names(table), (Strings{"a", "b"}));
  EXPECT_EQ(table.columns[0].numbers, (Doubles{1, 2}));
  EXPECT_EQ(table.columns[1].levels, (Strings{"x", "y"}));
  EXPECT_EQ(table.Where(1), table.source + " line 4");
}

TEST(ReadTable, TheLastLineNeedsNoLineEnd) {
  EXPECT_EQ(ReadText("a,b\n1,2\n3,4").columns[1].numbers, (Doubles{2, 4}));
  EXPECT_EQ(ReadText("a,b\n1,x\n3,\"y\"").columns[1].levels, (Strings{"x", "y"}));
  EXPECT_TRUE(std::isnan(ReadText("a,b\n1,2\n3,").columns[1].numbers[1]));
}

TEST(ReadTable, KnowsMissingCells) {
  Table table =
      ReadText("a,b\n1,x\n,\nNA,NA\nNaN,nan\nnull,NULL\n?,?\nN/A,None\n#N/A,<NA>\n7,none\n");
  for (size_t i = 1; i < 8; ++i) {
    EXPECT_TRUE(IsMissing(table.columns[0], i)) << i;
    EXPECT_TRUE(IsMissing(table.columns[1], i)) << i;
  }
  EXPECT_EQ(table.columns[0].type, ColumnType::kNumeric);
  EXPECT_EQ(table.columns[1].levels, (Strings{"none", "x"}));
}

TEST(ReadTable, KnowsBooleans) {
  Table table = ReadText("a,b,c,d,e\nTrue,yes,T,0,yes\nFALSE,No,f,1,true\n,yes,t,1,no\n");
  for (size_t j : {0u, 1u, 2u}) EXPECT_EQ(table.columns[j].type, ColumnType::kBoolean) << j;
  EXPECT_EQ(table.columns[1].numbers, (Doubles{1, 0, 1}));
  EXPECT_TRUE(IsMissing(table.columns[0], 2));
  EXPECT_EQ(table.columns[3].type, ColumnType::kNumeric);
  EXPECT_EQ(table.columns[4].type, ColumnType::kText) << "two ways of writing do not mix";
}

TEST(ReadTable, KnowsDates) {
  Table table = ReadText(
      "a,b,c\n1970-01-02,2021-03-04T12:00:00,2021-02-30\n1969-12-31,2021-03-04 06:00,2021-02-28\n");
  EXPECT_EQ(table.columns[0].type, ColumnType::kDate);
  EXPECT_EQ(table.columns[0].numbers, (Doubles{1, -1}));
  EXPECT_EQ(table.columns[1].numbers, (Doubles{18690.5, 18690.25}));
  EXPECT_EQ(table.columns[2].type, ColumnType::kText) << "there is no such day";
}

TEST(ReadTable, OneStrayTextAnywhereIsMissingAndNamed) {
  std::string text = "x,y\n";
  for (int i = 0; i < 100000; ++i) text += std::to_string(i % 7) + ",1\n";
  Table table = ReadText(text + "oops,1\n");
  EXPECT_EQ(table.columns[0].type, ColumnType::kNumeric);
  EXPECT_TRUE(IsMissing(table.columns[0], 100000));
  EXPECT_EQ(table.columns[0].reading->odd_cells, 1u);
  EXPECT_EQ(table.columns[0].reading->odd[0].row, 100000u);
  EXPECT_EQ(table.columns[0].reading->odd[0].text, "oops");
  EXPECT_EQ(table.columns[1].type, ColumnType::kNumeric);
}

TEST(ReadTable, HandlesTenThousandColumns) {
  std::string text;
  for (int row = 0; row < 4; ++row) {
    for (int j = 0; j < 12000; ++j) text += (j == 0 ? "" : ",") + std::to_string(j * 4 + row);
    text += "\n";
  }
  Table table = ReadText(text);
  ASSERT_EQ(table.columns.size(), 12000u);
  EXPECT_EQ(table.columns[11999].numbers, (Doubles{47996, 47997, 47998, 47999}));
}

// Many chunks, with and without quotes: the same table for any number of threads.
TEST(ReadTable, DoesNotDependOnThreads) {
  for (bool quotes : {false, true}) {
    RandomStream random(5, quotes ? 1 : 0);
    std::string text = "n,t,m\n";
    std::vector<double> numbers;
    for (int i = 0; i < 60000; ++i) {
      numbers.push_back(static_cast<double>(random.Below(1000000)) / 1000);
      std::string level = "level" + std::to_string(random.Below(500));
      if (quotes && i % 3 == 0) level = "\"" + level + ",\n\"\"q\"\"\"";
      text += std::to_string(numbers.back()) + "," + level + "," + (i % 10 == 0 ? "" : "5") + "\n";
    }
    Table one = ReadText(text, {}, 1);
    EXPECT_EQ(one.rows, 60000u);
    EXPECT_EQ(one.columns[0].numbers, numbers);
    for (int threads : {2, 8}) {
      Table many = ReadText(text, {}, threads);
      EXPECT_EQ(many.columns[0].numbers, one.columns[0].numbers);
      EXPECT_EQ(many.columns[1].codes, one.columns[1].codes);
      EXPECT_EQ(many.columns[1].levels, one.columns[1].levels);
    }
  }
}

// Rows of four columns in many chunks; what a cell far behind the sampled ones says counts as much
// as the first.
std::string RowsWithLateCodes(size_t rows, const std::string& code) {
  std::string text = "n,d,c,y\n";
  for (size_t i = 0; i < rows; ++i) {
    const bool late = i + 3 == rows;
    text += std::to_string(1000 + i) + "," + (late ? code : std::to_string(i) + ".5") + "," +
            (late ? code : std::to_string(100 + i % 800)) + "," +
            (late ? "01" : std::to_string(i % 3)) + "\n";
  }
  return text;
}

TEST(ReadTable, AnnouncesCodesThatComeLate) {
  constexpr size_t kRows = 60000;
  for (const char* code : {"007", "\"007\"", " 007", "0000000000007"}) {
    for (int threads : {1, 3}) {
      const Table table = ReadText(RowsWithLateCodes(kRows, code), {}, threads);
      EXPECT_TRUE(table.columns[0].reading->remarks.empty());
      // With a point somewhere they are no codes, however many zeros are in front.
      EXPECT_TRUE(table.columns[1].reading->remarks.empty());
      EXPECT_EQ(table.columns[1].numbers[kRows - 3], 7);
      ASSERT_EQ(table.columns[2].reading->remarks.size(), 1u) << code;
      EXPECT_NE(table.columns[2].reading->remarks[0].find("007' (line 59999)"), std::string::npos)
          << table.columns[2].reading->remarks[0];
      EXPECT_EQ(table.columns[2].numbers[kRows - 3], 7);
    }
  }
}

TEST(ReadTable, AMissingCellWithAPointLeavesCodesCodes) {
  ReadOptions options;
  options.na = {"0.5"};
  const Table table = ReadText("c,y\n0.5,1\n007,2\n012,3\n0.5,4\n113,5\n", options);
  ASSERT_EQ(table.columns[0].reading->remarks.size(), 1u);
  EXPECT_NE(table.columns[0].reading->remarks[0].find("codes such as '007'"), std::string::npos);
}

TEST(ReadTable, KeepsTheSpellingOfATargetThatIsNotPlainLate) {
  for (int threads : {1, 3}) {
    ReadOptions options;
    options.target = "y";
    const Table table = ReadText(RowsWithLateCodes(60000, "7"), options, threads);
    EXPECT_TRUE(table.columns[3].reading->spellings.empty());  // 1 is more frequent than 01
    std::string text = RowsWithLateCodes(60000, "7");
    text.replace(text.rfind(",01\n"), 4, ",09\n");
    const Table spelled = ReadText(text, options, threads);
    ASSERT_EQ(spelled.columns[3].reading->spellings.size(), 1u);
    EXPECT_EQ(spelled.columns[3].reading->spellings[0].value, 9);
    EXPECT_EQ(spelled.columns[3].reading->spellings[0].text, "09");
    const Table plain = ReadText(text, {}, threads);
    EXPECT_TRUE(plain.columns[3].reading->spellings.empty());
  }
}

TEST(ReadTable, AnInfiniteCellFarDownIsNamed) {
  std::string text = RowsWithLateCodes(60000, "7");
  text += "1,1e999,3,1\n";
  try {
    ReadText(text, {}, 2);
    FAIL() << "it is read";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("line 60002, column 'd'"), std::string::npos)
        << error.what();
  }
}

TEST(ReadTable, LettersOfWindowsAreSeenWhereverTheyStand) {
  std::string text = "x,city\n";
  while (text.size() < (1 << 20)) text += "1,Oslo\n";
  text += "1,K\xF6ln\n";
  const Table table = ReadText(text, {}, 2);
  EXPECT_EQ(table.columns[1].levels, (Strings{"K\u00F6ln", "Oslo"}));
  ASSERT_EQ(table.remarks.size(), 1u);
  EXPECT_NE(table.remarks[0].find("Windows-1252"), std::string::npos);
}

std::string Gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string Zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::string Counting(int rows) {
  std::string text = "a,b\n";
  for (int i = 0; i < rows; ++i) text += std::to_string(i) + "," + std::to_string(i * i) + "\n";
  return text;
}

TEST(ReadTable, UndoesGzipAndZstdWhateverTheName) {
  std::string text = Counting(30000);
  size_t half = text.find('\n', text.size() / 2) + 1;
  for (const std::string& bytes :
       {Gzip(text), Gzip(text.substr(0, half)) + Gzip(text.substr(half)), Zstd(text),
        Zstd(text.substr(0, half)) + Zstd(text.substr(half))}) {
    Table table = ReadText(bytes);
    EXPECT_EQ(table.rows, 30000u);
    EXPECT_EQ(table.columns[1].numbers.back(), 29999.0 * 29999.0);
  }
}

TEST(ReadTable, DamagedCompressionIsAnError) {
  std::string gzip = Gzip(Counting(3000)), zstd = Zstd(Counting(3000));
  for (std::string bytes : {gzip, zstd}) {
    bytes.resize(bytes.size() / 2);
    EXPECT_NE(DataErrorOf([&] { ReadText(bytes); }).find("damaged"), std::string::npos);
  }
  gzip[gzip.size() / 2] ^= 0x55;
  EXPECT_NE(DataErrorOf([&] { ReadText(gzip); }).find("damaged"), std::string::npos);
}

TEST(ReadTable, DecompressedContentIsBounded) {
  std::string text = "a,b\n";
  for (int i = 0; i < 500000; ++i) text += "0,0\n";
  ReadOptions options;
  options.max_bytes = 1 << 20;
  for (const std::string& bytes : {Gzip(text), Zstd(text)}) {
    EXPECT_NE(DataErrorOf([&] { ReadText(bytes, options); }).find("more than 1 MiB"),
              std::string::npos);
  }
  options.max_bytes = text.size();
  EXPECT_EQ(ReadText(Gzip(text), options).rows, 500000u);
}

TEST(ReadTable, ReadsStandardInput) {
  TempFile file("a,b\n1,2\n");
  int saved = dup(STDIN_FILENO);
  int fd = open(file.path().c_str(), O_RDONLY);
  dup2(fd, STDIN_FILENO);
  close(fd);
  ThreadPool pool(1);
  Table table = ReadTable("-", {}, pool);
  dup2(saved, STDIN_FILENO);
  close(saved);
  EXPECT_EQ(table.rows, 1u);
  EXPECT_EQ(table.Where(0), "standard input line 2");
}

TEST(ReadTable, TsvFilesAreCutAtTabsOnly) {
  TempFile file("a b\n1 2\n", ".tsv");
  ThreadPool pool(1);
  EXPECT_EQ(Names(ReadTable(file.path(), {}, pool)), (Strings{"a b"}));
}

TEST(ReadTable, TakesTypesFromAnotherTable) {
  Table train = ReadText("t,n,b,d\nx,1,yes,2020-01-01\n1,2,no,2020-01-02\n");
  ReadOptions options;
  options.like = &train;
  Table test = ReadText("n,t,b,d\n3,5,,\n4,true,yes,2021-01-01\n", options);
  EXPECT_EQ(test.Find("t").type, ColumnType::kText);
  EXPECT_EQ(test.Find("t").levels, (Strings{"5", "true"}));
  EXPECT_EQ(test.Find("b").type, ColumnType::kBoolean);
  EXPECT_EQ(test.Find("d").type, ColumnType::kDate);
  std::string message = DataErrorOf([&] { ReadText("t,n,b,d\nx,1,yes,\ny,much,no,\n", options); });
  EXPECT_NE(message.find("line 3"), std::string::npos) << message;
  EXPECT_NE(message.find("'n'"), std::string::npos) << message;
  EXPECT_NE(message.find("'much'"), std::string::npos) << message;
}

TEST(ReadTable, ColumnsOfTheOtherTableMakeTheFirstRowAHeader) {
  const char* text = "name,city\nann,rome\nname,oslo\n";
  EXPECT_EQ(ReadText(text).rows, 3u);  // a name that comes again is a cell
  Table like;
  like.columns.push_back(
      {.name = "city", .type = ColumnType::kText, .numbers = {}, .codes = {}, .levels = {}});
  ReadOptions options;
  options.like = &like;
  const Table table = ReadText(text, options);
  EXPECT_EQ(table.rows, 2u);
  EXPECT_EQ(table.columns[1].name, "city");
}

struct BadFile {
  const char* name;
  std::string text;
  std::vector<std::string> said;
};

TEST(ReadTable, BadFilesAreAnsweredWithPlaceAndFix) {
  const BadFile files[] = {
      {"empty", "", {"empty"}},
      {"blank lines only", "\n\n", {"empty"}},
      {"header only", "a,b\n", {"no rows"}},
      {"short row", "a,b,c\n1,2,3\n4,5\n", {"line 3", "2 cells", "3", "'b'", "fix"}},
      {"long row", "a,b\n1,2\n3,4,5\n6,7\n", {"line 3", "3 cells", "'b'"}},
      {"short row of text", "a,b\nx,y\nz\n", {"line 3", "1 cell "}},
      {"short row between blanks", "1 2 3\n4 5 \n", {"line 2", "2 cells"}},
      {"long row between blanks", "1 2\n4 5 6\n", {"line 2", "3 cells"}},
      {"binary", std::string("a,b\n1,2\n\0\1\2", 11), {"binary"}},
      {"zero byte far in", Counting(5000) + std::string("\0", 1), {"line 5002", "zero byte"}},
      {"zero bytes in several chunks",
       Counting(40000) + std::string("\0\n", 2) + Counting(40000) + std::string("\0", 1),
       {"line 40002", "zero byte"}},
      {"ragged rows in several chunks",
       "a,b\n" + Counting(40000).substr(4) + "1\n" + Counting(40000).substr(4) + "1\n",
       {"line 40002 ", "1 cell "}},
      {"same names", "a,b,a\n1,2,3\n", {"line 1", "columns 1 and 3", "'a'", "rename"}},
      {"infinity", "a,b\n1,2\n3,inf\n", {"line 3", "'b'", "infinite"}},
      {"minus infinity", "a,b\n1,2\n\n-Infinity,1\n", {"line 4", "'a'"}},
      {"too large", "a,b\n1,2\n3,1e999\n", {"line 3", "'b'"}},
      {"open quote", "a,b\n1,\"x\n2,y\n", {"line 2", "never closed"}},
      {"text after a quote", "a,b\n1,\"x\"y\n", {"line 2", "closing quote"}},
  };
  for (const BadFile& file : files) {
    std::string message = DataErrorOf([&] { ReadText(file.text); });
    EXPECT_NE(message.find("slm_"), std::string::npos) << file.name << ": names the file";
    for (const std::string& part : file.said) {
      EXPECT_NE(message.find(part), std::string::npos) << file.name << ": " << message;
    }
  }
}

TEST(ReadTable, ABlankBeforeACarriageReturnIsNoCell) {
  ReadOptions options;
  options.delimiter = ReadOptions::Delimiter::kSpace;
  const std::string message = DataErrorOf([&] { ReadText("1 x\n4 \r\n", options); });
  EXPECT_NE(message.find("line 2 has 1 cell "), std::string::npos) << message;
  EXPECT_EQ(ReadText("1 x \r\n4 y\t\r\n", options).columns.size(), 2u);
}

TEST(ReadTable, ACarriageReturnAfterAQuoteEndsNoCell) {
  ReadOptions options;
  options.delimiter = ReadOptions::Delimiter::kSpace;
  const std::string message = DataErrorOf([&] { ReadText("1 a\n\"\"\r\"\n\"", options); });
  EXPECT_NE(message.find("line 2: text follows a closing quote"), std::string::npos) << message;
  EXPECT_EQ(ReadText("1 \"a b\"\r\n2 \"c\"\r \r\n", options).columns[1].levels,
            (Strings{"a b", "c"}));
}

TEST(ReadTable, InfinityAsAWordAmongWordsIsText) {
  EXPECT_EQ(ReadText("a,b\nx,1\ninf,2\n").columns[0].levels, (Strings{"inf", "x"}));
}

TEST(ReadTable, MissingFilesAndDirectoriesAreErrors) {
  ThreadPool pool(1);
  std::string missing = DataErrorOf([&] { ReadTable("/nonexistent/x.csv", {}, pool); });
  EXPECT_NE(missing.find("/nonexistent/x.csv"), std::string::npos);
  std::string directory = DataErrorOf([&] { ReadTable("/", {}, pool); });
  EXPECT_NE(directory.find("directory"), std::string::npos);
}

// Whatever the bytes, the answer is a table or a DataError.
TEST(ReadTable, SurvivesRandomBytes) {
  RandomStream random(9, 0);
  const std::string alphabet = "\"\",;\t \r\n\n1.5-eE+xNA?\xEF\xBB\xBF";
  for (int trial = 0; trial < 5000; ++trial) {
    std::string text;
    for (uint64_t i = random.Below(60); i > 0; --i) text += alphabet[random.Below(alphabet.size())];
    try {
      Table table = ReadText(text, {}, 1);
      for (const Column& column : table.columns) {
        ASSERT_EQ(column.numbers.size() + column.codes.size(), table.rows);
      }
    } catch (const InputError&) {
    }
  }
}

// The mapping of such a file has no byte after its end.
TEST(ReadTable, FilesMayFillTheirLastPage) {
  for (const std::string& end : {std::string("12345678"), std::string("9\n"), std::string("1e"),
                                 std::string("\"x\""), std::string("4."), std::string("-")}) {
    std::string text = "a\n";
    while (text.size() + end.size() + 2 <= 4096) text += "1\n";
    text.insert(text.size() - 1, 4096 - text.size() - end.size(), '0');
    text += end;
    ASSERT_EQ(text.size(), 4096u);
    EXPECT_GT(ReadText(text).rows, 2000u) << end;
  }
}

TEST(Table, AnUnknownColumnIsAnsweredWithTheNearest) {
  Table table = ReadText("length,width\n1,2\n");
  EXPECT_EQ(table.IndexOf("width"), 1u);
  std::string message = DataErrorOf([&] { table.Find("widh"); });
  EXPECT_NE(message.find("did you mean 'width'"), std::string::npos) << message;
}

TEST(Table, ComesFromAMatrix) {
  std::vector<float> values = {1, 2, 3, NAN};
  Table table = TableFromMatrix({values.data(), 2, 2});
  EXPECT_EQ(Names(table), (Strings{"f0", "f1"}));
  EXPECT_EQ(table.columns[0].numbers, (Doubles{1, 3}));
  EXPECT_TRUE(IsMissing(table.columns[1], 1));
  values[0] = INFINITY;
  EXPECT_NE(DataErrorOf([&] { TableFromMatrix({values.data(), 2, 2}); }), "");
}

TEST(ReadOptions, AreDescribedAsFlags) {
  ReadOptions options;
  OptionList list;
  DescribeOptions(&options, &list);
  list.Set("delimiter", "tab");
  list.Set("header", "no");
  EXPECT_EQ(options.delimiter, ReadOptions::Delimiter::kTab);
  EXPECT_EQ(options.header, ReadOptions::Header::kNo);
}

}  // namespace
}  // namespace slm
