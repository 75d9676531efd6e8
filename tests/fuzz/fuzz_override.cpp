// Words of a command line, one a line; after an empty line the recipe they are for.
#include "core/base/text.h"
#include "core/check/accepted_keys.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/recipe_properties.h"

using namespace earwright;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::string_view input = fuzz::textOf(data, size);
    const size_t gap = std::min(input.find("\n\n"), input.size());
    const std::string text(input.substr(std::min(gap + 2, input.size())));
    const auto overrides = recipe::parseOverrides(split(input.substr(0, gap), '\n'));
    if (!overrides) {
        fuzz::require(!overrides.error().message.empty(), "a word is refused with a reason");
        return 0;
    }
    recipe::ResolveOptions options = check::resolveOptions();
    options.readInclude = fuzz::includesOf(text).readInclude;
    const recipe::Resolved resolved = recipe::resolve(text, "x.yaml", *overrides, options);
    const std::string broken = fuzz::brokenProperty(resolved, text);
    fuzz::require(broken.empty(), "recipe", broken);
    return 0;
}
