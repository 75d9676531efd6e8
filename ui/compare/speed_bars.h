#pragma once

#include "ui/compare/compare_run.h"

#include <QWidget>

#include <vector>

class QCPPainter;
class QCustomPlot;

namespace earwright::ui {

/// A horizontal bar a run: it/s, and how many times the baseline's.
class SpeedBars final : public QWidget {
    Q_OBJECT
public:
    explicit SpeedBars(QWidget* parent = nullptr);

    void setRuns(const std::vector<CompareRun>& runs, const QString& baselinePath);
    void paint(QCPPainter& painter, QSize size);
    QCustomPlot* plot() const { return m_plot; }

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void addBar(const CompareRun& run, double place, double speed, double baseline);

    void fitRange(int widthPx);

    QCustomPlot* m_plot;
    double m_fastest = 0;
};

} // namespace earwright::ui
