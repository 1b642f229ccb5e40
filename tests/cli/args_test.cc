#include "cli/args.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "slm/errors.h"

namespace slm {
namespace {

// A command with a flag of every kind.
struct Sample {
  std::string data, target, preset;
  int k = 0;
  double limit = 1.5;
  bool json = false;
  bool scale = true;
  uint64_t seed = 0;
  std::vector<std::string> drop;
  ArgParser parser{
      {.example = "slm try file -k 3", .usage = "try DATA [flags]", .summary = "Tries."}};

  Sample() {
    OptionList flags("Flags");
    flags.Text("target", &target, "the `COL` to predict");
    flags.Require("name the column");
    flags.Int("k", &k, 1, 100, "how many");
    flags.Real("time_limit", &limit, 0, 10, "end after `SECONDS`");
    flags.Bool("json", &json, "print JSON");
    flags.Bool("scale", &scale, "scale the mask");
    flags.Seed("seed", &seed, "same seed, same result");
    flags.List("drop", &drop, "never these");
    parser.Positional("DATA", &data, "the file", "name the file");
    parser.Flags(flags);
  }

  bool Parse(std::vector<std::string> args) { return parser.Parse(args); }

  std::string Complaint(const std::vector<std::string>& args) {
    try {
      parser.Parse(args);
    } catch (const InputError& error) {
      EXPECT_EQ(error.kind(), InputError::Kind::kUsage);
      return error.what();
    }
    return "";
  }
};

TEST(ArgParser, TakesValuesAfterASpaceOrAnEqualsSign) {
  Sample a, b;
  EXPECT_TRUE(a.Parse({"f.csv", "--target", "y", "-k", "5", "--time-limit", "2"}));
  EXPECT_TRUE(b.Parse({"--target=y", "-k5", "--time-limit=2", "f.csv"}));
  for (const Sample* s : {&a, &b}) {
    EXPECT_EQ(s->data, "f.csv");
    EXPECT_EQ(s->target, "y");
    EXPECT_EQ(s->k, 5);
    EXPECT_EQ(s->limit, 2);
  }
}

TEST(ArgParser, SwitchesAreTurnedOnAndOff) {
  Sample s;
  EXPECT_TRUE(s.Parse({"f", "--target=y", "--json", "--no-scale"}));
  EXPECT_TRUE(s.json);
  EXPECT_FALSE(s.scale);
  EXPECT_TRUE(s.Parse({"f", "--target=y", "--json=false", "--scale=true"}));
  EXPECT_FALSE(s.json);
  EXPECT_TRUE(s.scale);
}

TEST(ArgParser, ValuesMayBeginWithADashOrBeEmpty) {
  Sample s;
  EXPECT_TRUE(s.Parse({"f", "--target", "-y"}));
  EXPECT_EQ(s.target, "-y");
  EXPECT_TRUE(s.Parse({"f", "--target="}));
  EXPECT_EQ(s.target, "");
  EXPECT_TRUE(s.Parse({"f", "--target=a=b"}));
  EXPECT_EQ(s.target, "a=b");
}

TEST(ArgParser, TwoDashesEndTheFlagsAndOneIsAWord) {
  Sample s;
  EXPECT_TRUE(s.Parse({"--target=y", "--", "--json"}));
  EXPECT_EQ(s.data, "--json");
  EXPECT_FALSE(s.json);
  EXPECT_TRUE(s.Parse({"--target=y", "-"}));
  EXPECT_EQ(s.data, "-");
}

TEST(ArgParser, RepeatedFlagsAddToListsAndOverwriteOthers) {
  Sample s;
  EXPECT_TRUE(s.Parse({"f", "-k=3", "--drop", "x", "--target=b", "--drop=y,z", "-k=4"}));
  EXPECT_EQ(s.drop, (std::vector<std::string>{"x", "y,z"}));
  EXPECT_EQ(s.k, 4);
}

TEST(ArgParser, TwoAnswersToWhatMustBeGivenAreRefused) {
  EXPECT_EQ(Sample().Complaint({"f", "--target=a", "--target=b"}),
            "--target is set twice, to 'a' and to 'b'; keep one of them");
}

TEST(ArgParser, KnowsWhichFlagsWereGiven) {
  Sample s;
  EXPECT_TRUE(s.Parse({"f", "--target=a"}));
  EXPECT_TRUE(s.parser.Given("target"));
  EXPECT_FALSE(s.parser.Given("k"));
}

TEST(ArgParser, SuggestsTheNearestFlag) {
  EXPECT_EQ(Sample().Complaint({"f", "--traget", "y"}),
            "unknown flag --traget; did you mean --target?");
  EXPECT_EQ(Sample().Complaint({"f", "--timelimit=3"}),
            "unknown flag --timelimit; did you mean --time-limit?");
  EXPECT_EQ(Sample().Complaint({"f", "--k=3"}), "unknown flag --k; did you mean -k?");
  EXPECT_EQ(Sample().Complaint({"f", "-x"}), "unknown flag -x");
}

TEST(ArgParser, AsksTheCallerAboutFlagsThatResembleNothing) {
  Sample s;
  s.parser.ExplainUnknown(
      [](std::string_view flag) { return "it belongs to " + std::string(flag); });
  EXPECT_EQ(s.Complaint({"f", "--percentile=3"}),
            "unknown flag --percentile; it belongs to percentile");
}

TEST(ArgParser, NamesWhatIsMissingOrTooMuch) {
  EXPECT_EQ(Sample().Complaint({}),
            "DATA is missing: name the file\n--target is missing: name the column");
  EXPECT_EQ(Sample().Complaint({"f", "g", "--target=y"}), "unexpected argument 'g'");
  EXPECT_EQ(Sample().Complaint({"f", "--target"}), "--target needs a value");
  EXPECT_EQ(Sample().Complaint({"f", "--target", "--json"}), "--target needs a value");
}

TEST(ArgParser, ReportsEveryWrongValueAtOnce) {
  EXPECT_EQ(Sample().Complaint({"f", "--target=y", "-k", "0", "--seed=-1"}),
            "-k cannot be '0'; it takes 1 to 100\n"
            "--seed cannot be '-1'; it takes a whole number from 0");
}

TEST(ArgParser, OptionsApplyInTheOrderOfTheirDescription) {
  int hidden = 1;
  std::string preset;
  OptionList options("Flags");
  options.Add({"preset", "", "", OptionField::Kind::kText, [&] { return preset; },
               [&](const std::string& text) {
                 preset = text;
                 hidden = 7;
                 return true;
               }});
  options.Int("hidden", &hidden, 1, 100, "");
  ArgParser parser({});
  parser.Flags(options);
  std::vector<std::string> args = {"--hidden=9", "--preset=paper"};
  EXPECT_TRUE(parser.Parse(args));
  EXPECT_EQ(hidden, 9);
}

TEST(ArgParser, HelpIsAskedForAnywhereAndSetsNothing) {
  Sample s;
  EXPECT_FALSE(s.Parse({"f", "--bogus", "--json", "--help"}));
  EXPECT_FALSE(s.Parse({"-h"}));
  EXPECT_FALSE(s.json);
}

TEST(ArgParser, HelpOpensWithTheExampleAndShowsValuesAndDefaults) {
  std::string help = Sample().parser.Help();
  EXPECT_TRUE(help.starts_with("Example:\n  slm try file -k 3\n")) << help;
  for (const char* line : {"  --target COL            The COL to predict.\n",
                           "  --time-limit SECONDS    End after SECONDS (default 1.5).\n",
                           "  --json                  Print JSON.\n",
                           "  --no-scale              Scale the mask (default on).\n"}) {
    EXPECT_NE(help.find(line), std::string::npos) << line << help;
  }
}

TEST(SeedOption, HoldsLargeSeeds) {
  Sample s;
  EXPECT_TRUE(s.Parse({"f", "--target=y", "--seed=9223372036854775807"}));
  EXPECT_EQ(s.seed, 9223372036854775807u);
  EXPECT_NE(s.Complaint({"f", "--target=y", "--seed=9223372036854775808"}), "");
}

TEST(SplitList, CutsAtCommas) {
  EXPECT_EQ(SplitList("a,b,,c"), (std::vector<std::string>{"a", "b", "", "c"}));
  EXPECT_EQ(SplitList("a"), std::vector<std::string>{"a"});
}

TEST(FlagStyle, CanBePastedIntoAShell) {
  EXPECT_EQ(FlagStyle("time_limit"), "--time-limit");
  EXPECT_EQ(FlagStyle("k", "3"), "-k 3");
  EXPECT_EQ(FlagStyle("split", "time:date"), "--split time:date");
  EXPECT_EQ(FlagStyle("drop", "Date Egg"), "--drop 'Date Egg'");
  EXPECT_EQ(FlagStyle("drop", "it's"), "--drop 'it'\\''s'");
}

}  // namespace
}  // namespace slm
