#include "tests/registry.h"
#include "tests/ui/shown_plot.h"
#include "ui/widgets/plot_board.h"
#include "ui/widgets/plot_tool_bar.h"
#include "ui/widgets/qcp.h"

#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace earwright;
using namespace earwright::ui;

namespace {

/// A plot that is always there, and two of a group.
struct ShownBoard {
    PlotBoard board;
    PlotView* loss = board.addPlot(kSpec);
    PlotView* cpu = board.addPlot({ .id = QStringLiteral("cpu"),
        .title = QStringLiteral("CPU"),
        .unit = QStringLiteral("%"),
        .isHiddenWhenEmpty = true,
        .group = QStringLiteral("System") });
    PlotView* gpu = board.addPlot({ .id = QStringLiteral("gpu"),
        .title = QStringLiteral("GPU"),
        .unit = QStringLiteral("%"),
        .isHiddenWhenEmpty = true,
        .group = QStringLiteral("System") });
    QToolButton* heading = nullptr;

    ShownBoard()
    {
        for (QToolButton* button : board.findChildren<QToolButton*>()) {
            if (button->text() == QStringLiteral("System"))
                heading = button;
        }
        board.resize(900, 700);
        board.show();
    }
    static std::vector<PlotCurve> noise()
    {
        return { curveOf(shared(noisySeries(100)), QStringLiteral("a")) };
    }
};

} // namespace

class TstPlotBoard : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void group_isHiddenWhileItIsEmpty();
    void closedGroup_hidesItsPlots();
    void enlarged_isAloneUntilEscape();
    void enlargedPlotThatIsEmptied_givesRoomAgain();
    void options_comeBack();
    void unknownState_changesNothing();
    void hoveredCurve_isHighlightedEverywhere();
};

void TstPlotBoard::group_isHiddenWhileItIsEmpty()
{
    ShownBoard shown;
    QVERIFY(shown.heading != nullptr);
    shown.board.setCurves({ ShownBoard::noise(), {}, {} });
    QVERIFY(shown.heading->isHidden());
    shown.board.setCurves({ ShownBoard::noise(), ShownBoard::noise(), {} });
    QVERIFY(!shown.heading->isHidden());
    QVERIFY(!shown.cpu->isHidden());
    QVERIFY(shown.gpu->isHidden());
    shown.board.setCurves({ {}, {}, {} });
    QVERIFY(shown.heading->isHidden());
    QVERIFY(!shown.loss->isHidden());
}

void TstPlotBoard::closedGroup_hidesItsPlots()
{
    ShownBoard shown;
    shown.board.setCurves({ ShownBoard::noise(), ShownBoard::noise(), ShownBoard::noise() });
    QTRY_VERIFY(shown.cpu->y() >= shown.heading->y() + shown.heading->height());
    QVERIFY(shown.heading->y() >= shown.loss->y() + shown.loss->height());
    shown.heading->click();
    QVERIFY(shown.cpu->isHidden() && shown.gpu->isHidden());
    QVERIFY(!shown.heading->isHidden() && !shown.loss->isHidden());
    shown.board.setCurves({ ShownBoard::noise(), ShownBoard::noise(), ShownBoard::noise() });
    QVERIFY(shown.cpu->isHidden());
    shown.heading->click();
    QVERIFY(!shown.cpu->isHidden());
}

void TstPlotBoard::enlarged_isAloneUntilEscape()
{
    ShownBoard shown;
    shown.board.setCurves({ ShownBoard::noise(), ShownBoard::noise(), ShownBoard::noise() });
    Q_EMIT shown.cpu->enlargeWanted(true); // as a double click does
    QVERIFY(!shown.cpu->isHidden());
    QVERIFY(shown.loss->isHidden() && shown.gpu->isHidden() && shown.heading->isHidden());
    shown.board.setCurves({ ShownBoard::noise(), ShownBoard::noise(), ShownBoard::noise() });
    QVERIFY(shown.loss->isHidden());
    QTest::keyClick(shown.cpu, Qt::Key_Escape);
    QVERIFY(!shown.loss->isHidden() && !shown.gpu->isHidden() && !shown.heading->isHidden());
    Q_EMIT shown.loss->enlargeWanted(true);
    Q_EMIT shown.loss->enlargeWanted(true);
    QVERIFY(!shown.cpu->isHidden());
}

void TstPlotBoard::enlargedPlotThatIsEmptied_givesRoomAgain()
{
    ShownBoard shown;
    shown.board.setCurves({ ShownBoard::noise(), ShownBoard::noise(), {} });
    Q_EMIT shown.cpu->enlargeWanted(true);
    shown.board.setCurves({ ShownBoard::noise(), {}, {} });
    QVERIFY(!shown.loss->isHidden());
    QVERIFY(shown.cpu->isHidden());
}

void TstPlotBoard::options_comeBack()
{
    ShownBoard before;
    before.board.toolBar()->setXAxis(XAxis::WallTime);
    before.board.toolBar()->setSmoothing(0.875);
    before.loss->setLogY(true);
    before.gpu->setClipped(false);
    before.heading->setChecked(false);
    ShownBoard after;
    after.board.restoreState(before.board.state());
    QCOMPARE(after.board.toolBar()->xAxis(), XAxis::WallTime);
    QCOMPARE(after.board.toolBar()->options(), (PlotOptions { 0.875, false, true }));
    QCOMPARE(after.loss->options(), (PlotOptions { 0.875, true, true }));
    QCOMPARE(after.cpu->options(), (PlotOptions { 0.875, false, true }));
    QCOMPARE(after.gpu->options(), (PlotOptions { 0.875, false, false }));
    QVERIFY(!after.heading->isChecked());
    QCOMPARE(after.board.state(), before.board.state());
}

void TstPlotBoard::unknownState_changesNothing()
{
    ShownBoard shown;
    const QVariantMap state = shown.board.state();
    shown.board.restoreState({});
    QCOMPARE(shown.board.state(), state);
    shown.board.restoreState({ { QStringLiteral("all"), QVariantList { 0.5 } },
        { QStringLiteral("plots"), QStringLiteral("tea") } });
    QCOMPARE(shown.board.state(), state);
}

void TstPlotBoard::hoveredCurve_isHighlightedEverywhere()
{
    ShownBoard shown;
    std::vector<PlotCurve> two = ShownBoard::noise();
    two.push_back(curveOf(shared(noisySeries(100)), QStringLiteral("b")));
    shown.board.setCurves({ two, two, {} });
    Q_EMIT shown.loss->curveHovered(QStringLiteral("b"));
    shown.cpu->refresh();
    QVERIFY(shown.cpu->plot()->graph(0)->pen().color().alphaF() < 0.5);
    Q_EMIT shown.loss->curveHovered({});
    shown.cpu->refresh();
    QCOMPARE(shown.cpu->plot()->graph(0)->pen().color().alphaF(), 1.0F);
}

EARWRIGHT_TEST(TstPlotBoard)
#include "tst_plot_board.moc"
