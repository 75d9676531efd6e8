#include "core/recipe/arithmetic.h"
#include "core/recipe/limits.h"
#include "core/recipe/python_text.h"
#include "tests/fuzz/fuzz.h"

using namespace earwright;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const auto value = recipe::evaluateArithmetic(fuzz::textOf(data, size));
    if (!value)
        return 0;
    if (!*value) {
        fuzz::require(!value->error().message.empty(), "an error says why");
        return 0;
    }
    const recipe::NodePtr node = recipe::nodeOf(**value);
    fuzz::require(
        recipe::pythonText(*node).size() <= recipe::kMaxArithmeticBytes, "values are small");
    const bool isText = std::holds_alternative<std::string>(**value);
    fuzz::require(isText == (recipe::scalarType(*node) == recipe::ScalarType::String),
        "a text stays a text, a number a number");
    return 0;
}
