#pragma once

#include <QMap>
#include <QString>
#include <QStringList>
#include <vector>

namespace earwright::ui {

/// A shipped recipe that a new one starts from.
struct RecipeTemplate {
    QString name; ///< "fsdd/ctc_conv"
    QString description; ///< the comment that it begins with, a line a paragraph
    QString text;
    QStringList settings; ///< top-level keys to fill in: `data_folder` and every !PLACEHOLDER
    QMap<QString, QString> values; ///< what the template has for them; no entry = a placeholder
};

/// Those built into the program (configs/), by name.
std::vector<RecipeTemplate> recipeTemplates();
/// As recipeTemplates() reads one.
RecipeTemplate readTemplate(const QString& name, const QString& text);

/// The template's text with the values of top-level settings written into it, quoted where YAML
/// asks for that; everything else stays as it is.
QString filledTemplate(const RecipeTemplate& recipe, const QMap<QString, QString>& values);

} // namespace earwright::ui
