#include "core/settings/adapted_object.h"

#include "core/catalog/catalog.h"
#include "core/catalog/configs/adapters.h"
#include "core/catalog/read.h"

namespace earwright::settings {

recipe::NodePtr adaptedObject(const recipe::NodePtr& object)
{
    recipe::NodePtr found = object;
    while (found) {
        const catalog::ClassInfo* info = catalog::findClass(recipe::newClass(*found));
        if (!info || info->name != catalog::kAdaptedModel)
            break;
        std::vector<recipe::Diagnostic> reportedByTheCheck;
        const auto config
            = catalog::readConfig<catalog::AdaptedModelConfig>(*found, reportedByTheCheck);
        if (!config.modelToAdapt)
            break;
        found = config.modelToAdapt;
    }
    return found;
}

} // namespace earwright::settings
