// The state of a computation: checkpoints, and the pieces inside them.

#include <algorithm>
#include <string>

#include "base/archive.h"
#include "base/checkpoint.h"
#include "jobs/choice_archive.h"
#include "jobs/journal.h"
#include "mask/trainer.h"
#include "nn/fit.h"
#include "nn/mlp.h"
#include "nn/model_archive.h"
#include "slm/errors.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/state_seed.h"
#include "tests/fuzz/targets.h"

namespace slm {
namespace {

// Predictions of a model that was read touch every index in it.
void Use(const Model& model) {
  if (model.predictor != nullptr) Scores(model, SeedProblem().train);
}

// One of the pieces that checkpoints hold, by number.
void ReadPiece(int piece, Archive& archive) {
  const Problem& problem = SeedProblem();
  const ModelBounds bounds{problem.layout.columns(), problem.train.y.outputs()};
  Choice choice;
  RunResult run;
  FitResult fit;
  Trial trial;
  switch (piece) {
    case 0:
      Serialize(archive, choice, problem, kSeedCount);
      return Use(choice.model);
    case 1:
      Serialize(archive, run, problem);
      return Use(run.model);
    case 2:
      Serialize(archive, fit, bounds);
      return Use(fit.model);
    case 3:
      return Serialize(archive, trial);
    default:
      SerializeTraining(archive, *MakePredictor(bounds.columns, bounds.outputs, piece - 4, 3,
                                                RandomStream(1, 0)));
  }
}

}  // namespace

void FuzzCheckpoint(std::string_view bytes) {
  constexpr double kNever = 1e6;  // seconds until it is written
  const MemoryFile file(WithChecksum(bytes));
  const Checkpoint checkpoint(file.path(), SeedIdentity(), /*resume=*/true, kNever);
  for (int piece = 0; piece < kPieces; ++piece) {
    for (bool finished : {true, false}) {
      auto read = [&](Archive& archive) { ReadPiece(piece, archive); };
      const std::string name = std::to_string(piece);
      try {
        finished ? checkpoint.FindFinished(name, read) : checkpoint.FindSnapshot(name, read);
      } catch (const CheckpointFailure&) {  // it does not fit
      }
    }
  }
}

void FuzzArchive(std::string_view bytes) {
  if (bytes.empty()) return;
  const int piece = static_cast<unsigned char>(bytes[0]) % kPieces;
  Archive archive(bytes.substr(1));
  ReadPiece(piece, archive);
  archive.End();
}

}  // namespace slm
