#include "cli/config.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "slm/errors.h"

namespace slm {
namespace {

// What the text sets, as "key=value" each.
std::vector<std::string> Read(const std::string& text) {
  std::vector<std::string> read;
  for (const FileSetting& setting : ParseConfig(text, "a.toml")) {
    read.push_back(setting.name + "=" + setting.value);
  }
  return read;
}

std::string ErrorOf(const std::string& text) {
  try {
    ParseConfig(text, "a.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

using Lines = std::vector<std::string>;

TEST(Config, ReadsValuesOfEveryKind) {
  EXPECT_EQ(Read("# remark\n\nmethod = \"slm\"\nsteps=1_000\n  l2 =\t1e-3 # small\r\njson = true\n"
                 "target = 'C:\\x'\nseed = +5"),
            (Lines{"method=slm", "steps=1000", "l2=1e-3", "json=true", "target=C:\\x", "seed=5"}));
}

TEST(Config, ListsSetAFlagSeveralTimes) {
  EXPECT_EQ(Read("drop = [\"a,b\", 'c', ]\nnone = []"), (Lines{"drop=a,b", "drop=c"}));
}

TEST(Config, EscapesBetweenDoubleQuotes) {
  EXPECT_EQ(Read(R"(target = "a\"b\\c # d")"), (Lines{R"(target=a"b\c # d)"}));
}

TEST(Config, ErrorsNameFileAndLine) {
  EXPECT_EQ(ErrorOf("a = 1\nb 2"), "a.toml line 2: expected '=' after b");
  EXPECT_EQ(ErrorOf("a = 1\n\na = 2"), "a.toml line 3: a is set twice");
  for (const char* text : {"[table]", "a = ", "a = b", "a = \"b", "a = 1 2", "= 1", "a = [1",
                           "a = \"\\x\"", "a.b = 1"}) {
    EXPECT_TRUE(ErrorOf(text).starts_with("a.toml line 1: ")) << text;
  }
}

TEST(Config, WhatIsWrittenIsRead) {
  std::string text;
  double real = 0;
  OptionList options;
  options.Text("name", &text, "a name");
  options.Real("rate", &real, 0, 1, "a rate");
  const std::vector<OptionSetting> settings = {{"name", "say \"hi\""}, {"rate", "0.25"}};
  const std::string written = WriteConfig("two\nlines", "slm", settings, options);
  EXPECT_EQ(written, "# two\n# lines\nmethod = \"slm\"\nname = \"say \\\"hi\\\"\"\nrate = 0.25\n");
  EXPECT_EQ(Read(written), (Lines{"method=slm", "name=say \"hi\"", "rate=0.25"}));
}

// A command with two flags and a list.
struct ConfiguredSample {
  std::string target;
  int hidden_units = 1;
  std::vector<std::string> drop;
  ArgParser parser{{.example = "e", .usage = "u", .summary = "s"}};

  explicit ConfiguredSample(const std::string& config) {
    OptionList flags("Flags");
    flags.Text("target", &target, "a column");
    flags.Require("name it");
    flags.Int("hidden_units", &hidden_units, 1, 100, "units");
    flags.List("drop", &drop, "columns");
    parser.Flags(flags);
    parser.Preset(ParseConfig(config, "a.toml"));
  }

  std::string Complaint(std::vector<std::string> args) {
    try {
      parser.Parse(args);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
};

TEST(Config, TheLineWinsOverTheFile) {
  ConfiguredSample sample("target = \"file\"\nhidden-units = 7\ndrop = [\"a\", \"b\"]");
  EXPECT_EQ(sample.Complaint({"--target", "line", "--drop", "c"}), "");
  EXPECT_EQ(sample.target, "line");
  EXPECT_EQ(sample.hidden_units, 7);
  EXPECT_EQ(sample.drop, (Lines{"c"}));
}

TEST(Config, TheFileSuppliesWhatIsRequired) {
  ConfiguredSample sample("target = \"file\"\ndrop = [\"a\", \"b\"]");
  EXPECT_EQ(sample.Complaint({}), "");
  EXPECT_EQ(sample.drop, (Lines{"a", "b"}));
}

TEST(Config, UnknownKeysAreSuggestedWithTheirPlace) {
  ConfiguredSample sample("target = \"y\"\nhiden_units = 7");
  EXPECT_EQ(sample.Complaint({}),
            "a.toml line 2: unknown key hiden_units; did you mean hidden-units?");
}

TEST(Config, ValuesThatAreNotAllowedAreNamedWithTheirPlace) {
  ConfiguredSample sample("target = \"y\"\nhidden_units = 700");
  EXPECT_EQ(sample.Complaint({}), "a.toml line 2: hidden_units cannot be '700'; it takes 1 to 100");
}

}  // namespace
}  // namespace slm
