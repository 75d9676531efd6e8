#include "core/check/check.h"

#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace kymo;

// Runs over SpeechBrain's own recipes in the folder upstream/ of KYMO_RECIPES_DIR.

namespace {

QStringList recipeFiles()
{
    QStringList files;
    QDirIterator found(qEnvironmentVariable("KYMO_RECIPES_DIR") + "/upstream", { "*.yaml" },
        QDir::Files, QDirIterator::Subdirectories);
    while (found.hasNext())
        files << found.next();
    files.sort();
    return files;
}

std::string readText(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

std::vector<recipe::Diagnostic> diagnosticsOf(const QString& path, const std::string& text)
{
    check::Request request;
    request.text = text;
    request.fileName = path.toStdString();
    request.checkFiles = false;
    return check::check(request, check::Machine()).diagnostics;
}

bool hasCoverageError(const std::vector<recipe::Diagnostic>& diagnostics, const std::string& about)
{
    for (const recipe::Diagnostic& diagnostic : diagnostics)
        if (diagnostic.severity == recipe::Severity::Error
            && diagnostic.rule.starts_with("coverage")
            && diagnostic.message.find(about) != std::string::npos)
            return true;
    return false;
}

/// The recipe without the line "    ctc_lin: !ref <ctc_lin>" below `modules`, "" where it has none.
std::string withoutCtcLin(const std::string& text)
{
    static const QRegularExpression entry(
        R"(^(modules:[^\n]*\n(?:[ \t#][^\n]*\n|\n)*?)[ \t]+ctc_lin: *!ref <ctc_lin>[^\n]*\n)",
        QRegularExpression::MultilineOption);
    QString edited = QString::fromStdString(text);
    const auto match = entry.match(edited);
    if (!match.hasMatch())
        return "";
    edited.replace(match.capturedStart(), match.capturedLength(), match.captured(1));
    return edited.toStdString();
}

} // namespace

class TstCheckUpstream : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void ctcLinDroppedFromModules_isAlwaysFound();
    void unmodifiedRecipes_areRarelyAccused();
    void everyClass_isKnown();
    void largestRecipe_isCheckedWithin50ms();
};

void TstCheckUpstream::initTestCase()
{
    if (qEnvironmentVariableIsEmpty("KYMO_RECIPES_DIR"))
        QSKIP("KYMO_RECIPES_DIR is not set: no upstream recipes to check");
    QVERIFY2(recipeFiles().size() > 10, "KYMO_RECIPES_DIR holds no recipes");
}

void TstCheckUpstream::ctcLinDroppedFromModules_isAlwaysFound()
{
    int dropped = 0;
    for (const QString& file : recipeFiles()) {
        const std::string text = withoutCtcLin(readText(file));
        if (text.empty())
            continue;
        ++dropped;
        QVERIFY2(hasCoverageError(diagnosticsOf(file, text), "ctc_lin"), qPrintable(file));
    }
    qInfo("ctc_lin dropped from %d recipes", dropped);
    QVERIFY(dropped > 10);
}

void TstCheckUpstream::unmodifiedRecipes_areRarelyAccused()
{
    QStringList accused;
    for (const QString& file : recipeFiles())
        if (hasCoverageError(diagnosticsOf(file, readText(file)), ""))
            accused << file;
    QVERIFY2(accused.size() <= 5, qPrintable(accused.join('\n')));
}

void TstCheckUpstream::everyClass_isKnown()
{
    // Classes of a recipe's own folder ("custom_model.Xvector") cannot be known; they must be no
    // errors.
    for (const QString& file : recipeFiles())
        for (const recipe::Diagnostic& diagnostic : diagnosticsOf(file, readText(file)))
            if (diagnostic.rule == "unknown-class")
                QVERIFY2(diagnostic.severity == recipe::Severity::Warning
                        && diagnostic.message.find("speechbrain.") == std::string::npos,
                    qPrintable(file + ": " + QString::fromStdString(diagnostic.message)));
}

void TstCheckUpstream::largestRecipe_isCheckedWithin50ms()
{
    QString largest;
    for (const QString& file : recipeFiles())
        if (readText(file).size() > readText(largest).size())
            largest = file;
    const std::string text = readText(largest);
    qint64 best = 1000;
    for (int repeat = 0; repeat < 5; ++repeat) {
        QElapsedTimer timer;
        timer.start();
        diagnosticsOf(largest, text);
        best = std::min(best, timer.elapsed());
    }
    qInfo("%s: %lld ms", qPrintable(largest), best);
    QVERIFY(best < 50);
}

QTEST_GUILESS_MAIN(TstCheckUpstream)
#include "tst_check_upstream.moc"
