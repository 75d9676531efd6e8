#pragma once

#include "ui/compare/compare_run.h"

#include <QWidget>

#include <vector>

class QCPPainter;
class QCPTextElement;
class QCustomPlot;

namespace earwright::ui {

/// The runs that have a bar: all of a few; of more than 12 the baseline and, around it in order of
/// speed, the fastest and the slowest.
std::vector<CompareRun> runsWithBars(
    const std::vector<CompareRun>& runs, const QString& baselinePath);

/// A horizontal bar a run: it/s, and how many times the baseline's.
class SpeedBars final : public QWidget {
    Q_OBJECT
public:
    explicit SpeedBars(QWidget* parent = nullptr);

    void setRuns(const std::vector<CompareRun>& runs, const QString& baselinePath);
    void paint(QCPPainter& painter, QSize size);
    QCustomPlot* plot() const { return m_plot; }
    int numBars() const { return m_numBars; }

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void addBar(const CompareRun& run, double place, double speed, double baseline);

    void fitRange(int widthPx);

    QCustomPlot* m_plot;
    QCPTextElement* m_title = nullptr;
    double m_fastest = 0;
    int m_numBars = 0;
};

} // namespace earwright::ui
