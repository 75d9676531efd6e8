#pragma once

#include "core/base/result.h"
#include "core/recipe/node.h"

#include <QString>

namespace earwright::ui {

/// Something that can be compared as a recipe.
struct RecipeSource {
    enum Kind {
        Text, ///< as it stands in the editor, `text`
        File, ///< as it was saved
        Run ///< as a run used it, overrides applied; `path` is its folder
    };
    Kind kind = Text;
    QString name; ///< what the list of sources says
    QString path {}; ///< of the file, where relative includes start; of the run's folder
    QString text {};
};

/// The resolved tree. Reads the disk: to be called off the GUI thread. The error says what cannot
/// be read or resolved.
Result<recipe::NodePtr> resolvedTree(const RecipeSource& source);

} // namespace earwright::ui
