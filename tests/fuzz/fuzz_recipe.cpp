// Text -> tree -> resolved tree -> text, and again.
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/recipe_properties.h"

using namespace earwright;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::string text(fuzz::textOf(data, size));
    const recipe::Resolved resolved = recipe::resolve(text, "x.yaml", {}, fuzz::includesOf(text));
    const std::string broken = fuzz::brokenProperty(resolved, text);
    fuzz::require(broken.empty(), "recipe", broken);
    return 0;
}
