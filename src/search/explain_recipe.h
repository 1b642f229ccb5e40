#pragma once

// A recipe for people and for programs: a line for each run, and what becomes of the runs.

#include <string>

#include "base/json.h"
#include "search/recipe.h"

namespace slm {

std::string RecipeText(const Recipe& recipe);
Json RecipeJson(const Recipe& recipe);  // schema slm.recipe/1

}  // namespace slm
