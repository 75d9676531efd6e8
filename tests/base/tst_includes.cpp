#include "tests/registry.h"

#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTest>

namespace {

/// core/README.md, "Includes go one way": a folder includes from those behind it, and from all that
/// these reach.
const QMap<QString, QStringList> kBehind {
    { "app", { "ui/session", "engine", "lsp" } },
    { "ui/session", { "ui/compare", "ui/editor", "ui/launch", "ui/utterances" } },
    { "ui/compare", { "ui/monitor" } },
    { "ui/monitor", { "ui/runs" } },
    { "ui/utterances", { "ui/widgets" } },
    { "ui/runs", { "ui/widgets" } },
    { "ui/editor", { "ui/widgets" } },
    { "ui/launch", { "ui/widgets" } },
    { "ui/widgets", { "language", "run", "data" } },
    { "engine", { "train" } },
    { "tasks/train", { "train" } },
    { "train", { "decode", "distributed", "precision" } },
    { "decode", { "model", "score" } },
    { "model", { "data" } },
    { "data", { "check" } },
    { "distributed", { "run", "cuda" } },
    { "cuda", { "base" } },
    { "run", { "plan", "score" } },
    { "plan", { "check" } },
    { "lsp", { "language" } },
    { "language", { "check" } },
    { "check", { "adapter" } },
    { "adapter", { "tasks" } },
    { "tasks", { "settings" } },
    { "settings", { "catalog" } },
    { "catalog", { "recipe" } },
    { "recipe", { "base" } },
    { "precision", { "base" } },
    { "score", { "base" } },
    { "base", {} },
};

/// "check" of "core/check/rules/task.cpp", "ui/runs" of "ui/runs/capsules.h"; "tasks/train" of what
/// a task's folder has for Torch.
QString folderOf(const QString& file)
{
    if (file.startsWith("core/tasks/") && QFileInfo(file).fileName().startsWith("task")
        && !file.endsWith(".inc"))
        return "tasks/train";
    if (file.startsWith("ui/"))
        return file.section('/', 0, 1);
    return file.startsWith("core/") ? file.section('/', 1, 1) : file.section('/', 0, 0);
}

bool isReached(const QString& from, const QString& wanted)
{
    const QStringList behind = kBehind.value(from);
    return behind.contains(wanted)
        || std::any_of(behind.begin(), behind.end(),
            [&](const QString& folder) { return isReached(folder, wanted); });
}

/// Those in quotes: the project's own.
QStringList includesOf(const QString& path)
{
    static const QRegularExpression line(
        "^\\s*#\\s*include\\s*\"([^\"]+)\"", QRegularExpression::MultilineOption);
    QFile file(path);
    if (!file.open(QFile::ReadOnly))
        qFatal("cannot read %s", qPrintable(path));
    QStringList included;
    for (auto found = line.globalMatch(QString::fromUtf8(file.readAll())); found.hasNext();)
        included << found.next().captured(1);
    return included;
}

/// "ui/x.h: core/train/y.h" of each include of app, core and ui that `isAllowed` refuses.
QStringList offenders(bool isAllowed(const QString& from, const QString& included))
{
    QStringList found;
    for (const char* root : { "app", "core", "ui" }) {
        QDirIterator files(QStringLiteral(EARWRIGHT_SOURCE_DIR "/") + root, { "*.h", "*.cpp" },
            QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = files.next();
            const QString file = path.mid(int(sizeof(EARWRIGHT_SOURCE_DIR)));
            for (const QString& included : includesOf(path))
                if (!isAllowed(folderOf(file), folderOf(included)))
                    found << file + ": " + included;
        }
    }
    return found;
}

} // namespace

class TstIncludes final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void folders_includeOneWay()
    {
        QVERIFY(!offenders([](const QString&, const QString&) { return false; }).isEmpty());
        const QStringList wrong = offenders([](const QString& from, const QString& included) {
            return from == included || isReached(from, included);
        });
        QCOMPARE(wrong.join('\n'), QString());
    }
};

EARWRIGHT_TEST(TstIncludes)
#include "tst_includes.moc"
