#include "base/options.h"

#include <gtest/gtest.h>

#include <string>

#include "slm/errors.h"

namespace slm {
namespace {

enum class Objective { kMi, kHsic };

struct Sample {
  int hidden = 64;
  double alpha = 0.5;
  bool through_scale = false;
  Objective objective = Objective::kMi;
  std::string label = "none";

  OptionList Describe() {
    OptionList list;
    list.Int("hidden", &hidden, 1, 1000, "width of the hidden layer");
    list.Real("alpha", &alpha, 0, 10, "weight of the objective");
    list.Bool("through_scale", &through_scale, "whether gradients pass through the scale");
    list.Choice<Objective>("objective", &objective,
                           {{"mi", Objective::kMi}, {"hsic", Objective::kHsic}}, "which");
    list.Text("label", &label, "anything");
    return list;
  }
};

std::string ComplaintOf(OptionList list, std::string_view name, const std::string& text) {
  try {
    list.Set(name, text);
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), InputError::Kind::kUsage);
    return error.what();
  }
  return "";
}

TEST(OptionList, SetsTheBoundFields) {
  Sample sample;
  OptionList list = sample.Describe();
  list.Set("hidden", "128");
  list.Set("alpha", "1e-3");
  list.Set("through_scale", "true");
  list.Set("objective", "hsic");
  list.Set("label", "a b");
  EXPECT_EQ(sample.hidden, 128);
  EXPECT_EQ(sample.alpha, 1e-3);
  EXPECT_TRUE(sample.through_scale);
  EXPECT_EQ(sample.objective, Objective::kHsic);
  EXPECT_EQ(sample.label, "a b");
}

TEST(OptionList, FindsByNameAndByFlag) {
  Sample sample;
  OptionList list = sample.Describe();
  ASSERT_NE(list.Find("through_scale"), nullptr);
  EXPECT_EQ(list.Find("through-scale"), list.Find("through_scale"));
  EXPECT_EQ(list.Find("through_scale")->flag(), "through-scale");
  EXPECT_EQ(list.Find("nothing"), nullptr);
}

TEST(OptionList, GetsTheTextThatSetsTheSameValue) {
  Sample sample;
  OptionList list = sample.Describe();
  for (const OptionField& field : list.fields()) EXPECT_TRUE(field.set(field.get()));
  EXPECT_EQ(sample.alpha, 0.5);
  EXPECT_EQ(sample.objective, Objective::kMi);
}

TEST(OptionList, RefusesWhatIsOutOfRangeOrNotWhollyANumber) {
  Sample sample;
  for (const char* text : {"0", "1001", "12x", "1.5", "", " 5", "99999999999999999999"}) {
    std::string complaint = ComplaintOf(sample.Describe(), "hidden", text);
    EXPECT_NE(complaint.find("hidden cannot be"), std::string::npos) << text;
    EXPECT_NE(complaint.find("1 to 1000"), std::string::npos) << text;
  }
  for (const char* text : {"nan", "inf", "-0.1", "abc"}) {
    EXPECT_NE(ComplaintOf(sample.Describe(), "alpha", text), "") << text;
  }
  EXPECT_EQ(sample.hidden, 64);
  EXPECT_EQ(sample.alpha, 0.5);
}

TEST(OptionList, RefusesUnknownChoicesByNamingTheKnown) {
  Sample sample;
  EXPECT_NE(ComplaintOf(sample.Describe(), "objective", "mutual").find("mi, hsic"),
            std::string::npos);
}

TEST(OptionList, SuggestsTheNearestName) {
  Sample sample;
  EXPECT_NE(ComplaintOf(sample.Describe(), "hiden", "5").find("did you mean 'hidden'?"),
            std::string::npos);
  EXPECT_EQ(ComplaintOf(sample.Describe(), "zzzzzz", "5").find("did you mean"), std::string::npos);
}

TEST(OptionList, ValidateNamesEveryFieldThatIsWrong) {
  Sample sample;
  sample.hidden = 0;
  sample.alpha = -1;
  try {
    sample.Describe().Validate();
    FAIL() << "accepted";
  } catch (const InputError& error) {
    std::string message = error.what();
    EXPECT_NE(message.find("hidden"), std::string::npos);
    EXPECT_NE(message.find("alpha"), std::string::npos);
    EXPECT_EQ(message.find("objective"), std::string::npos);
  }
  Sample().Describe().Validate();
}

TEST(NearestName, ComparesWithoutCaseAndRefusesTheFar) {
  EXPECT_EQ(NearestName("SalePrise", {"LotArea", "SalePrice"}), "SalePrice");
  EXPECT_EQ(NearestName("target", {"TARGET"}), "TARGET");
  EXPECT_EQ(NearestName("taks", {"split", "task"}), "task");  // swapped letters are one slip
  EXPECT_EQ(NearestName("cdr", {"dcr"}), "dcr");
  EXPECT_EQ(NearestName("price", {"rooms", "garden"}), "");
  EXPECT_EQ(NearestName("x", {}), "");
}

TEST(OptionList, SettingSeveralLetsAPresetGiveWayWhateverTheOrder) {
  std::string preset = "small";
  int units = 1, layers = 1;
  OptionList list;
  list.Add({"preset", "all at once", "small, large", OptionField::Kind::kText,
            [&] { return preset; },
            [&](const std::string& text) {
              preset = text;
              units = layers = text == "large" ? 100 : 1;
              return true;
            }});
  list.Int("units", &units, 1, 1000, "of each layer");
  list.Int("layers", &layers, 1, 1000, "of them");
  const std::vector<OptionSetting> settings = {{"units", "7"}, {"preset", "large"}};
  list.SetAll(settings);
  EXPECT_EQ(units, 7);
  EXPECT_EQ(layers, 100);
  const std::vector<OptionSetting> wrong = {{"unit", "7"}};
  EXPECT_THROW(list.SetAll(wrong), InputError);
}

}  // namespace
}  // namespace slm
