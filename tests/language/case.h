#pragma once

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/language/document.h"
#include "tests/expected.h"

#include <QDir>
#include <QTest>

/// Fixtures of tests/cases/language: NAME.yaml, its caret shown as "§", and NAME.expected
/// (tests/expected.h). The first line may say what to do: "# do: rename new_name".
namespace earwright::language::test {

struct Case {
    std::string text; ///< without the caret
    recipe::Position caret;
    std::string argument; ///< behind "# do: "
    QString expectedFile;
};

inline QString folder(const QString& name)
{
    return QString(EARWRIGHT_CASES_DIR) + "/language/" + name;
}

/// One row for each fixture of the folder.
inline void addRows(const QString& folderName)
{
    QTest::addColumn<QString>("file");
    const QDir dir(folder(folderName));
    for (const QString& file : dir.entryList({ "*.yaml" }, QDir::Files, QDir::Name))
        QTest::newRow(qPrintable(file)) << dir.filePath(file);
}

inline Case readCase(const QString& file)
{
    constexpr std::string_view kCaret = "§";
    constexpr std::string_view kDo = "# do: ";
    Case one;
    one.text = *readFile(file.toStdString());
    one.expectedFile = file.chopped(5) + ".expected";
    if (one.text.starts_with(kDo))
        one.argument = one.text.substr(kDo.size(), one.text.find('\n') - kDo.size());
    const size_t at = one.text.find(kCaret);
    if (at == std::string::npos)
        return one;
    const std::string before = one.text.substr(0, at);
    one.text.erase(at, kCaret.size());
    const auto lines = split(before, '\n');
    one.caret
        = { static_cast<int>(lines.size()), static_cast<int>(codePointCount(lines.back())) + 1 };
    return one;
}

inline check::Request requestFor(const std::string& text, const std::string& fileName)
{
    check::Request request;
    request.text = text;
    request.fileName = fileName;
    request.checkFiles = false;
    return request;
}

/// `file` is where included files are looked for.
inline DocumentPtr documentOf(const std::string& text, const QString& file = "recipe.yaml")
{
    return analyse(requestFor(text, file.toStdString()), check::Machine(), nullptr);
}

inline void compare(const Case& one, const std::string& shown)
{
    compareWithFile(QString::fromStdString(shown), one.expectedFile);
}

/// "3:5-3:9", with the file's name where it is another one.
inline std::string textOf(const recipe::Span& span, const QString& file)
{
    const auto place = [](recipe::Position p) {
        return std::to_string(p.line) + ":" + std::to_string(p.column);
    };
    const std::string name = QFileInfo(QString::fromStdString(span.file)).fileName().toStdString();
    const bool isOther = name != QFileInfo(file).fileName().toStdString();
    return (isOther ? name + ":" : "") + place(span.begin) + "-" + place(span.end);
}

} // namespace earwright::language::test
