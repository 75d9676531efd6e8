#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include "tests/engine/program.h"
#include "tests/registry.h"

using namespace earwright::tests;

namespace {

constexpr int kMostLines = 120; // of README.md
constexpr int kMostCharacters = 7000;

QString textOf(const QString& page)
{
    QFile file(QString(EARWRIGHT_SOURCE_DIR) + "/" + page);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QStringList pages()
{
    QStringList found { "README.md", "CONTRIBUTING.md", "SECURITY.md", "configs/README.md",
        "core/README.md", "tests/README.md", "tests/gpu/README.md" };
    const QDir folder(QString(EARWRIGHT_SOURCE_DIR) + "/docs");
    for (const QString& name : folder.entryList({ "*.md" }, QDir::Files))
        found += "docs/" + name;
    return found;
}

/// The lines of a page's code blocks, without their comments.
QStringList codeOf(const QString& text)
{
    QStringList lines;
    bool isCode = false;
    for (const QString& line : text.split('\n')) {
        if (line.startsWith("```"))
            isCode = !isCode;
        else if (isCode)
            lines += line.section(QRegularExpression("\\s#"), 0, 0).trimmed();
    }
    return lines;
}

const QStringList& userPages()
{
    static const QStringList found = [] {
        QStringList names = pages().filter(QRegularExpression("^docs/"));
        return names += { "README.md", "configs/README.md" };
    }();
    return found;
}

} // namespace

/// The pages that users read agree with the tree and with the program.
class TstPages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readme_isShort();
    void link_leadsToAFile_data();
    void link_leadsToAFile();
    void command_isOneOfTheProgram_data();
    void command_isOneOfTheProgram();
};

void TstPages::readme_isShort()
{
    const QString text = textOf("README.md");
    QVERIFY(!text.isEmpty());
    QVERIFY2(text.count('\n') <= kMostLines, qPrintable(QString::number(text.count('\n'))));
    QVERIFY2(text.size() <= kMostCharacters, qPrintable(QString::number(text.size())));
}

void TstPages::link_leadsToAFile_data()
{
    QTest::addColumn<QString>("page");
    for (const QString& page : pages())
        QTest::newRow(qPrintable(page)) << page;
}

void TstPages::link_leadsToAFile()
{
    QFETCH(QString, page);
    const QString text = textOf(page);
    QVERIFY(!text.isEmpty());
    const QDir folder = QFileInfo(QString(EARWRIGHT_SOURCE_DIR) + "/" + page).dir();
    static const QRegularExpression kLink("\\]\\(([^)#: ]+)(#[^)]*)?\\)");
    auto links = kLink.globalMatch(text);
    while (links.hasNext()) {
        const QString target = links.next().captured(1);
        QVERIFY2(folder.exists(target), qPrintable(page + " leads to no file: " + target));
    }
}

void TstPages::command_isOneOfTheProgram_data()
{
    QTest::addColumn<QString>("line");
    for (const QString& page : userPages())
        for (const QString& line : codeOf(textOf(page)))
            if (line.startsWith("earwright "))
                QTest::addRow("%s: %s", qPrintable(page), qPrintable(line)) << line;
}

/// The command exists and its help names each option; what holds '=' may be a key of the recipe.
void TstPages::command_isOneOfTheProgram()
{
    QFETCH(QString, line);
    const QStringList words = line.split(' ', Qt::SkipEmptyParts);
    const Ended help = runEarwright({ words.value(1), "--help" });
    QVERIFY2(help.code == 0, qPrintable(help.errors));
    for (const QString& word : words)
        if (word.startsWith("--") && !word.contains('='))
            QVERIFY2(help.output.contains(word), qPrintable("--help says nothing of " + word));
}

EARWRIGHT_TEST(TstPages)
#include "tst_pages.moc"
