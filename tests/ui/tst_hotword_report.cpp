#include "tests/registry.h"
#include "tests/ui/hotword_run.h"
#include "tests/ui/screenshot.h"
#include "ui/monitor/hotword_model.h"
#include "ui/monitor/hotword_panel.h"
#include "ui/monitor/monitor_page.h"
#include "ui/session/engine_thread.h"
#include "ui/widgets/figure_table.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QSignalSpy>
#include <QStyleFactory>
#include <QTemporaryDir>

using namespace earwright;
using namespace earwright::ui;

namespace {

HotwordTablePtr tableOf(const QByteArray& tsv)
{
    Result<std::vector<PhraseCount>> phrases = parseHotwordTable(tsv.toStdString());
    if (!phrases)
        qFatal("%s", phrases.error().message.c_str());
    return std::make_shared<const HotwordTable>(HotwordTable {
        .split = QStringLiteral("test"), .epoch = 4, .phrases = *phrases, .error = {} });
}

QString rowOf(const QAbstractItemModel& model, int row, int firstColumn = HotwordModel::Phrase)
{
    QStringList cells;
    for (int column = firstColumn; column < model.columnCount(); ++column)
        cells << model.index(row, column).data().toString();
    return cells.join(QLatin1Char(' '));
}

QString errorOf(const char* tsv)
{
    const auto phrases = parseHotwordTable(tsv);
    return phrases ? QString() : QString::fromStdString(phrases.error().message);
}

} // namespace

/// How each phrase of a run's list was heard, from its file to the page.
class TstHotwordReport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void table_isReadByTheNamesOfItsColumns();
    void damagedTable_isSaidWithItsLine();
    void phrases_areRowsWithTheirFigures();
    void sameListAgain_keepsTheRows();
    void panel_tellsTheSumOfAllAndOfUnseen();
    void panelWithoutATable_saysWhy();
    void unreadableTable_isSaidOnThePage();
    void phrases_areSortedByNumber();
    void reader_followsTheLatestEvaluation();
    void engineThread_handsTheTableOutAndAgainWhenItChanges();
    void otherRunsTable_isIgnored();
    void screenshots();
};

void TstHotwordReport::initTestCase()
{
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
}

void TstHotwordReport::table_isReadByTheNamesOfItsColumns()
{
    const auto phrases = parseHotwordTable(
        "hotword\tright\tnew\tunseen\theard\tspoken\na\tb c\t1\t?\tyes\t3\t2\n\n");
    QVERIFY(bool(phrases));
    QCOMPARE(phrases->size(), size_t { 1 });
    const PhraseCount& phrase = phrases->front();
    QCOMPARE(phrase.phrase, QStringLiteral("a\tb c")); // a tab of the list's own
    QVERIFY(phrase.isUnseen);
    QCOMPARE(phrase.spoken, int64_t { 2 });
    QCOMPARE(phrase.heard, int64_t { 3 });
    QCOMPARE(phrase.right, int64_t { 1 });
    QVERIFY(parseHotwordTable("")->empty());
    QVERIFY(parseHotwordTable("hotword\tunseen\tspoken\theard\tright\n")->empty());
}

void TstHotwordReport::damagedTable_isSaidWithItsLine()
{
    const QString second
        = QStringLiteral("line 2 does not say how often a hotword was spoken, heard and right");
    QCOMPARE(errorOf("hotword\tunseen\tspoken\theard\tright\n北京\tno\t6\t8"), second);
    QCOMPARE(errorOf("hotword\tunseen\tspoken\theard\tright\n北京\tno\tsix\t8\t5\n"), second);
    QCOMPARE(errorOf("hotword\tunseen\tspoken\theard\tright\n北京\tno\t-1\t8\t5\n"), second);
    QCOMPARE(errorOf("another file\nof\tanother\tkind\n"), second);
}

void TstHotwordReport::phrases_areRowsWithTheirFigures()
{
    HotwordModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setTable(tableOf(hotwordTsv()));
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(rowOf(model, 0), QStringLiteral("北京 seen 6 8 5 83.33 62.50 71.43"));
    QCOMPARE(rowOf(model, 1), QStringLiteral("Open the Menu seen 4 4 4 100.00 100.00 100.00"));
    QCOMPARE(rowOf(model, 2), QStringLiteral("人工智能 unseen 2 1 1 50.00 100.00 66.67"));
    QCOMPARE(
        rowOf(model, 3, HotwordModel::Training), QStringLiteral("unseen 0 0 0 – – –")); // not 0 %
}

void TstHotwordReport::sameListAgain_keepsTheRows()
{
    HotwordModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setTable(tableOf(hotwordTsv()));
    const QPersistentModelIndex row = model.index(2, 0);
    model.setTable(tableOf(hotwordTsv(6)));
    QVERIFY(row.isValid()); // selection and sorting stay
    QCOMPARE(model.index(0, HotwordModel::Right).data().toString(), QStringLiteral("6"));
    model.setTable(tableOf("hotword\tunseen\tspoken\theard\tright\n上海\tno\t1\t1\t1\n"));
    QVERIFY(!row.isValid());
    model.setTable(nullptr);
    QCOMPARE(model.rowCount(), 0);
}

void TstHotwordReport::panel_tellsTheSumOfAllAndOfUnseen()
{
    HotwordPanel panel;
    panel.setTable(tableOf(hotwordTsv()), true);
    QCOMPARE(panel.findChild<QLabel*>(QStringLiteral("hotwordSummary"))->text(),
        QStringLiteral("test, epoch 4: recall 83.33 %, precision 76.92 %, F1 80.00 %\nIn "
                       "no training text: recall 50.00 %, precision 100.00 %, F1 66.67 %"));
    panel.setTable(tableOf("hotword\tunseen\tspoken\theard\tright\n上海\tno\t0\t0\t0\n"), true);
    QCOMPARE(panel.findChild<QLabel*>(QStringLiteral("hotwordSummary"))->text(),
        QStringLiteral("test, epoch 4: none of the hotwords was spoken or heard"));
    panel.setTable(tableOf("hotword\tunseen\tspoken\theard\tright\n上海\tno\t5\t0\t0\n"), true);
    QCOMPARE(panel.findChild<QLabel*>(QStringLiteral("hotwordSummary"))->text(),
        QStringLiteral("test, epoch 4: recall 0.00 %, precision 0.00 %, F1 0.00 %"));
}

void TstHotwordReport::panelWithoutATable_saysWhy()
{
    HotwordPanel panel;
    panel.show();
    const auto shows = [&panel](const char* title) {
        const auto labels = panel.findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [title](const QLabel* label) {
            return label->isVisible() && label->text() == QLatin1String(title);
        });
    };
    QVERIFY(shows("No validation yet"));
    panel.setTable(nullptr, true);
    QVERIFY(shows("No hotwords counted"));
    panel.setTable(tableOf(hotwordTsv()), true);
    QVERIFY(!shows("No hotwords counted"));
}

void TstHotwordReport::unreadableTable_isSaidOnThePage()
{
    HotwordPanel panel;
    HotwordTable broken;
    broken.error = QStringLiteral("cannot read 'x': Permission denied");
    panel.setTable(std::make_shared<const HotwordTable>(broken), true);
    QCOMPARE(panel.findChild<QLabel*>(QStringLiteral("hotwordSummary"))->text(), broken.error);
}

void TstHotwordReport::phrases_areSortedByNumber()
{
    HotwordPanel panel;
    panel.setTable(tableOf(hotwordTsv()), true);
    auto* table = panel.findChild<FigureTable*>(QStringLiteral("hotwordTable"));
    QCOMPARE(
        table->model()->index(0, HotwordModel::Phrase).data().toString(), QStringLiteral("北京"));
    table->sortByColumn(
        HotwordModel::Recall, Qt::AscendingOrder); // what is heard worst comes first
    QStringList recalls;
    for (int row = 0; row < table->model()->rowCount(); ++row)
        recalls << table->model()->index(row, HotwordModel::Recall).data().toString();
    QCOMPARE(recalls.join(QLatin1Char(' ')), QStringLiteral("50.00 83.33 100.00 –"));
}

void TstHotwordReport::reader_followsTheLatestEvaluation()
{
    QTemporaryDir folder;
    const QString alignments = folder.filePath(QStringLiteral("alignments"));
    QVERIFY(QDir().mkpath(alignments));
    HotwordReader reader(run::RunFolder { folder.path().toStdString() });
    run::Snapshot snapshot;
    QVERIFY(!reader.poll(snapshot) && !reader.table());
    run::fold(snapshot, 0, { 1, evaluatedOf({ .epoch = 1 }) });
    QVERIFY(!reader.poll(snapshot) && !reader.table()); // a run without a list
    writeFile(alignments + QStringLiteral("/valid-epoch-1-hotwords.tsv"), hotwordTsv());
    QVERIFY(reader.poll(snapshot));
    QCOMPARE(reader.table()->epoch, int64_t { 1 });
    QCOMPARE(reader.table()->phrases.size(), size_t { 4 });
    QVERIFY(!reader.poll(snapshot)); // nothing new
    writeFile(alignments + QStringLiteral("/valid-epoch-1-hotwords.tsv"), "no such\ttable\n1\t2\n");
    QVERIFY(reader.poll(snapshot));
    QVERIFY2(reader.table()->error.contains(QStringLiteral("valid-epoch-1-hotwords.tsv': line 2")),
        qPrintable(reader.table()->error));
    writeFile(alignments + QStringLiteral("/test-clean-hotwords.tsv"), hotwordTsv(2));
    run::fold(snapshot, 0, { 2, evaluatedOf({ .split = "test-clean", .epoch = 2 }) });
    QVERIFY(reader.poll(snapshot));
    QCOMPARE(reader.table()->split, QStringLiteral("test-clean"));
    QCOMPARE(reader.table()->phrases.front().right, int64_t { 2 });
    run::fold(snapshot, 0, { 3, evaluatedOf({ .epoch = 3 }) });
    QVERIFY(reader.poll(snapshot) && !reader.table());
}

void TstHotwordReport::engineThread_handsTheTableOutAndAgainWhenItChanges()
{
    QTemporaryDir folder;
    const QString run = writeHotwordRun(folder.path(), QStringLiteral("seaco"));
    EngineThread engine(run);
    QTRY_VERIFY(engine.hotwords() != nullptr);
    QCOMPARE(engine.hotwords()->split, QStringLiteral("test"));
    QCOMPARE(engine.hotwords()->phrases.front().right, int64_t { 5 });
    QSignalSpy changed(&engine, &EngineThread::hotwordsChanged);
    writeFile(
        run + QStringLiteral("/alignments/test-hotwords.tsv"), hotwordTsv(6) + "好\tno\t1\t1\t1\n");
    QTRY_COMPARE(engine.hotwords()->phrases.size(), size_t { 5 });
    QVERIFY(!changed.isEmpty());
    QCOMPARE(changed.last().first().toString(), run);
}

void TstHotwordReport::otherRunsTable_isIgnored()
{
    MonitorPage page;
    page.setRun(QStringLiteral("/runs/a"));
    page.setHotwords(QStringLiteral("/runs/b"), tableOf(hotwordTsv()));
    const auto* table = page.findChild<FigureTable*>(QStringLiteral("hotwordTable"));
    QCOMPARE(table->model()->rowCount(), 0);
    page.setHotwords(QStringLiteral("/runs/a"), tableOf(hotwordTsv()));
    QCOMPARE(table->model()->rowCount(), 4);
    page.setRun(QStringLiteral("/runs/b"));
    QCOMPARE(table->model()->rowCount(), 0);
}

void TstHotwordReport::screenshots()
{
    MonitorPage page;
    page.resize(900, 560);
    page.setRun(QStringLiteral("/runs/seaco"));
    page.showView(MonitorPage::Hotwords);
    page.show();
    const auto snapshot = sharedSnapshot(foldPayloads(hotwordRun()));
    page.setSnapshot(QStringLiteral("/runs/seaco"), snapshot);
    takeScreenshots(page, QStringLiteral("hotwords-none"));
    page.setHotwords(QStringLiteral("/runs/seaco"), tableOf(hotwordTsv()));
    takeScreenshots(page, QStringLiteral("hotwords"));
}

EARWRIGHT_TEST(TstHotwordReport)
#include "tst_hotword_report.moc"
