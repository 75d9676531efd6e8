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
    bool isFineTuning = false; ///< data::writeFineTuning() makes it, of the settings below
};

/// The settings of one that trains a pretrained model on.
inline constexpr const char* kTunedModel = "model_folder";
inline constexpr const char* kTunedData = "data";
inline constexpr const char* kTunedLanguage = "language"; ///< of a Whisper of many languages

/// Those built into the program (configs/) and the one that trains a pretrained model on, by name.
std::vector<RecipeTemplate> recipeTemplates();
/// As recipeTemplates() reads one.
RecipeTemplate readTemplate(const QString& name, const QString& text);

/// The template's text with the values of top-level settings written into it, quoted where YAML
/// asks for that; everything else stays as it is.
QString filledTemplate(const RecipeTemplate& recipe, const QMap<QString, QString>& values);

} // namespace earwright::ui
