#include "ui/editor/recipe_template.h"

#include "core/recipe/parse.h"
#include "core/recipe/resolve.h"

#include <QCoreApplication>
#include <QDirIterator>
#include <QFile>

namespace earwright::ui {
namespace {

const QString kRoot = QStringLiteral(":/earwright/templates/");

/// A line that goes on in the next is one with it; one that ends a sentence ends a paragraph.
QString leadingComment(const QString& text)
{
    QString comment;
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        if (!line.startsWith(QLatin1Char('#')))
            break;
        if (!comment.isEmpty())
            comment += QLatin1Char(comment.endsWith(QLatin1Char('.')) ? '\n' : ' ');
        comment += line.mid(1).trimmed();
    }
    return comment;
}

/// A scalar as YAML writes it: "a: b" has to be quoted.
std::string asScalar(const QString& value)
{
    std::string text = recipe::emitYaml(*recipe::makeScalar(value.toStdString()));
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text;
}

RecipeTemplate fineTuning()
{
    return { .name = QStringLiteral("pretrained/fine_tuned"),
        .description = QCoreApplication::translate("earwright",
            "Trains a pretrained model on with your recordings: Whisper, or an encoder by CTC.\n"
            "Model: a folder with config.json and its weights, as the Hub has Whisper, wav2vec "
            "2.0, HuBERT, WavLM, data2vec and w2v-BERT 2.0.\n"
            "Data: a folder with train.csv and dev.csv, or a CSV with the columns wav and text.\n"
            "Language: of the texts, for a Whisper of many languages alone."),
        .text = {},
        .settings
        = { QLatin1String(kTunedModel), QLatin1String(kTunedData), QLatin1String(kTunedLanguage) },
        .values = {},
        .isFineTuning = true };
}

} // namespace

RecipeTemplate readTemplate(const QString& name, const QString& text)
{
    RecipeTemplate made { .name = name,
        .description = leadingComment(text),
        .text = text,
        .settings = {},
        .values = {} };
    const recipe::NodePtr root = recipe::parse(text.toStdString(), {}).root;
    if (!root)
        return made;
    for (const recipe::Entry& entry : root->entries) {
        const QString key = QString::fromStdString(entry.key->text);
        const bool isPlaceholder = entry.value->tag == "!PLACEHOLDER";
        if (entry.value->kind != recipe::Kind::Scalar
            || (!isPlaceholder && key != QStringLiteral("data_folder")))
            continue;
        made.settings << key;
        if (!isPlaceholder)
            made.values[key] = QString::fromStdString(entry.value->text);
    }
    return made;
}

std::vector<RecipeTemplate> recipeTemplates()
{
    std::vector<RecipeTemplate> all { fineTuning() };
    QDirIterator files(
        kRoot, { QStringLiteral("*.yaml") }, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next()); // built in: no disk is read
        if (file.open(QIODevice::ReadOnly))
            all.push_back(readTemplate(
                file.fileName().mid(kRoot.size()).chopped(5), QString::fromUtf8(file.readAll())));
    }
    std::sort(all.begin(), all.end(),
        [](const RecipeTemplate& a, const RecipeTemplate& b) { return a.name < b.name; });
    return all;
}

QString filledTemplate(const RecipeTemplate& recipe, const QMap<QString, QString>& values)
{
    const std::string text = recipe.text.toStdString();
    const recipe::NodePtr root = recipe::parse(text, {}).root;
    recipe::Fix fix;
    for (auto value = values.begin(); root && value != values.end(); ++value)
        if (const recipe::NodePtr node = recipe::find(*root, value.key().toStdString());
            node && !value->isEmpty())
            fix.edits.push_back({ node->span, asScalar(*value) });
    return QString::fromStdString(recipe::applyFix(text, fix));
}

} // namespace earwright::ui
