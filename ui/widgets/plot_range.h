#pragma once

#include "ui/widgets/plot_graphs.h"

#include <optional>
#include <QObject>

class QCustomPlot;

namespace earwright::ui {

/// The ranges of a plot's axes. Each follows what there is to see, until the user changes it. GUI
/// thread only.
class PlotRange final : public QObject {
    Q_OBJECT
public:
    explicit PlotRange(QCustomPlot& plot);

    bool isZoomed() const { return !m_followsX || !m_followsY; }
    /// The x range shown unless zoomed; none = all keys.
    void setHome(std::optional<Extent> home);
    void zoomX(double lower, double upper);
    /// Moves the x range by a share of its width, then scales it about its middle, for the user.
    void panAndZoom(double shift, double factor);
    void followY();
    void reset();

    // For what is to be seen now. They keep what the user chose.
    void fitX(std::optional<Extent> keys);
    void fitY(std::optional<Extent> values, bool isLogY);

Q_SIGNALS:
    void changed(); ///< or to be fitted anew
    void zoomed(double lower, double upper); ///< by the user

private:
    void onRanged(bool isX);

    QCustomPlot& m_plot;
    std::optional<Extent> m_home;
    bool m_followsX = true;
    bool m_followsY = true;
    bool m_isSetting = false; ///< else the user changes a range
};

} // namespace earwright::ui
