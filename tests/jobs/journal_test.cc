#include "jobs/journal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "jobs/fingerprint.h"
#include "slm/errors.h"
#include "tests/data/temp_file.h"
#include "tests/jobs/planted_table.h"

namespace slm {
namespace {

Json Header(int k = 3) {
  Json header = Json::MakeObject();
  header.Add("schema", "slm.journal/1");
  header.Add("k", k);
  return header;
}

Trial SomeTrial(int index) {
  Trial trial;
  trial.index = index;
  trial.budget = 1.0 / 3;
  trial.settings = {{"rate", "0.00001"}, {"units", "64"}, {"form", "quotient"}};
  trial.selected = {{1, "größe, \"x\"", 4, 0.1f}, {2, "b", 0, 1e-7f}};
  trial.selected[0].columns = {"größe", "\"x\""};
  trial.selected[1].kept = true;
  trial.valid_metric = 2.0 / 3;
  trial.valid_loss = 0.1;
  trial.seconds = 1.5;
  return trial;
}

// The trial as a search asks for it.
Trial Wanted(int index) {
  Trial trial;
  trial.index = index;
  trial.budget = 1.0 / 3;
  trial.settings = SomeTrial(index).settings;
  return trial;
}

class JournalTest : public testing::Test {
 protected:
  TempFile file_{"", ".jsonl"};
  const std::string path_ = file_.path();

  std::string OpenError(const Json& header, bool resume) {
    return DataErrorOf([&] { Journal journal(path_, header, resume); });
  }
};

TEST_F(JournalTest, TrialsComeBackAsTheyWere) {
  { Journal(path_, Header(), false).Append(SomeTrial(7)); }
  Journal journal(path_, Header(), true);
  Trial trial = Wanted(7);
  ASSERT_TRUE(journal.Find(&trial));
  EXPECT_EQ(WriteFields(trial).Dump(), WriteFields(SomeTrial(7)).Dump());
  EXPECT_EQ(trial.selected[0].weight, 0.1f);
  EXPECT_EQ(trial.selected[0].columns.size(), 2u);
  EXPECT_TRUE(trial.selected[1].kept);
  EXPECT_EQ(trial.valid_metric, 2.0 / 3);
  Trial other = Wanted(8);
  EXPECT_FALSE(journal.Find(&other));
  Trial whole = Wanted(7);
  whole.budget = 1;
  EXPECT_FALSE(journal.Find(&whole));
}

TEST_F(JournalTest, FailuresComeBackToo) {
  Trial failed = SomeTrial(1);
  failed.failure = "it cannot";
  failed.selected.clear();
  failed.valid_metric = failed.valid_loss = std::numeric_limits<double>::quiet_NaN();
  { Journal(path_, Header(), false).Append(failed); }
  Trial trial = Wanted(1);
  ASSERT_TRUE(Journal(path_, Header(), true).Find(&trial));
  EXPECT_EQ(trial.failure, "it cannot");
  EXPECT_TRUE(std::isnan(trial.valid_metric));
}

TEST_F(JournalTest, AFileThatIsThereNeedsResume) {
  { Journal(path_, Header(), false).Append(SomeTrial(0)); }
  EXPECT_NE(OpenError(Header(), false).find("resume"), std::string::npos);
}

TEST_F(JournalTest, ResumingWithoutAFileBeginsOne) {
  std::filesystem::remove(path_);
  { Journal(path_, Header(), true).Append(SomeTrial(0)); }
  EXPECT_EQ(ContentOf(path_), Header().Dump() + "\n" + WriteFields(SomeTrial(0)).Dump() + "\n");
}

TEST_F(JournalTest, AnotherHeaderIsRefusedByField) {
  { Journal(path_, Header(3), false).Append(SomeTrial(0)); }
  const std::string error = OpenError(Header(5), true);
  EXPECT_NE(error.find("its k is 3, that of this one is 5"), std::string::npos) << error;
}

TEST_F(JournalTest, EveryTornEndIsCutOff) {
  {
    Journal journal(path_, Header(), false);
    journal.Append(SomeTrial(0));
    journal.Append(SomeTrial(1));
  }
  const std::string whole = ContentOf(path_);
  const std::string first = Header().Dump() + "\n";
  const size_t second = whole.find('\n', first.size()) + 1;
  for (size_t length = 0; length < whole.size(); ++length) {
    std::ofstream(path_, std::ios::trunc) << whole.substr(0, length);
    {
      Journal journal(path_, Header(), true);
      Trial zero = Wanted(0), one = Wanted(1);
      EXPECT_EQ(journal.Find(&zero), length >= second) << length;
      EXPECT_FALSE(journal.Find(&one));
      if (length < second) journal.Append(SomeTrial(0));
      journal.Append(SomeTrial(1));
    }
    ASSERT_EQ(ContentOf(path_), whole) << length;
  }
}

TEST_F(JournalTest, WhatIsNoJournalIsRefusedWithItsLine) {
  std::ofstream(path_) << "a,b\n1,2\n";
  EXPECT_NE(OpenError(Header(), true).find("line 1"), std::string::npos);
  EXPECT_EQ(ContentOf(path_), "a,b\n1,2\n");
  std::ofstream(path_) << Header().Dump() << "\n{\"trial\":1}\n";
  EXPECT_NE(OpenError(Header(), true).find("budget"), std::string::npos);
  std::ofstream(path_) << Header().Dump() << "\n\n" << WriteFields(SomeTrial(0)).Dump() << "\n";
  EXPECT_NE(OpenError(Header(), true).find("line 2"), std::string::npos);
}

TEST_F(JournalTest, AFileThatIsNotAJournalLosesNothing) {
  std::ofstream(path_) << "notes without an end";
  EXPECT_NE(OpenError(Header(), true), "");
  EXPECT_EQ(ContentOf(path_), "notes without an end");
}

TEST_F(JournalTest, TwoSearchesCannotShareOne) {
  Journal journal(path_, Header(), false);
  EXPECT_NE(OpenError(Header(), true).find("in use"), std::string::npos);
}

TEST_F(JournalTest, OtherSettingsOfATrialAreRefused) {
  { Journal(path_, Header(), false).Append(SomeTrial(0)); }
  Journal journal(path_, Header(), true);
  Trial trial = Wanted(0);
  trial.settings[1].value = "65";
  EXPECT_NE(DataErrorOf([&] { journal.Find(&trial); }).find("trial 0"), std::string::npos);
}

TEST(Fingerprint, ChangesWithEveryCellNameAndType) {
  const Table table = PlantedTable(20, 3, true, 1);
  const std::string own = Fingerprint(table);
  EXPECT_EQ(own, Fingerprint(PlantedTable(20, 3, true, 1)));
  EXPECT_EQ(own.size(), 16u);
  Table cell = table, name = table, type = table, order = table;
  cell.columns[2].numbers[19] += 1e-9;
  name.columns[0].name = "z";
  type.columns[0].type = ColumnType::kDate;
  std::swap(order.columns[0], order.columns[1]);
  for (const Table* other : {&cell, &name, &type, &order}) EXPECT_NE(own, Fingerprint(*other));
}

}  // namespace
}  // namespace slm
