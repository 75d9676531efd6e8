#pragma once

#include "ui/widgets/plot_axis.h"

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

    void setXAxis(XAxis axis);
    void setSmoothing(double smoothing);
    /// Puts a page's own control before the buttons.
    void addControl(QWidget* control);

Q_SIGNALS:
    void xAxisChosen(earwright::ui::XAxis axis);
    void smoothingChosen(double smoothing);
    void logYChosen(bool isLogY);
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
    QPushButton* m_reset;
    QPushButton* m_export;
};

} // namespace earwright::ui
