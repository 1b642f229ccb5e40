// What onnxruntime makes of exported models is in tests/onnx; here is what must not be exported,
// and the bytes.

#include "model/onnx.h"

#include <gtest/gtest.h>

#include <string>

#include "model/protobuf.h"
#include "slm/errors.h"
#include "tests/model/small_model.h"

namespace slm {
namespace {

ModelContent Exportable() {
  ModelContent content = SmallModel(Task::kClassification);
  content.features[2].encoding.levels[2] = "\xC3\xA9t\xC3\xA9";
  return content;
}

std::string ComplaintAbout(const ModelContent& content) {
  try {
    ModelToOnnx(content);
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), InputError::Kind::kData);
    return error.what();
  }
  return "";
}

TEST(ProtoMessage, WritesFieldsAsTheWireFormatSays) {
  ProtoMessage inner;
  inner.Int(1, 150);
  EXPECT_EQ(inner.bytes(), "\x08\x96\x01");  // the example of the format's description
  EXPECT_EQ(ProtoMessage().Message(3, inner).bytes(), "\x1a\x03\x08\x96\x01");
  EXPECT_EQ(ProtoMessage().Bytes(2, "testing").bytes(), "\x12\x07testing");
  EXPECT_EQ(ProtoMessage().Int(20, 1).bytes(), "\xa0\x01\x01");
  EXPECT_EQ(ProtoMessage().Int(1, -1).bytes(), "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

TEST(ModelToOnnx, NamesTheColumnWhoseTextIsNotUtf8) {
  EXPECT_EQ(ComplaintAbout(Exportable()), "");
  const std::string complaint = ComplaintAbout(SmallModel(Task::kClassification));
  EXPECT_NE(complaint.find("column 'color'"), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("UTF-8"), std::string::npos) << complaint;
  ModelContent content = Exportable();
  content.target.classes[0] = "\xE9";
  EXPECT_NE(ComplaintAbout(content).find("column 'kind'"), std::string::npos);
}

TEST(ModelToOnnx, NamesTheColumnWithAnEmptyText) {
  ModelContent content = Exportable();
  content.features[2].encoding.levels[0] = "";
  EXPECT_NE(ComplaintAbout(content).find("column 'color' has an empty text"), std::string::npos);
}

TEST(ModelToOnnx, NamesTheColumnWhoseTextsAreHashed) {
  ModelContent content = Exportable();
  content.features[2].encoding.hash_buckets = 16;
  EXPECT_NE(ComplaintAbout(content).find("column 'color' has so many texts"), std::string::npos);
}

TEST(ModelToOnnx, LabelsAreThoseOfTheFile) {
  ModelContent content = Exportable();
  content.target.type = ColumnType::kNumeric;
  content.target.class_values = {7001, 7002, 7003};
  content.target.classes = {"7001", "7002", "7003"};
  EXPECT_EQ(ModelToOnnx(content).find("7002"), std::string::npos) << "whole numbers";
  content.target.classes = {"07001", "07002", "07003"};
  EXPECT_NE(ModelToOnnx(content).find("07002"), std::string::npos) << "as the file writes them";
  content.target.type = ColumnType::kBoolean;
  content.target.class_values = {0, 1};
  content.target.classes = {"no", "yes", "07003"};
  EXPECT_NE(ModelToOnnx(content).find("yes"), std::string::npos);
}

TEST(ModelToOnnx, HasAnInputForEachColumn) {
  const std::string bytes = ModelToOnnx(Exportable());
  for (const char* name : {"amount", "day", "color", "label", "probabilities", "LabelEncoder"}) {
    EXPECT_NE(bytes.find(name), std::string::npos) << name;
  }
  EXPECT_EQ(bytes.find("label_"), std::string::npos);
  ModelContent content = Exportable();
  content.features[0].encoding.name = "label";
  EXPECT_NE(ModelToOnnx(content).find("label_"), std::string::npos);
}

}  // namespace
}  // namespace slm
