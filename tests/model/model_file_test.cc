#include "model/model_file.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/predict.h"
#include "slm/errors.h"
#include "slm/model.h"
#include "tests/model/small_model.h"

namespace slm {
namespace {

// The complaint about the bytes; empty if there is none.
std::string ComplaintAbout(std::string_view bytes) {
  try {
    ReadModel(bytes);
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), InputError::Kind::kModel) << error.what();
    return error.what();
  }
  return "";
}

void ExpectEqual(const Matrix& a, const Matrix& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  for (size_t i = 0; i < a.rows(); ++i) {
    for (size_t j = 0; j < a.cols(); ++j) EXPECT_EQ(a(i, j), b(i, j));
  }
}

uint64_t HeaderLength(const std::string& bytes) {
  uint64_t length = 0;
  for (size_t i = 8; i-- > 0;) length = length << 8 | static_cast<uint8_t>(bytes[i]);
  return length;
}

std::string WithHeader(const std::string& header, const std::string& data) {
  std::string out;
  for (size_t i = 0; i < 8; ++i) out.push_back(static_cast<char>(header.size() >> (8 * i)));
  return out + header + data;
}

// The file with a text in its header replaced by another.
std::string Edited(const std::string& bytes, const std::string& from, const std::string& to) {
  const size_t length = HeaderLength(bytes);
  std::string header = bytes.substr(8, length);
  const size_t at = header.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at == std::string::npos) return bytes;
  return WithHeader(header.replace(at, from.size(), to), bytes.substr(8 + length));
}

TEST(ModelFile, ReadsBackWhatWasWritten) {
  for (Task task : {Task::kClassification, Task::kRegression}) {
    for (const std::vector<size_t>& widths : {std::vector<size_t>{}, {4}, {8, 8, 8, 8}}) {
      const ModelContent written = SmallModel(task, widths);
      const ModelContent read = ReadModel(WriteModel(written));
      ASSERT_EQ(read.features.size(), written.features.size());
      for (size_t j = 0; j < read.features.size(); ++j) {
        const FeatureEncoding &a = written.features[j].encoding, &b = read.features[j].encoding;
        EXPECT_EQ(a.name, b.name);
        EXPECT_EQ(a.type, b.type);
        EXPECT_EQ(a.source_column, b.source_column);
        EXPECT_EQ(a.median, b.median);
        EXPECT_EQ(a.squash, b.squash);
        EXPECT_EQ(a.mean, b.mean);
        EXPECT_EQ(a.scale, b.scale);
        EXPECT_EQ(a.missing_share, b.missing_share);
        EXPECT_EQ(a.missing_scale, b.missing_scale);
        EXPECT_EQ(a.levels, b.levels);
        EXPECT_EQ(a.has_other, b.has_other);
        EXPECT_EQ(a.has_missing, b.has_missing);
        EXPECT_EQ(a.shares, b.shares);
        EXPECT_EQ(a.level_scale, b.level_scale);
        EXPECT_EQ(written.features[j].rank, read.features[j].rank);
        EXPECT_EQ(written.features[j].weight, read.features[j].weight);
      }
      EXPECT_EQ(read.target.name, "kind");
      EXPECT_EQ(read.target.task, task);
      EXPECT_EQ(read.target.type, written.target.type);
      EXPECT_EQ(read.target.classes, written.target.classes);
      EXPECT_EQ(read.target.mean, written.target.mean);
      EXPECT_EQ(read.target.sd, written.target.sd);
      EXPECT_EQ(read.mask, written.mask);
      ASSERT_EQ(read.layers.size(), widths.size() + 1);
      for (size_t l = 0; l < read.layers.size(); ++l) {
        ExpectEqual(read.layers[l].w, written.layers[l].w);
        ExpectEqual(read.layers[l].bias, written.layers[l].bias);
      }
      EXPECT_EQ(read.origin.method, "slm");
      EXPECT_EQ(read.origin.seed, 7u);
      EXPECT_EQ(read.origin.train_rows, 100u);
      EXPECT_EQ(read.origin.valid_metric, 0.75);
      EXPECT_FALSE(read.origin.test_metric.has_value());
      EXPECT_EQ(read.origin.weighting.column, "w");
      EXPECT_EQ(read.origin.weighting.scale, 0.5);
    }
  }
}

// SmallModel with what came with version 2: a date with its calendar, hashed texts, and a group.
ModelContent NewerModel() {
  ModelContent content = SmallModel(Task::kClassification);
  FeatureEncoding& day = content.features[1].encoding;
  day.calendar = {.year_mean = 2020.5,
                  .year_scale = 0.5,
                  .months = {{1, 7}, {0.25, 0.75}, 1.5},
                  .weekdays = {{0, 3, 6}, {0.5, 0.25, 0.25}, 1.25}};
  day.low = -3.5;
  day.high = 19000;
  FeatureEncoding& color = content.features[2].encoding;
  color.has_other = false;
  color.hash_buckets = 16;
  color.buckets = {3, 15};
  color.shares = {0.5, 0.1, 0.1, 0.1, 0.1, 0.1};
  day.group = color.group = "both";
  content.mask.assign(1 + 8 + 6, 0.5f);
  content.layers[0].w = Matrix(content.mask.size(), content.layers[0].w.cols());
  return content;
}

TEST(ModelFile, ReadsBackCalendarsHashesAndGroups) {
  const ModelContent written = NewerModel();
  const std::string bytes = WriteModel(written);
  EXPECT_NE(bytes.find(R"("version":"2")"), std::string::npos);
  const ModelContent read = ReadModel(bytes);
  const CalendarEncoding &a = written.features[1].encoding.calendar,
                         &b = read.features[1].encoding.calendar;
  EXPECT_EQ(a.year_mean, b.year_mean);
  EXPECT_EQ(a.year_scale, b.year_scale);
  EXPECT_EQ(a.months.values, b.months.values);
  EXPECT_EQ(a.months.shares, b.months.shares);
  EXPECT_EQ(a.weekdays.values, b.weekdays.values);
  EXPECT_EQ(a.weekdays.scale, b.weekdays.scale);
  EXPECT_EQ(read.features[1].encoding.low, -3.5);
  EXPECT_EQ(read.features[1].encoding.high, 19000);
  EXPECT_EQ(read.features[0].encoding.low, read.features[0].encoding.high) << "not known";
  EXPECT_EQ(read.features[2].encoding.hash_buckets, 16);
  EXPECT_EQ(read.features[2].encoding.buckets, (std::vector<int>{3, 15}));
  EXPECT_EQ(read.features[2].encoding.group, "both");
  EXPECT_EQ(read.features[0].encoding.group, "");
}

TEST(ModelFile, ReadsBackTimesOfDates) {
  ModelContent written = NewerModel();
  CalendarEncoding& calendar = written.features[1].encoding.calendar;
  calendar.hours = {{0, 23}, {0.5, 0.5}, 1.5};
  calendar.time_mean = 1000;
  calendar.time_scale = 1e-6;
  written.mask.resize(written.mask.size() + 3, 0.5f);
  written.layers[0].w = Matrix(written.mask.size(), written.layers[0].w.cols());
  const std::string bytes = WriteModel(written);
  EXPECT_NE(bytes.find(R"("version":"3")"), std::string::npos);
  const ModelContent content = ReadModel(bytes);
  const CalendarEncoding& read = content.features[1].encoding.calendar;
  EXPECT_EQ(read.hours.values, calendar.hours.values);
  EXPECT_EQ(read.hours.shares, calendar.hours.shares);
  EXPECT_EQ(read.hours.scale, 1.5);
  EXPECT_EQ(read.time_mean, 1000);
  EXPECT_EQ(read.time_scale, 1e-6);
  EXPECT_NE(ComplaintAbout(Edited(bytes, R"(\"values\":[0,23])", R"(\"values\":[0,24])"))
                .find("its hours hold 24"),
            std::string::npos);
}

TEST(ModelFile, ReadsBackHowCellsAreWritten) {
  ModelContent written = SmallModel(Task::kRegression);
  written.features[0].encoding.format = {.decimal = ',', .unit = "€"};
  written.features[1].encoding.format.date = "%d.%m.%Y %H:%M";
  written.target.format.unit = "$";
  EXPECT_EQ(ModelVersion(written), 3);
  const ModelContent read = ReadModel(WriteModel(written));
  for (size_t j = 0; j < read.features.size(); ++j) {
    EXPECT_EQ(read.features[j].encoding.format, written.features[j].encoding.format) << j;
  }
  EXPECT_EQ(read.target.format, written.target.format);
}

TEST(ModelFile, IsOfTheFirstVersionUnlessItHoldsMore) {
  EXPECT_NE(WriteModel(SmallModel(Task::kRegression)).find(R"("version":"1")"), std::string::npos);
}

TEST(ModelFile, ClassesThatAreNumbersKeepTheirValues) {
  ModelContent content = SmallModel(Task::kClassification);
  content.target.type = ColumnType::kNumeric;
  content.target.classes = {"-1", "0.5", "2"};
  content.target.class_values = {-1, 0.5, 2};
  const ModelContent read = ReadModel(WriteModel(content));
  EXPECT_EQ(read.target.class_values, content.target.class_values);
  EXPECT_EQ(read.target.classes, content.target.classes);
  content.target.class_values = {-1, 2, 0.5};
  EXPECT_NE(ComplaintAbout(WriteModel(content)).find("ascending"), std::string::npos);
  content.target.class_values = {-1, 2};
  EXPECT_NE(ComplaintAbout(WriteModel(content)).find("3 classes and 2"), std::string::npos);
}

TEST(ModelFile, RefusesAFileThatEndsEarlyAtAnyByte) {
  const std::string bytes = WriteModel(SmallModel(Task::kClassification));
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(ComplaintAbout(bytes.substr(0, size)), "") << size;
  }
  EXPECT_NE(ComplaintAbout(bytes + '\0'), "");
}

TEST(ModelFile, NoDamagedByteGoesUnnoticed) {
  const std::string bytes = WriteModel(SmallModel(Task::kRegression));
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (int flip : {0x01, 0x04, 0x20, 0x80}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      EXPECT_NE(ComplaintAbout(damaged), "") << at << " " << flip;
    }
  }
}

struct Edit {
  const char *from, *to, *complaint;
};

// Names of the description stand inside a text, so that their quotes are escaped.
constexpr Edit kEdits[] = {
    {"slm.model", "slm.modem", "do not say that it is a model"},
    {R"("version":"1")", R"("version":"4")", "use a newer slm"},
    {R"("version":"1")", R"("version":"0")", "not a version"},
    {R"("version":"1")", R"("version":"x")", "not a version"},
    {R"("version":"1")", R"("version":1)", "expected a text"},
    {R"("crc32":")", R"("crc32":"0)", "damaged"},
    {R"("crc32")", R"("crc33")", "lack"},
    {R"("__metadata__":{)", R"("__metadata__":{"more":1,)", "expected a text"},
    {R"("weights":{)", R"("heights":{)", "'weights' is missing"},
    {R"("mask":{)", R"("weights":{)", "twice"},
    {R"("dtype":"F32")", R"("dtype":"F64")", "instead of F32"},
    {R"("dtype":"F32",)", "", "fields"},
    {R"("shape":[3])", R"("shape":[4])", "what its shape says"},
    {R"("shape":[3])", R"("shape":[-3])", "negative"},
    {R"("shape":[3])", R"("shape":[3,1])", "2 dimensions instead of 1"},
    {R"("shape":[3])", R"("shape":[4611686018427387904,4611686018427387904])", "shape says"},
    {R"("data_offsets":[0,12])", R"("data_offsets":[4,16])", "gap"},
    {R"("data_offsets":[12,44])", R"("data_offsets":[8,40])", "overlaps"},
    {R"("data_offsets":[0,12])", R"("data_offsets":[12,0])", "bytes 12 to 0"},
    {R"("data_offsets":[0,12])", R"("data_offsets":[0,99999999999])", "is at bytes"},
    {R"("data_offsets":[0,12])", R"("data_offsets":[0,12,12])", "two offsets"},
    {"layers.1.weight", "layers.2.weight", "outputs"},
    {"layers.1.bias", "layers.1.bia_", "'layers.1.bias' is missing"},
    {R"(\"task\":\"classification\")", R"(\"task\":\"clustering\")", "no task"},
    {R"(\"task\":\"classification\")", R"(\"task\":\"regression\")", "\"mean\""},
    {R"(\"type\":\"numeric\")", R"(\"type\":\"number\")", "no type 'number'"},
    {R"(\"type\":\"numeric\")", R"(\"type\":\"text\")", "'amount'"},
    {R"(\"rank\":1)", R"(\"rank\":2)", "rank"},
    {R"(\"rank\":1)", R"(\"rank\":4)", "from 0 to 3"},
    {R"(\"rank\":1)", R"(\"rank\":0)", "rank"},
    {R"(\"index\":2)", R"(\"index\":-2)", "\"index\" is -2"},
    {R"(\"scale\":1.7)", R"(\"scale\":null)", "is not a finite number"},
    {R"(\"scale\":1.7)", R"(\"scale\":1e999)", "out of range"},
    {R"(\"scale\":1.7)", R"(\"scale\":0)", "no parts"},
    {R"(\"squash\":0.3,)", "", "no \"squash\""},
    {R"(\"blue\")", R"(\"zinc\")", "ascending"},
    {R"(\"hex\":\"e9)", R"(\"hex\":\"x9)", "hexadecimal"},
    {R"(\"hex\":\"e9)", R"(\"hex\":\"e)", "hexadecimal"},
    {R"(\"other\":true)", R"(\"other\":false)", "4 parts and 5 shares"},
    {R"(\"other\":true)", R"(\"other\":1)", "true or false"},
    {R"(\"name\":\"day\")", R"(\"name\":\"amount\")", "twice"},
    {R"(\"high\",\"low\",\"odd\")", R"(\"high\")", "two classes"},
    {R"(\"high\",\"low\",\"odd\")", R"(\"high\",\"low\")", "3 outputs, and the target 2"},
    {R"(\"seed\":7)", R"(\"seed\":-7)", "\"seed\""},
    {R"(\"class_weights\":[])", R"(\"class_weights\":[1])", "1 weights of classes"},
    {R"(\"class_weights\":[])", R"(\"class_weights\":[1,2,-3])", "negative"},
};

TEST(ModelFile, SaysWhatIsWrongWithTheHeader) {
  const std::string bytes = WriteModel(SmallModel(Task::kClassification));
  for (const Edit& edit : kEdits) {
    const std::string complaint = ComplaintAbout(Edited(bytes, edit.from, edit.to));
    EXPECT_NE(complaint.find(edit.complaint), std::string::npos)
        << edit.from << " as " << edit.to << ": " << complaint;
  }
}

constexpr Edit kNewerEdits[] = {
    {R"(\"values\":[1,7])", R"(\"values\":[1,13])", "not from 1 to 12"},
    {R"(\"values\":[1,7])", R"(\"values\":[7,1])", "ascending"},
    {R"(\"values\":[1,7])", R"(\"values\":[1])", "1 with 2 shares"},
    {R"(\"values\":[0,3,6])", R"(\"values\":[0,3,7])", "not from 0 to 6"},
    {R"(\"year_scale\":0.5)", R"(\"year_scale\":null)", "is not a finite number"},
    {R"(\"year_scale\":0.5)", R"(\"year_scale\":0)", "the mask has 15 entries"},
    {R"(\"hash_buckets\":16)", R"(\"hash_buckets\":8)", "not from 0 to 7"},
    {R"(\"hash_buckets\":16)", R"(\"hash_buckets\":65537)", "\"hash_buckets\" is 65537"},
    {R"(\"buckets\":[3,15])", R"(\"buckets\":[15,3])", "ascending"},
    {R"(\"buckets\":[3,15])", R"(\"buckets\":[3])", "5 parts and 6 shares"},
    {R"(\"other\":false)", R"(\"other\":true)", "another part"},
    {R"(\"range\":[-3.5,19000])", R"(\"range\":[3.5,-19000])", "a lower and a higher"},
    {R"(\"range\":[-3.5,19000])", R"(\"range\":[-3.5])", "a lower and a higher"},
    {R"("version":"2")", R"("version":"1")", "'color'"},
};

TEST(ModelFile, SaysWhatIsWrongWithCalendarsAndHashes) {
  const std::string bytes = WriteModel(NewerModel());
  for (const Edit& edit : kNewerEdits) {
    const std::string complaint = ComplaintAbout(Edited(bytes, edit.from, edit.to));
    EXPECT_NE(complaint.find(edit.complaint), std::string::npos)
        << edit.from << " as " << edit.to << ": " << complaint;
  }
}

TEST(ModelFile, RefusesNumbersThatAreNotFinite) {
  ModelContent content = SmallModel(Task::kClassification);
  content.layers[1].w(2, 1) = std::numeric_limits<float>::infinity();
  EXPECT_NE(ComplaintAbout(WriteModel(content)).find("'layers.1.weight' holds"), std::string::npos);
}

TEST(ModelFile, RefusesLayersThatDoNotFitEachOther) {
  ModelContent content = SmallModel(Task::kClassification);
  content.layers[1].w = Matrix(5, 3);
  EXPECT_NE(ComplaintAbout(WriteModel(content)).find("gets 4 inputs"), std::string::npos);
  content = SmallModel(Task::kClassification);
  content.mask.pop_back();
  EXPECT_NE(ComplaintAbout(WriteModel(content)).find("8 parts"), std::string::npos);
  content = SmallModel(Task::kClassification);
  content.features.clear();
  EXPECT_NE(ComplaintAbout(WriteModel(content)).find("there are none"), std::string::npos);
}

TEST(ModelFile, RefusesWhatIsNoModelAtAll) {
  EXPECT_NE(ComplaintAbout(""), "");
  EXPECT_NE(ComplaintAbout("x1,x2,y\n1,2,3\n4,5,6\n"), "");
  EXPECT_NE(ComplaintAbout(WithHeader("[]", "")).find("object"), std::string::npos);
  EXPECT_NE(ComplaintAbout(WithHeader("{}", "")).find("do not say"), std::string::npos);
  EXPECT_NE(ComplaintAbout(WithHeader("{\"a\":\"\xFF\"}", "")).find("UTF-8"), std::string::npos);
}

TEST(ModelFile, IsASafetensorsFileWhoseDataBeginAtAMultipleOfEight) {
  const std::string bytes = WriteModel(SmallModel(Task::kClassification));
  EXPECT_EQ(HeaderLength(bytes) % 8, 0u);
  EXPECT_EQ(bytes.substr(8, 17), R"({"__metadata__":{)");
}

TEST(SaveModel, RefusesAnEmptyModel) {
  EXPECT_THROW(SerializeModel(FittedModel()), InputError);
  EXPECT_THROW(Predict(FittedModel(), MatrixView<const float>()), InputError);
}

TEST(LoadModel, NamesTheFile) {
  const std::string path = testing::TempDir() + "no-such-model.slm";
  try {
    LoadModel(path);
    ADD_FAILURE() << "it was loaded";
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), InputError::Kind::kModel);
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
  }
}

}  // namespace
}  // namespace slm
