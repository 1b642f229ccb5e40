#pragma once

// The makers behind the catalog, one for each method's file.

#include <memory>

#include "slm/selector.h"

namespace slm {

std::unique_ptr<Selector> MakeAdversarial();
std::unique_ptr<Selector> MakeAnova();
std::unique_ptr<Selector> MakeAuto();
std::unique_ptr<Selector> MakeBestSubset();
std::unique_ptr<Selector> MakeBoruta();
std::unique_ptr<Selector> MakeCmim();
std::unique_ptr<Selector> MakeConcreteAutoencoder();
std::unique_ptr<Selector> MakeDisMi();
std::unique_ptr<Selector> MakeExtraTrees();
std::unique_ptr<Selector> MakeFisher();
std::unique_ptr<Selector> MakeFsNet();
std::unique_ptr<Selector> MakeGroupLassoNetwork();
std::unique_ptr<Selector> MakeHsicLasso();
std::unique_ptr<Selector> MakeJmim();
std::unique_ptr<Selector> MakeLasso();
std::unique_ptr<Selector> MakeLassoNet();
std::unique_ptr<Selector> MakeLinear();
std::unique_ptr<Selector> MakeMcp();
std::unique_ptr<Selector> MakeMi();
std::unique_ptr<Selector> MakeMrmr();
std::unique_ptr<Selector> MakeOmp();
std::unique_ptr<Selector> MakePermutation();
std::unique_ptr<Selector> MakePfa();
std::unique_ptr<Selector> MakeRandom();
std::unique_ptr<Selector> MakeRandomForest();
std::unique_ptr<Selector> MakeReliefF();
std::unique_ptr<Selector> MakeRfe();
std::unique_ptr<Selector> MakeScad();
std::unique_ptr<Selector> MakeSequentialAttention();
std::unique_ptr<Selector> MakeSfs();
std::unique_ptr<Selector> MakeSlm();
std::unique_ptr<Selector> MakeSlmHsic();
std::unique_ptr<Selector> MakeSoftmaxTopK();
std::unique_ptr<Selector> MakeSparsemaxFree();
std::unique_ptr<Selector> MakeStg();
std::unique_ptr<Selector> MakeSvmRfe();
std::unique_ptr<Selector> MakeVariance();
std::unique_ptr<Selector> MakeXgboost();

}  // namespace slm
