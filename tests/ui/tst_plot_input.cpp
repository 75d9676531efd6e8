#include "tests/registry.h"
#include "tests/ui/shown_plot.h"
#include "ui/widgets/plot_menu.h"
#include "ui/widgets/qcp.h"

#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace earwright;
using namespace earwright::ui;

namespace {

/// As a mouse does: a wheel of sendEvent() is not spontaneous, and Qt hands it to no parent.
void turnWheel(QCustomPlot& plot, Qt::KeyboardModifiers keys, int angle = 240)
{
    const QPoint centre = plot.axisRect()->center();
    QWheelEvent wheel(centre, plot.mapToGlobal(centre), {}, { 0, angle }, Qt::NoButton, keys,
        Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&wheel);
    qApp->notify(&plot, &wheel);
}

/// At once, with Shift held.
void sendMouse(QCustomPlot& plot, QEvent::Type type, QPoint place)
{
    const Qt::MouseButton button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
    const Qt::MouseButtons held
        = type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, place, plot.mapToGlobal(place), button, held, Qt::ShiftModifier);
    QApplication::sendEvent(&plot, &event);
}

QAction* itemOf(const QMenu& menu, const char* text)
{
    for (QAction* action : menu.actions()) {
        if (action->text().remove(QLatin1Char('&')) == QLatin1String(text))
            return action;
    }
    return nullptr;
}

struct ShownNoise : Shown {
    ShownNoise()
    {
        view.setCurves({ curveOf(shared(noisySeries(1000)), QStringLiteral("a")),
            curveOf(shared(noisySeries(1000)), QStringLiteral("b")) });
        view.refresh();
        view.plot()->replot();
    }
};

/// Of the line as logged of the first or the second curve.
QPen penOf(const Shown& shown, int curve)
{
    return shown.view.plot()->graph(6 * curve)->pen();
}

} // namespace

/// What mouse and keyboard do with a plot.
class TstPlotInput : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void wheel_zoomsWithAKeyAlone_data();
    void wheel_zoomsWithAKeyAlone();
    void plainWheel_scrollsThePage();
    void rightClick_opensTheMenu();
    void shiftDrag_zoomsIntoARectangle();
    void doubleClickAndEscape_askForRoom();
    void menu_changesThisPlot();
    void legend_tellsWhatIsPointedAt();
    void highlighted_isBoldAmongFaint();
    void tickLabels_standApart_data();
    void tickLabels_standApart();
};

void TstPlotInput::wheel_zoomsWithAKeyAlone_data()
{
    QTest::addColumn<int>("keys");
    QTest::addColumn<bool>("isX");
    QTest::addColumn<bool>("isY");
    QTest::newRow("none") << int(Qt::NoModifier) << false << false;
    QTest::newRow("Ctrl") << int(Qt::ControlModifier) << true << false;
    QTest::newRow("Shift") << int(Qt::ShiftModifier) << false << true;
}

void TstPlotInput::wheel_zoomsWithAKeyAlone()
{
    QFETCH(int, keys);
    QFETCH(bool, isX);
    QFETCH(bool, isY);
    ShownNoise shown;
    QCustomPlot& plot = *shown.view.plot();
    const QCPRange x = plot.xAxis->range();
    const QCPRange y = plot.yAxis->range();
    turnWheel(plot, Qt::KeyboardModifiers(keys));
    QCOMPARE(plot.xAxis->range().size() < 0.9 * x.size(), isX);
    QCOMPARE(plot.yAxis->range().size() < 0.9 * y.size(), isY);
    QCOMPARE(shown.view.isZoomed(), isX || isY);
}

void TstPlotInput::plainWheel_scrollsThePage()
{
    QScrollArea page;
    auto* view = new PlotView(kSpec);
    view->setFixedSize(400, 900);
    page.setWidget(view);
    page.resize(420, 300);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    view->setCurves({ curveOf(shared(noisySeries(100))) });
    view->refresh();
    turnWheel(*view->plot(), Qt::NoModifier, -240);
    QVERIFY(page.verticalScrollBar()->value() > 0);
    QVERIFY(!view->isZoomed());
}

void TstPlotInput::rightClick_opensTheMenu()
{
    ShownNoise shown;
    QCustomPlot& plot = *shown.view.plot();
    const QPoint centre = plot.axisRect()->center();
    QContextMenuEvent click(QContextMenuEvent::Mouse, centre, plot.mapToGlobal(centre));
    QApplication::sendEvent(&plot, &click);
    auto* menu = shown.view.findChild<QMenu*>();
    QVERIFY(menu && menu->isVisible());
    menu->close();
}

void TstPlotInput::shiftDrag_zoomsIntoARectangle()
{
    ShownNoise shown;
    QCustomPlot& plot = *shown.view.plot();
    const QRect area = plot.axisRect()->rect();
    const double lower = plot.xAxis->pixelToCoord(area.left() + 100);
    const double upper = plot.xAxis->pixelToCoord(area.left() + 200);
    const double top = plot.yAxis->pixelToCoord(area.top() + 20);
    sendMouse(plot, QEvent::MouseButtonPress, area.topLeft() + QPoint(100, 20));
    sendMouse(plot, QEvent::MouseMove, area.topLeft() + QPoint(200, 80));
    sendMouse(plot, QEvent::MouseButtonRelease, area.topLeft() + QPoint(200, 80));
    const QCPRange range = plot.xAxis->range();
    QVERIFY(std::abs(range.lower - lower) < 5 && std::abs(range.upper - upper) < 5);
    QVERIFY(std::abs(plot.yAxis->range().upper - top) < 0.05);
}

void TstPlotInput::doubleClickAndEscape_askForRoom()
{
    ShownNoise shown;
    QSignalSpy wanted(&shown.view, &PlotView::enlargeWanted);
    QTest::mouseDClick(
        shown.view.plot(), Qt::LeftButton, {}, shown.view.plot()->axisRect()->center());
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted[0][0].toBool(), true);
    QTest::keyClick(&shown.view, Qt::Key_Escape);
    QCOMPARE(wanted.count(), 2);
    QCOMPARE(wanted[1][0].toBool(), false);
}

void TstPlotInput::menu_changesThisPlot()
{
    ShownNoise shown;
    shown.view.zoomX(10, 20);
    const QMenu* menu = makePlotMenu(shown.view);
    itemOf(*menu, "Logarithmic Y")->trigger();
    itemOf(*menu, "Clip Outliers")->trigger();
    itemOf(*menu, "Reset Zoom")->trigger();
    QMenu* smoothing = itemOf(*menu, "Smoothing")->menu();
    itemOf(*smoothing, "8 points")->trigger();
    QCOMPARE(shown.view.options(), (PlotOptions { 0.875, true, false }));
    QVERIFY(!shown.view.isZoomed());
    QCOMPARE(shown.view.plot()->yAxis->scaleType(), QCPAxis::stLogarithmic);
    const QMenu* next = makePlotMenu(shown.view);
    QVERIFY(itemOf(*next, "Logarithmic Y")->isChecked());
    QVERIFY(!itemOf(*next, "Clip Outliers")->isChecked());
    QVERIFY(itemOf(*itemOf(*next, "Smoothing")->menu(), "8 points")->isChecked());
}

void TstPlotInput::legend_tellsWhatIsPointedAt()
{
    ShownNoise shown;
    QCustomPlot& plot = *shown.view.plot();
    QSignalSpy hovered(&shown.view, &PlotView::curveHovered);
    const QCPLayerable* second = nullptr;
    QPoint place;
    for (int i = 0; i < plot.legend->elementCount(); ++i) {
        auto* item = qobject_cast<QCPPlottableLegendItem*>(plot.legend->elementAt(i));
        if (item && item->plottable()->name() == QStringLiteral("b")) {
            second = item;
            place = item->outerRect().center();
        }
    }
    QVERIFY(second != nullptr);
    sendMouse(plot, QEvent::MouseMove, place);
    QCOMPARE(hovered.count(), 1);
    QCOMPARE(hovered[0][0].toString(), QStringLiteral("b"));
    sendMouse(plot, QEvent::MouseMove, plot.axisRect()->center());
    QCOMPARE(hovered.count(), 2);
    QCOMPARE(hovered[1][0].toString(), QString());
}

void TstPlotInput::highlighted_isBoldAmongFaint()
{
    ShownNoise shown;
    const QPen before = penOf(shown, 0);
    shown.view.highlight(QStringLiteral("a"));
    shown.view.refresh();
    QVERIFY(penOf(shown, 0).widthF() > before.widthF());
    QVERIFY(penOf(shown, 1).color().alphaF() < 0.5);
    shown.view.highlight(QStringLiteral("of another plot"));
    shown.view.refresh();
    QCOMPARE(penOf(shown, 0), before);
    QCOMPARE(penOf(shown, 1).color().alphaF(), 1.0F);
}

void TstPlotInput::tickLabels_standApart_data()
{
    QTest::addColumn<int>("axis");
    QTest::addColumn<int>("width");
    for (const int width : { 270, 400, 900 }) {
        QTest::addRow("step, %d", width) << static_cast<int>(XAxis::Step) << width;
        QTest::addRow("since start, %d", width) << static_cast<int>(XAxis::RelativeTime) << width;
        QTest::addRow("wall time, %d", width) << static_cast<int>(XAxis::WallTime) << width;
        QTest::addRow("epoch, %d", width) << static_cast<int>(XAxis::Epoch) << width;
    }
}

void TstPlotInput::tickLabels_standApart()
{
    QFETCH(int, axis);
    QFETCH(int, width);
    run::Series series;
    for (int64_t i = 0; i < 100; ++i)
        series.append({ 12345678 + i * 98765, 1e9 + static_cast<double>(i) * 40000, 1 });
    Shown shown;
    shown.view.resize(width, 220);
    shown.view.setCurves({ curveOf(shared(series)) });
    shown.view.setXAxis(static_cast<XAxis>(axis));
    shown.view.refresh();
    shown.view.plot()->replot();
    shown.view.refresh(); // for the margins that the first one found
    shown.view.plot()->replot();
    const QCPAxis* x = shown.view.plot()->xAxis;
    const QFontMetrics metrics(x->tickLabelFont());
    double end = -1e9;
    for (qsizetype i = 0; i < x->tickVector().size(); ++i) {
        if (!x->range().contains(x->tickVector()[i]))
            continue;
        const double at = x->coordToPixel(x->tickVector()[i]);
        const int half = metrics.size(0, x->tickVectorLabels()[i]).width() / 2;
        QVERIFY2(at - half > end, qPrintable(x->tickVectorLabels()[i]));
        end = at + half;
    }
    QVERIFY(end > 0);
}

EARWRIGHT_TEST(TstPlotInput)
#include "tst_plot_input.moc"
