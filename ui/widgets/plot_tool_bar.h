#pragma once

#include "ui/widgets/plot_view.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSlider;

namespace earwright::ui {

class FlowLayout;

/// What to change about all plots of a page, in as many rows as it takes.
class PlotToolBar final : public QWidget {
    Q_OBJECT
public:
    explicit PlotToolBar(QWidget* parent = nullptr);

    XAxis xAxis() const;
    void setXAxis(XAxis axis);
    /// What was chosen last; a plot may have been told something else meanwhile.
    PlotOptions options() const;
    void setOptions(const PlotOptions& options);
    void setSmoothing(double smoothing);
    /// Puts a page's own control before the buttons.
    void addControl(QWidget* control);

Q_SIGNALS:
    void xAxisChosen(earwright::ui::XAxis axis);
    void smoothingChosen(double smoothing);
    void logYChosen(bool isLogY);
    void clippedChosen(bool isClipped);
    void resetRequested();
    void exportRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildControls();
    void connectControls();

    FlowLayout* m_layout;
    QComboBox* m_xAxis;
    QSlider* m_smoothing;
    QLabel* m_smoothingText;
    QCheckBox* m_logY;
    QCheckBox* m_clipped;
    QPushButton* m_reset;
    QPushButton* m_export;
};

} // namespace earwright::ui
