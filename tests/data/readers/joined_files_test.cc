#include "data/readers/joined_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "slm/errors.h"
#include "tests/data/temp_file.h"

namespace slm {
namespace {

using Doubles = std::vector<double>;
using Strings = std::vector<std::string>;
using Codes = std::vector<int32_t>;

class JoinedFiles : public testing::Test {
 protected:
  JoinedFiles()
      : directory_(std::filesystem::temp_directory_path() /
                   ("slm_joined_" + std::to_string(getpid()))) {
    std::filesystem::create_directory(directory_);
  }
  ~JoinedFiles() override { std::filesystem::remove_all(directory_); }

  void Write(const std::string& name, const std::string& content) {
    std::ofstream(directory_ / name) << content;
  }
  std::string Path(const std::string& name) const { return (directory_ / name).string(); }
  Table Read(const std::string& pattern, const ReadOptions& options = {}) const {
    ThreadPool pool(2);
    return ReadTable(Path(pattern), options, pool);
  }

  std::filesystem::path directory_;
};

TEST_F(JoinedFiles, RowsFollowTheNamesOfTheFiles) {
  Write("b.csv", "x,kind\n3,u\n4,w\n");
  Write("a.csv", "x,kind\n1,v\n\n2,u\n");
  Write("other.txt", "q\n1\n");
  Table table = Read("*.csv");
  EXPECT_EQ(table.rows, 4u);
  EXPECT_EQ(table.columns[0].numbers, (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(table.columns[1].levels, (Strings{"u", "v", "w"}));
  EXPECT_EQ(table.columns[1].codes, (Codes{1, 0, 0, 2}));
  EXPECT_EQ(table.source, Path("*.csv"));
  EXPECT_EQ(table.Where(1), Path("a.csv") + " line 4");
  EXPECT_EQ(table.Where(3), Path("b.csv") + " line 3");
}

TEST_F(JoinedFiles, AllCellsDecideTheTypeOfAColumn) {
  Write("a.csv", "x,y,z\n007,,2021-01-01\n1.50,,2021-01-02\n");
  Write("b.csv", "x,y,z\nheavy,true,2021-01-03\n,false,2021-01-04\n");
  Table table = Read("[ab].csv");
  EXPECT_EQ(table.columns[0].levels, (Strings{"007", "1.50", "heavy"}));
  EXPECT_EQ(table.columns[0].codes, (Codes{0, 1, 2, -1}));
  EXPECT_EQ(table.columns[1].type, ColumnType::kBoolean) << "cells that are missing have any type";
  EXPECT_TRUE(IsMissing(table.columns[1], 0));
  EXPECT_EQ(table.columns[2].type, ColumnType::kDate);
}

TEST_F(JoinedFiles, WhatOneFileLeavesOpenAnotherDecides) {
  Write("a.csv", "d,x\n01/02/2021,\"1,250\"\n03/04/2021,\"2,500\"\n");
  Write("b.csv", "d,x\n31/12/2021,\"0,5\"\n01/02/2021,-\n");
  const Table table = Read("[ab].csv");
  EXPECT_EQ(table.columns[0].format.date, "%d/%m/%Y");
  EXPECT_EQ(table.columns[0].numbers, (std::vector<double>{18659, 18720, 18992, 18659}));
  EXPECT_EQ(table.columns[1].format.decimal, ',');
  EXPECT_EQ(table.columns[1].numbers[0], 1.25);
  EXPECT_EQ(table.columns[1].numbers[2], 0.5);
  EXPECT_TRUE(IsMissing(table.columns[1], 3));
  ASSERT_EQ(table.columns[1].reading->odd.size(), 1u);
  EXPECT_EQ(table.Where(table.columns[1].reading->odd[0].row), Path("b.csv") + " line 3");
}

TEST_F(JoinedFiles, EqualOneFileOfAllRows) {
  std::string all = "a,b,c\n", part = all;
  int parts = 0;
  for (int i = 0; i < 300; ++i) {
    std::string row = std::to_string(i * 0.1) + "," +
                      (i % 7 == 0 ? "" : "t" + std::to_string(i % 5)) + "," +
                      std::to_string(i % 3) + "\n";
    all += row;
    part += row;
    if (i % 100 == 99) {
      Write("part" + std::to_string(parts++) + ".csv", part);
      part = "a,b,c\n";
    }
  }
  Write("all.csv", all);
  Table whole = Read("all.csv"), joined = Read("part?.csv");
  ASSERT_EQ(joined.columns.size(), whole.columns.size());
  EXPECT_EQ(joined.rows, whole.rows);
  for (size_t j = 0; j < whole.columns.size(); ++j) {
    EXPECT_EQ(joined.columns[j].type, whole.columns[j].type);
    EXPECT_EQ(joined.columns[j].numbers, whole.columns[j].numbers);
    EXPECT_EQ(joined.columns[j].codes, whole.columns[j].codes);
    EXPECT_EQ(joined.columns[j].levels, whole.columns[j].levels);
  }
}

TEST_F(JoinedFiles, AHeaderOfWordsAboveWordsIsTheHeaderInEveryFile) {
  Write("a.csv", "color,size\nred,1\n");
  Write("b.csv", "color,size\ncolor,?\nblue,?\n");
  EXPECT_EQ(Read("*.csv").rows, 3u);
}

TEST_F(JoinedFiles, OtherColumnsAreAnErrorThatNamesFileAndColumn) {
  Write("a.csv", "x,y,z\n1,2,3\n");
  Write("b.csv", "x,w,z\n1,2,3\n");
  std::string renamed = DataErrorOf([&] { Read("[ab].csv"); });
  EXPECT_NE(renamed.find("column 2 is 'y' in " + Path("a.csv") + " and 'w' in " + Path("b.csv")),
            std::string::npos)
      << renamed;
  Write("c.csv", "x,y\n1,2\n");
  std::string fewer = DataErrorOf([&] { Read("[ac].csv"); });
  EXPECT_NE(fewer.find("column 3 is 'z' in " + Path("a.csv") + " and absent in " + Path("c.csv")),
            std::string::npos)
      << fewer;
}

TEST_F(JoinedFiles, ProblemsInAPartNameThatPart) {
  Write("a.csv", "x,y\n1,2\n");
  Write("b.csv", "x,y\n1,2\n3\n");
  std::string error = DataErrorOf([&] { Read("*.csv"); });
  EXPECT_NE(error.find(Path("b.csv") + " line 3"), std::string::npos) << error;
}

TEST_F(JoinedFiles, APatternWithoutFilesIsAnError) {
  std::string error = DataErrorOf([&] { Read("*.csv"); });
  EXPECT_NE(error.find("no file matches"), std::string::npos) << error;
}

TEST_F(JoinedFiles, AFileOfThatVeryNameIsNoPattern) {
  Write("a[1].csv", "x,y\n1,2\n");
  EXPECT_EQ(Read("a[1].csv").rows, 1u);
}

TEST_F(JoinedFiles, AreReadInEveryFormat) {
  Write("a.svm", "1 1:2 2:1\n");
  Write("b.svm", "2 2:5\n");
  Table table = Read("*.svm");
  EXPECT_EQ(table.columns[2].numbers, (Doubles{1, 5}));
}

TEST_F(JoinedFiles, SparseFilesArePaddedToTheWidest) {
  Write("a.libsvm", "1 1:5\n0 2:6\n");
  Write("b.libsvm", "1 0:1 4:7 # the widest\n");
  Write("c.libsvm", "0 qid:3 1:8\n");
  const Table table = Read("*.libsvm");
  Strings names;
  for (const Column& column : table.columns) names.push_back(column.name);
  EXPECT_EQ(names, (Strings{"target", "qid", "f0", "f1", "f2", "f3", "f4"}));
  EXPECT_EQ(table.columns[3].numbers, (Doubles{5, 0, 0, 8}));
  EXPECT_EQ(table.columns[6].numbers, (Doubles{0, 0, 7, 0}));
  EXPECT_TRUE(IsMissing(table.columns[1], 0));
}

TEST_F(JoinedFiles, SparseFilesAreNotPaddedForOthers) {
  Write("a.libsvm", "1 1:5\n");
  Write("b.csv", "target,f1,f2\n1,2,3\n");
  EXPECT_THROW(Read("[ab].*"), InputError);
}

TEST_F(JoinedFiles, FilesThatAreNamedOneByOneKeepThatOrder) {
  Write("b.csv", "x\n3\n");
  Write("a.csv", "x\n1\n");
  Write("c1.csv", "x\n5\n");
  Write("c2.csv", "x\n6\n");
  ThreadPool pool(2);
  const Strings paths = {Path("b.csv"), Path("a.csv"), Path("c*.csv")};
  const Table table = ReadTables(paths, {}, pool);
  EXPECT_EQ(table.columns[0].numbers, (Doubles{3, 1, 5, 6}));
  EXPECT_EQ(table.source, Path("b.csv") + " and 2 more");
}

TEST_F(JoinedFiles, StandardInputAndQueriesAreNotJoined) {
  Write("a.csv", "x\n1\n");
  ThreadPool pool(2);
  for (const std::string& other : Strings{"-", "SELECT 1 AS x"}) {
    const Strings paths = {Path("a.csv"), other};
    EXPECT_THROW(ReadTables(paths, {}, pool), InputError) << other;
  }
}

}  // namespace
}  // namespace slm
