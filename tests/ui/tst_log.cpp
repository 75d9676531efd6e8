#include "core/run/snapshot.h"
#include "tests/registry.h"
#include "ui/runs/log_model.h"
#include "ui/runs/log_panel.h"
#include "ui/session/engine_thread.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace earwright;
using namespace earwright::ui;

namespace {

constexpr double kTime = 1795273144; // 2026-11-21

SnapshotPtr told(const std::vector<std::string>& texts)
{
    run::Snapshot snapshot;
    double time = kTime;
    for (const std::string& text : texts)
        run::fold(snapshot, 0, { time++, run::Message { "info", text } });
    return std::make_shared<const run::Snapshot>(snapshot);
}

SnapshotPtr logOf(int lines)
{
    run::Snapshot snapshot;
    snapshot.started.devices = { "cpu", "cpu" };
    for (int i = 0; i < lines; ++i)
        snapshot.log.push_back(
            { 1.0 * i, i % 2, i % 10 == 9 ? "error" : "info", "line " + std::to_string(i) });
    return std::make_shared<const run::Snapshot>(snapshot);
}

} // namespace

/// What the log's lines show of what was said, and which of them.
class TstLog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textOfSeveralLines_isARowEach();
    void failureOfSeveralLines_isReadInTheLog();
    void tip_tellsTheDayAndTheWholeText();
    void supervisor_isNamedAsInItsMessages();
    void longLine_isReachedByScrolling();
    void end_staysInViewUntilOneScrollsBack();
    void filterThatLeavesNothing_saysSo();
    void log_isFilteredByRankLevelAndText();
    void log_appendsRowsAndResetsForAnotherRun();
    void lateLine_takesItsPlaceInTime();
};

void TstLog::textOfSeveralLines_isARowEach()
{
    LogModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setSnapshot(QStringLiteral("/runs/a"), told({ "one", "two\nthree\nfour\n" }));
    QCOMPARE(model.rowCount(), 4);
    for (int row = 0; row < 4; ++row)
        QVERIFY(!model.index(row, 0).data().toString().contains(QLatin1Char('\n')));
    QVERIFY(model.index(3, 0).data().toString().endsWith(QStringLiteral("rank 0      four")));
    model.setSnapshot(
        QStringLiteral("/runs/a"), told({ "one", "two\nthree\nfour\n", "five\nsix" }));
    QCOMPARE(model.rowCount(), 6);
    QVERIFY(model.index(5, 0).data().toString().endsWith(QStringLiteral("six")));
}

void TstLog::failureOfSeveralLines_isReadInTheLog()
{
    run::Snapshot snapshot;
    run::fold(snapshot, -1, { kTime, run::Finished { "failed", "missing:\na.wav\nb.wav", -1 } });
    LogModel model;
    model.setSnapshot(QStringLiteral("/runs/a"), std::make_shared<const run::Snapshot>(snapshot));
    QCOMPARE(model.rowCount(), 3);
    QVERIFY(model.index(2, 0).data().toString().endsWith(QStringLiteral("b.wav")));
    QCOMPARE(model.index(2, 0).data(LogModel::LevelRole).toInt(), levelNumber("error"));
}

void TstLog::tip_tellsTheDayAndTheWholeText()
{
    const std::string text = "<a> " + std::string(500, 'x') + " the end";
    LogModel model;
    model.setSnapshot(QStringLiteral("/runs/a"), told({ text }));
    const QString tip = model.index(0, 0).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(QStringLiteral("2026-11-2")), qPrintable(tip));
    QVERIFY2(tip.contains(QStringLiteral("&lt;a&gt;")), qPrintable(tip));
    QVERIFY2(tip.contains(QStringLiteral("the end")), qPrintable(tip));
}

void TstLog::supervisor_isNamedAsInItsMessages()
{
    run::Snapshot snapshot;
    run::fold(snapshot, -1, { kTime, run::Message { "info", "stopping" } });
    LogModel model;
    model.setSnapshot(QStringLiteral("/runs/a"), std::make_shared<const run::Snapshot>(snapshot));
    QVERIFY(model.index(0, 0).data().toString().endsWith(QStringLiteral("supervisor  stopping")));
}

void TstLog::longLine_isReachedByScrolling()
{
    LogPanel panel;
    panel.resize(500, 200);
    panel.setSnapshot(QStringLiteral("/runs/a"), told({ "short" }));
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    auto* view = panel.findChild<QListView*>(QStringLiteral("logView"));
    QCOMPARE(view->horizontalScrollBar()->maximum(), 0);
    const std::string wide = "长" + std::string(200, 'x') + "终";
    panel.setSnapshot(QStringLiteral("/runs/a"), told({ "short", wide, "short too" }));
    const QModelIndex index = view->model()->index(1, 0);
    const auto needed
        = [&] { return QFontMetrics(view->font()).horizontalAdvance(index.data().toString()); };
    QTRY_VERIFY(view->visualRect(index).width() > needed());
    QTRY_VERIFY(view->horizontalScrollBar()->maximum() >= needed() - view->viewport()->width());
    panel.setSnapshot(QStringLiteral("/runs/b"), told({ "short" }));
    QTRY_COMPARE(view->horizontalScrollBar()->maximum(), 0);
}

/// Also where the first long line brings the bar below, which takes the room of a row.
void TstLog::end_staysInViewUntilOneScrollsBack()
{
    LogPanel panel;
    panel.resize(500, 200);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    auto* view = panel.findChild<QListView*>(QStringLiteral("logView"));
    const auto isEndInView = [view] {
        const QModelIndex last = view->model()->index(view->model()->rowCount() - 1, 0);
        return view->viewport()->rect().bottom() >= view->visualRect(last).bottom();
    };
    std::vector<std::string> texts(30, "short");
    panel.setSnapshot(QStringLiteral("/runs/a"), told(texts));
    QTRY_VERIFY(view->verticalScrollBar()->value() > 0 && isEndInView());
    texts.push_back(std::string(200, 'x'));
    panel.setSnapshot(QStringLiteral("/runs/a"), told(texts));
    QTRY_VERIFY(view->horizontalScrollBar()->maximum() > 0);
    QTRY_VERIFY(isEndInView());
    texts.insert(texts.end(), 5, "more");
    panel.setSnapshot(QStringLiteral("/runs/a"), told(texts));
    QTRY_VERIFY(isEndInView());
    view->verticalScrollBar()->setValue(3);
    texts.push_back("unseen");
    panel.setSnapshot(QStringLiteral("/runs/a"), told(texts));
    view->scrollTo(view->model()->index(3, 0)); // lays out
    QCOMPARE(view->verticalScrollBar()->value(), 3);
}

void TstLog::filterThatLeavesNothing_saysSo()
{
    LogPanel panel;
    panel.show();
    const auto* view = panel.findChild<QListView*>(QStringLiteral("logView"));
    const auto hint = [&panel] {
        for (const auto* label : panel.findChildren<QLabel*>())
            if (label->isVisible())
                return label->text();
        return QString();
    };
    panel.setSnapshot(QStringLiteral("/runs/a"), told({ "one" }));
    QVERIFY(view->isVisible());
    auto* search = panel.findChild<QLineEdit*>();
    search->setText(QStringLiteral("two"));
    QVERIFY(!view->isVisible());
    QCOMPARE(hint(), QStringLiteral("No line matches."));
    panel.setSnapshot(QStringLiteral("/runs/a"), told({ "one", "two" }));
    QVERIFY(view->isVisible());
    panel.findChildren<QComboBox*>().last()->setCurrentIndex(3); // errors
    QCOMPARE(hint(), QStringLiteral("No line matches."));
    panel.setSnapshot(QStringLiteral("/runs/b"), told({}));
    QCOMPARE(hint(), QStringLiteral("Nothing has happened in this run yet."));
}

void TstLog::log_isFilteredByRankLevelAndText()
{
    LogModel model;
    LogFilter filter;
    filter.setSourceModel(&model);
    model.setSnapshot(QStringLiteral("/runs/a"), logOf(100));
    QCOMPARE(filter.rowCount(), 100);
    filter.setRank(1);
    QCOMPARE(filter.rowCount(), 50);
    filter.setLeastLevel(levelNumber("error"));
    QCOMPARE(filter.rowCount(), 10);
    filter.setText(QStringLiteral("LINE 99"));
    QCOMPARE(filter.rowCount(), 1);
    QVERIFY(filter.index(0, 0).data().toString().contains(QStringLiteral("rank 1")));
}

void TstLog::log_appendsRowsAndResetsForAnotherRun()
{
    LogModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    model.setSnapshot(QStringLiteral("/runs/a"), logOf(10));
    model.setSnapshot(QStringLiteral("/runs/a"), logOf(30));
    QCOMPARE(reset.count(), 1);
    QCOMPARE(inserted.count(), 1);
    QCOMPARE(model.rankCount(), 2);
    model.setSnapshot(QStringLiteral("/runs/b"), logOf(3));
    QCOMPARE(reset.count(), 2);
    QCOMPARE(model.rowCount(), 3);
}

/// Each rank writes a file of its own, and none of them at once.
void TstLog::lateLine_takesItsPlaceInTime()
{
    run::Snapshot snapshot;
    const auto say = [&snapshot](double time, int64_t rank, const char* text) {
        run::fold(snapshot, rank, { time, run::Message { "info", text } });
    };
    LogModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    const auto shown = [&] {
        model.setSnapshot(
            QStringLiteral("/runs/a"), std::make_shared<const run::Snapshot>(snapshot));
        QStringList texts;
        for (int row = 0; row < model.rowCount(); ++row)
            texts << model.index(row, 0).data().toString().section(QLatin1Char(' '), -1);
        return texts.join(QLatin1Char(' '));
    };
    say(10, 0, "first");
    say(30, 1, "third");
    QCOMPARE(shown(), QStringLiteral("first third"));
    const qsizetype before = resets.count();
    const QPersistentModelIndex kept = model.index(0, 0);
    say(20, 0, "second");
    say(40, 0, "fourth");
    QCOMPARE(shown(), QStringLiteral("first second third fourth"));
    QCOMPARE(resets.count(), before);
    QCOMPARE(kept.row(), 0);
}

EARWRIGHT_TEST(TstLog)
#include "tst_log.moc"
