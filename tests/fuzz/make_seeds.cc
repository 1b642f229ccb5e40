// Usage: make_seeds CORPUS
//
// Writes the good seeds of formats that only this library writes: models, and what checkpoints
// hold. To be run, and its files committed, when one of these formats changes.

#include <cstdio>
#include <filesystem>
#include <numeric>
#include <string>

#include "base/archive.h"
#include "base/checkpoint.h"
#include "base/output.h"
#include "jobs/choice_archive.h"
#include "jobs/journal.h"
#include "mask/trainer.h"
#include "model/model_file.h"
#include "model/tensor_file.h"
#include "nn/mlp.h"
#include "nn/model_archive.h"
#include "tests/fuzz/resumed_runs.h"
#include "tests/fuzz/state_seed.h"
#include "tests/fuzz/targets.h"
#include "tests/model/small_model.h"

namespace slm {
namespace {

constexpr int32_t kSeedFeatures[kSeedCount] = {0, 3};

Model SomeModel(int layers) {
  const Problem& problem = SeedProblem();
  Model model;
  model.columns = problem.layout.ColumnsOf(kSeedFeatures);
  model.inputs.resize(model.columns.size());
  std::iota(model.inputs.begin(), model.inputs.end(), 0);
  model.scale.assign(model.columns.size(), 0.5f);
  model.predictor =
      MakePredictor(model.columns.size(), problem.train.y.outputs(), layers, 4, RandomStream(5, 0));
  return model;
}

// The bytes of a piece; its kinds are those of state_targets.cc.
std::string PieceBytes(int piece) {
  const Problem& problem = SeedProblem();
  const size_t d = problem.layout.features();
  const ModelBounds bounds{problem.layout.columns(), problem.train.y.outputs()};
  Archive archive;
  Choice choice{{3, 0}, std::vector<float>(d, 0.5f), std::vector<float>(d, 1), SomeModel(1)};
  RunResult run{{0, 3}, {1, 0.5f}, std::vector<float>(d, 0), SomeModel(2), {}, {{2, {0, 3}, {}}}};
  FitResult fit{SomeModel(0), {0.75, 0.5}};
  Trial trial;
  trial.settings = {{"rate", "0.5"}};
  trial.selected = {{1, "text", 3, 0.5f}, {2, "a", 0, 0.25f}};
  trial.selected[0].kept = true;
  trial.selected[1].columns = {"a", "b"};
  switch (piece) {
    case 0:
      Serialize(archive, choice, problem, kSeedCount);
      break;
    case 1:
      Serialize(archive, run, problem);
      break;
    case 2:
      Serialize(archive, fit, bounds);
      break;
    case 3:
      Serialize(archive, trial);
      break;
    default:
      SerializeTraining(archive, *MakePredictor(bounds.columns, bounds.outputs, piece - 4, 3,
                                                RandomStream(1, 0)));
  }
  return archive.Take();
}

// Of runs at their end, and of runs that were stopped on the way.
void MakeResumedSeeds(const std::string& corpus) {
  for (const auto& [label, asks] : {std::pair{"end", 1 << 30}, {"early", 8}, {"late", 50}}) {
    char which = 0;
    for (const ResumedRun& run : CheckpointedRuns()) {
      const std::string content = run.state(asks);
      const std::string path = corpus + "/resume/good-" + std::string(run.name) + "-" + label;
      if (content.size() < kLongestInput) WriteFile(path, std::string(1, which) + content);
      ++which;
    }
  }
  WriteFile(corpus + "/resume_journal/good", JournaledRun().state(1 << 30));
}

void MakeSeeds(const std::string& corpus) {
  for (Task task : {Task::kClassification, Task::kRegression}) {
    const bool classes = task == Task::kClassification;
    const std::string name = classes ? "good-classes" : "good-values";
    const std::string model = WriteModel(SmallModel(task, std::vector<size_t>(classes ? 1 : 0, 4)));
    WriteFile(corpus + "/model/" + name, model);
    WriteFile(corpus + "/description/" + name, *TensorReader(model).FindText("slm"));
  }
  const std::string path = corpus + "/checkpoint/good";
  std::filesystem::remove(path);
  Checkpoint checkpoint(path, SeedIdentity(), /*resume=*/false, 1e6);
  for (int piece = 0; piece < kPieces; ++piece) {
    const std::string bytes = PieceBytes(piece);
    WriteFile(corpus + "/archive/good-" + std::to_string(piece),
              std::string(1, static_cast<char>(piece)) + bytes);
    // A piece whose bytes are there already.
    auto write = [&](Archive& archive) {
      for (char c : bytes) archive.Value(c);
    };
    if (piece < 4) {
      checkpoint.Finish(std::to_string(piece), write);
    } else {
      checkpoint.Snapshot(std::to_string(piece), write);
    }
  }
  checkpoint.Flush();
  MakeResumedSeeds(corpus);
}

}  // namespace
}  // namespace slm

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: make_seeds CORPUS\n", stderr);
    return 2;
  }
  slm::MakeSeeds(argv[1]);
  return 0;
}
