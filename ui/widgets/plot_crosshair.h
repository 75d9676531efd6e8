#pragma once

#include <QString>

class QCPItemStraightLine;
class QCustomPlot;
class QLabel;

namespace earwright::ui {

/// A vertical line at one key and a read-out beside it, on a layer of its own: moving it repaints
/// nothing else. Owned by the plot's own objects; GUI thread only.
class PlotCrosshair final {
public:
    explicit PlotCrosshair(QCustomPlot& plot);

    /// `readOut`: rich text; "" shows the line alone.
    void show(double key, const QString& readOut);
    void hide();
    bool isVisible() const;

private:
    void placeReadOut(double key);

    QCustomPlot& m_plot;
    QCPItemStraightLine* m_line;
    QLabel* m_readOut;
};

} // namespace earwright::ui
