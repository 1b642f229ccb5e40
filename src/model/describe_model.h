#pragma once

#include "base/json.h"
#include "model/content.h"

namespace slm {

// What a model is, without the numbers of its layers; schema slm.model/1.
Json ModelToJson(const ModelContent& content);

// The chosen features, best first.
std::vector<const ChosenFeature*> ByRank(const ModelContent& content);

}  // namespace slm
