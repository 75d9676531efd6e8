#include "tests/registry.h"
#include "tests/ui/run_summaries.h"
#include "ui/runs/run_delegate.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/run_state.h"

#include <QAbstractItemModelTester>
#include <QListView>
#include <QMimeData>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

using namespace earwright;
using namespace earwright::ui;

/// Rows of the list of runs: what they say, how they are drawn and dragged.
class TstRuns : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void runThatVanishes_leavesTheList();
    void liveRuns_areThoseWithASupervisor();
    void waitingRuns_sayTheirPlaceAndWhatTheyWaitFor();
    void waitingRun_isDroppedAmongThoseThatWait();
    void errorRate_isShownWhole();
    void devices_areNamedShortly();
};

void TstRuns::runThatVanishes_leavesTheList()
{
    RunListModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRuns({ summaryOf("a", run::State::Done), summaryOf("b", run::State::Done),
        summaryOf("c", run::State::Done) });
    model.setRuns({ summaryOf("c", run::State::Failed), summaryOf("d", run::State::Running) });
    QCOMPARE(model.rowCount(), 2);
    QVERIFY(!model.indexOf(QStringLiteral("/runs/a")).isValid());
    QCOMPARE(model.indexOf(QStringLiteral("/runs/c")).data(RunListModel::DetailRole).toString(),
        QStringLiteral("failed"));
    QCOMPARE(
        model.indexOf(QStringLiteral("/runs/d")).data(RunListModel::ProgressRole).toDouble(), 0.25);
}

void TstRuns::liveRuns_areThoseWithASupervisor()
{
    RunListModel model;
    model.setRuns({ summaryOf("queued", run::State::Queued),
        summaryOf("running", run::State::Running), summaryOf("stopping", run::State::Stopping),
        summaryOf("paused", run::State::Paused), summaryOf("interrupted", run::State::Interrupted),
        summaryOf("done", run::State::Done) });
    QCOMPARE(model.livePaths(),
        QStringList({ QStringLiteral("/runs/running"), QStringLiteral("/runs/stopping"),
            QStringLiteral("/runs/paused") }));
    QCOMPARE(model.numPaused(), 1);
    QCOMPARE(model.index(3, 0).data(RunListModel::DetailRole).toString(), QStringLiteral("paused"));
}

void TstRuns::waitingRuns_sayTheirPlaceAndWhatTheyWaitFor()
{
    run::RunSummary working = summaryOf("working-20261121-101500", run::State::Running);
    working.devices = { "cuda:0" };
    run::RunSummary lost = summaryOf("lost", run::State::Interrupted);
    lost.place = 1;
    lost.devices = { "cuda:0", "cuda:1" };
    run::RunSummary fresh = summaryOf("fresh", run::State::Queued);
    fresh.place = 2;
    fresh.devices = { "cuda:2" };
    RunListModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRuns({ working, lost, fresh, summaryOf("planned", run::State::Queued) });
    const auto text = [&](int row, int role) { return model.index(row, 0).data(role).toString(); };
    QCOMPARE(text(1, RunListModel::TimeRole), QStringLiteral("#1"));
    QCOMPARE(
        text(1, RunListModel::DetailRole), QStringLiteral("waiting for cuda:0,1 · after working"));
    QCOMPARE(text(2, RunListModel::DetailRole), QStringLiteral("waiting for cuda:2"));
    QCOMPARE(text(3, RunListModel::DetailRole), QStringLiteral("not started"));
    QVERIFY(
        text(1, Qt::ToolTipRole).contains(QStringLiteral("Place 1 in the queue, for cuda:0,1")));
    QVERIFY(text(1, Qt::AccessibleTextRole).contains(QStringLiteral("#1")));
    QVERIFY(text(1, Qt::ToolTipRole).contains(QStringLiteral("Waits until working-20261121")));
    QCOMPARE(model.numWaiting(), 2);
}

void TstRuns::waitingRun_isDroppedAmongThoseThatWait()
{
    std::vector<run::RunSummary> runs { summaryOf("working", run::State::Running),
        summaryOf("a", run::State::Queued), summaryOf("b", run::State::Queued),
        summaryOf("c", run::State::Queued), summaryOf("done", run::State::Done) };
    for (int64_t place = 1; place <= 3; ++place)
        runs[static_cast<size_t>(place)].place = place;
    RunListModel model;
    model.setRuns(runs);
    QSignalSpy moved(&model, &RunListModel::moveRequested);
    const auto drop = [&](int from, int row) {
        const std::unique_ptr<QMimeData> data(model.mimeData({ model.index(from, 0) }));
        model.dropMimeData(data.get(), Qt::MoveAction, row, 0, {});
        return moved.isEmpty() ? 0 : moved.takeFirst().at(1).toInt();
    };
    QCOMPARE(drop(1, 4), 2); // a below c
    QCOMPARE(drop(3, 1), -2); // c above a
    QCOMPARE(drop(2, 3), 0); // where it is
    QCOMPARE(drop(2, 0), 0); // above who trains: not among those that wait
    QCOMPARE(drop(2, 5), 0);
    QVERIFY(model.flags(model.index(2, 0)).testFlag(Qt::ItemIsDragEnabled));
    QVERIFY(!model.flags(model.index(0, 0)).testFlag(Qt::ItemIsDragEnabled));
}

void TstRuns::errorRate_isShownWhole()
{
    run::RunSummary summary = summaryOf("a", run::State::Done);
    summary.precision = "bf16";
    summary.devices = { "cpu", "cpu" };
    summary.testWer = 69.05;
    RunListModel model;
    QListView view;
    view.setModel(&model);
    const auto painted = [&] {
        model.setRuns({ summary });
        QStyleOptionViewItem option;
        option.initFrom(&view);
        option.widget = &view;
        option.rect = { 0, 0, 170, 60 };
        QImage image(option.rect.size(), QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        RunDelegate().paint(&painter, option, model.index(0, 0));
        painter.end();
        return image.copy(100, 0, 70, 60);
    };
    QCOMPARE(model.rowCount(), 0);
    const QImage narrow = painted();
    QCOMPARE(
        model.index(0, 0).data(RunListModel::FigureRole).toString(), QStringLiteral("WER 69.05 %"));
    QVERIFY(model.index(0, 0)
                .data(Qt::AccessibleTextRole)
                .toString()
                .endsWith(QStringLiteral("done · bf16 · cpu ×2, WER 69.05 %")));
    summary.devices.clear();
    summary.precision.clear();
    QCOMPARE(narrow, painted()); // however much there is before it
}

void TstRuns::devices_areNamedShortly()
{
    QCOMPARE(devicesText({}), QString());
    QCOMPARE(devicesText({ "cpu" }), QStringLiteral("cpu"));
    QCOMPARE(devicesText({ "cpu", "cpu" }), QStringLiteral("cpu ×2"));
    QCOMPARE(devicesText({ "cuda:0", "cuda:3" }), QStringLiteral("cuda:0,3"));
}

EARWRIGHT_TEST(TstRuns)
#include "tst_runs.moc"
