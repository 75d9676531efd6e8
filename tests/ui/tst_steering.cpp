#include "tests/registry.h"
#include "tests/ui/desk.h"
#include "tests/ui/live_run.h"
#include "ui/monitor/learning_rate_dialog.h"

#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QStatusBar>

using namespace earwright;
using namespace earwright::ui;

namespace {

const char* const kCommands[] = { "run.stop", "run.kill", "run.pause", "run.continue",
    "run.checkpoint", "run.setLearningRate" };

/// How a run stands, for the log of a test that waits in vain.
std::string standing(const run::Snapshot& snapshot)
{
    return "phase '" + snapshot.phase + "', " + stateName(snapshot.state) + ", step "
        + std::to_string(snapshot.step) + ", error '" + snapshot.error + "'";
}

} // namespace

/// A run that trains is told things from the window, by the keyboard where that has a key.
class TstSteering : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void withoutALiveRun_thereIsNobodyToTell();
    void learningRate_mustBeOne_data();
    void learningRate_mustBeOne();
    void pausedRun_canBeContinuedOnly();
    void kill_asksFirst();
    void liveRun_isPausedChangedSavedAndGoesOn();
};

void TstSteering::pausedRun_canBeContinuedOnly()
{
    Desk desk;
    const LiveRun run(desk.runsRoot(), QStringLiteral("live"));
    desk.open();
    desk.window->selectRun(run.path());
    QTRY_VERIFY(desk.action("run.pause")->isEnabled());
    QVERIFY(!desk.action("run.continue")->isEnabled());
    run.log({ 0, run::PhaseChanged { .phase = "pause", .epoch = 1, .step = 480 } });
    QTRY_VERIFY(desk.action("run.continue")->isEnabled());
    QVERIFY(!desk.action("run.pause")->isEnabled());
    QVERIFY(desk.action("run.stop")->isEnabled());
    QStringList shown;
    for (const QLabel* label : desk.window->statusBar()->findChildren<QLabel*>())
        shown << label->text();
    QVERIFY2(shown.contains(QStringLiteral("0 runs training, 1 paused")),
        qPrintable(shown.join(QLatin1Char('|'))));
}

/// Its keys are one away from Stop's.
void TstSteering::kill_asksFirst()
{
    Desk desk;
    const LiveRun run(desk.runsRoot(), QStringLiteral("live"));
    desk.open();
    desk.window->selectRun(run.path());
    QTRY_VERIFY(desk.action("run.kill")->isEnabled());
    const auto asked
        = [&desk] { return desk.window->findChild<QMessageBox*>(QStringLiteral("killDialog")); };
    const auto answer = [&](const char* button) {
        desk.action("run.kill")->trigger();
        asked()->findChild<QPushButton*>(QLatin1String(button))->click();
        QTRY_VERIFY(!asked());
    };
    desk.action("run.kill")->trigger();
    QVERIFY(asked()->text().contains(QStringLiteral("live")));
    QVERIFY(asked()->defaultButton() == asked()->button(QMessageBox::Cancel));
    QTest::keyClick(asked(), Qt::Key_Escape);
    QTRY_VERIFY(!asked());
    answer("kill");
    QTRY_COMPARE(run.told().size(), 1);
    answer("stop");
    QTRY_COMPARE(run.told().size(), 2); // and nothing was told at first
    QVERIFY2(run.told()[0].contains(QStringLiteral("kill")), qPrintable(run.told()[0]));
    QVERIFY2(run.told()[1].contains(QStringLiteral("stop")), qPrintable(run.told()[1]));
}

void TstSteering::withoutALiveRun_thereIsNobodyToTell()
{
    Desk desk;
    desk.open();
    for (const char* command : kCommands)
        QVERIFY2(!desk.action(command)->isEnabled(), command);
}

void TstSteering::learningRate_mustBeOne_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("rate"); // 0 = refused
    QTest::newRow("plain") << QStringLiteral("0.0005") << 0.0005;
    QTest::newRow("exponent") << QStringLiteral(" 5e-4 ") << 0.0005;
    QTest::newRow("nothing") << QString() << 0.0;
    QTest::newRow("zero") << QStringLiteral("0") << 0.0;
    QTest::newRow("negative") << QStringLiteral("-1") << 0.0;
    QTest::newRow("infinite") << QStringLiteral("inf") << 0.0;
    QTest::newRow("words") << QStringLiteral("half") << 0.0;
}

void TstSteering::learningRate_mustBeOne()
{
    QFETCH(QString, text);
    QFETCH(double, rate);
    auto* dialog = new LearningRateDialog(0.01);
    QSignalSpy chosen(dialog, &LearningRateDialog::chosen);
    dialog->show();
    auto* line = dialog->findChild<QLineEdit*>(QStringLiteral("learningRate"));
    QCOMPARE(line->text(), QStringLiteral("0.01"));
    line->setText(text);
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(chosen.size(), rate > 0 ? 1 : 0);
    if (rate > 0)
        QCOMPARE(chosen[0][0].toDouble(), rate);
    else
        QVERIFY(dialog->isVisible());
    dialog->close();
}

void TstSteering::liveRun_isPausedChangedSavedAndGoesOn()
{
    if (const QString missing = missingForTraining(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    Desk desk;
    QVERIFY(desk.openDemo({ { QStringLiteral("channels"), QStringLiteral("16") } }));
    desk.action("run.start")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!desk.window->selectedRun().isEmpty(), kTrainingTimeMs);
    const QString run = desk.window->selectedRun();
    QTRY_VERIFY_WITH_TIMEOUT(desk.numLossPoints() >= 2, kTrainingTimeMs);
    QTRY_VERIFY_WITH_TIMEOUT(desk.action("run.pause")->isEnabled(), kTrainingTimeMs);
    const auto snapshot = [&] { return desk.window->session().snapshot(run); };

    desk.window->activateWindow(); // no shortcut works elsewhere
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    QTest::keyClick(desk.window.get(), Qt::Key_Pause);
    QVERIFY2(QTest::qWaitFor([&] { return snapshot()->phase == "pause"; }, kTrainingTimeMs),
        standing(*snapshot()).c_str());
    const int64_t step = snapshot()->step;

    desk.action("run.setLearningRate")->trigger();
    auto* dialog = desk.window->findChild<LearningRateDialog*>();
    QTRY_VERIFY(dialog->isVisible());
    auto* line = dialog->findChild<QLineEdit*>(QStringLiteral("learningRate"));
    QTest::keyClicks(line, QStringLiteral("0.000625")); // in place of what is selected
    QTest::keyClick(line, Qt::Key_Return);
    desk.action("run.checkpoint")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(
        std::any_of(snapshot()->checkpoints.begin(), snapshot()->checkpoints.end(),
            [&](const auto& saved) { return saved.step == step; }),
        kTrainingTimeMs);
    QCOMPARE(snapshot()->step, step);

    QTRY_VERIFY_WITH_TIMEOUT(desk.action("run.continue")->isEnabled(), kTrainingTimeMs);
    desk.window->activateWindow(); // a window system does it when the dialog goes
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    QTest::keyClick(desk.window.get(), Qt::Key_Pause, Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(snapshot()->step > step, kTrainingTimeMs);
    for (const run::Scalar& rate : loggedPoints(run, "train/lr")) {
        if (rate.step == step + 1)
            QCOMPARE(rate.value, 0.000625);
    }
    desk.action("run.kill")->trigger();
    desk.window->findChild<QMessageBox*>()
        ->findChild<QPushButton*>(QStringLiteral("kill"))
        ->click();
    QTRY_VERIFY_WITH_TIMEOUT(!isLive(desk.stateOf(run)), kTrainingTimeMs);
}

EARWRIGHT_TEST(TstSteering)
#include "tst_steering.moc"
