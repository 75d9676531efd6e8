#include "tests/files.h"
#include "tests/registry.h"

#include "core/base/file.h"
#include "core/recipe/resolve.h"
#include "core/run/event_log.h"
#include "core/run/follower.h"
#include "core/run/utterances.h"
#include "core/score/text_scores.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/report.h"

#include <QFileDialog>
#include <QTemporaryDir>

using namespace earwright;
using namespace earwright::ui;

namespace {

constexpr int kUtterances = 120;

/// Utterances of two words, of which the last `wrong` have one wrong.
std::vector<run::Utterance> heardWith(int wrong)
{
    std::vector<run::Utterance> rows;
    for (int i = 0; i < kUtterances; ++i) {
        const score::TextPair pair { "u" + std::to_string(i), "lights on",
            i < kUtterances - wrong ? "lights on" : "lights off" };
        const score::TextScores scores = score::scoreTexts({ pair }, score::WordSplit::WhiteSpace);
        rows.push_back({ .id = pair.id,
            .reference = pair.reference,
            .hypothesis = pair.hypothesis,
            .byWord = score::summarise(scores.byWord),
            .byCharacter = score::summarise(scores.byCharacter) });
    }
    return rows;
}

/// A finished run that was tested, as training leaves it.
void writeRun(const QString& path, int wrong)
{
    plan::Plan plan;
    plan.name = "lights";
    plan.recipeFile = "lights.yaml";
    plan.recipeText = "lr: 0.1\n";
    plan.recipe = recipe::resolve(plan.recipeText, plan.recipeFile, {}).root;
    plan.devices = { "cpu" };
    const auto folder = run::createRunFolder(path.toStdString(), plan);
    QVERIFY2(folder, folder ? "" : folder.error().message.c_str());
    const auto writer = run::EventWriter::open(folder->events(0), 0);
    QVERIFY(writer);
    const run::Evaluated evaluated { .split = "test",
        .epoch = 1,
        .step = 10,
        .wer = 50.0 * wrong / kUtterances,
        .alignmentsFile = "alignments/test.txt" };
    std::filesystem::create_directories(folder->alignments());
    QVERIFY(writeFileAtomically(
        run::utterancesFile(*folder, evaluated), run::utterancesText(heardWith(wrong))));
    (*writer)->write({ 1000, run::RunStarted { .name = "lights", .devices = { "cpu" } } });
    (*writer)->write({ 1010, run::Scalar { "train/loss", 10, 1 } });
    (*writer)->write({ 1020, evaluated });
    (*writer)->write({ 1020, run::Finished { "done", "" } });
    (*writer)->flush();
}

} // namespace

/// What a report says of run folders.
class TstCompareReport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void verdicts_standInTheReport();
    void verdicts_standInThePagesReport();

private:
    QTemporaryDir m_folder;
};

void TstCompareReport::verdicts_standInTheReport()
{
    QStringList runs;
    for (const auto& [name, wrong] : { std::pair { "right", 5 }, std::pair { "alike", 5 },
             std::pair { "wrong", 60 }, std::pair { "gone", 5 } }) {
        runs << m_folder.filePath(QLatin1String(name));
        writeRun(runs.last(), wrong);
    }
    QVERIFY(QFile::remove(runs[3] + QStringLiteral("/alignments/test-utterances.tsv")));
    const QString file = m_folder.filePath(QStringLiteral("report.svg"));
    QCOMPARE(runReport(file, runs), 0);
    const QByteArray svg = bytesOf(file);
    for (const char* said : { "wrong is worse by ", "alike: no difference beyond chance (p = 1.00",
             "gone: no verdict: " })
        QVERIFY2(svg.contains(said), said);
    QVERIFY(!svg.contains("right is "));
    QCOMPARE(runReport(file, { runs[0] }), 0); // nothing to compare
    QVERIFY(!bytesOf(file).contains("verdict"));
}

/// Of the baseline that is chosen there.
void TstCompareReport::verdicts_standInThePagesReport()
{
    std::vector<CompareRun> runs;
    for (const auto& [name, wrong] : { std::pair { "poor", 60 }, std::pair { "good", 5 } }) {
        const QString path = m_folder.filePath(QLatin1String(name));
        writeRun(path, wrong);
        run::Follower follower(run::RunFolder { path.toStdString() });
        QVERIFY(follower.poll());
        runs.push_back({ path, QLatin1String(name), Qt::red,
            std::make_shared<const run::Snapshot>(follower.snapshot()) });
    }
    ComparePage page;
    page.setRuns(runs);
    page.setBaseline(runs[1].path);
    page.openExport();
    auto* dialog = page.findChild<QFileDialog*>();
    QVERIFY(dialog);
    const QString file = m_folder.filePath(QStringLiteral("page.svg"));
    Q_EMIT dialog->fileSelected(file);
    QTRY_VERIFY(QFile::exists(file));
    QVERIFY(bytesOf(file).contains("poor is worse by "));
}

EARWRIGHT_TEST(TstCompareReport)
#include "tst_compare_report.moc"
