#include "core/catalog/argument_value.h"
#include "core/check/rules/rules.h"
#include "core/check/search_setting.h"
#include "core/check/tree.h"

namespace earwright::check::rules {

void searches(const Context& context, Diagnostics& found)
{
    if (context.options.task != "ctc_attention")
        return;
    for (const char* key : { "valid_search", "test_search" }) {
        const recipe::Entry* search = findEntry(context.root, key);
        if (search && !recipe::isNull(*search->value) && !catalog::isUndetermined(*search->value))
            readSearch(context.root, *search, found);
    }
}

} // namespace earwright::check::rules
