#include "core/run/snapshot.h"
#include "ui/runs/log_model.h"
#include "ui/runs/log_panel.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QScrollBar>
#include <QTest>

using namespace kymo;
using namespace kymo::ui;

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

} // namespace

/// What the log's lines show of what was said.
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

QTEST_MAIN(TstLog)
#include "tst_log.moc"
