#pragma once

#include "ui/utterances/alignment.h"

#include <QAbstractScrollArea>

namespace earwright::ui {

/// Alignments, one below the other: the reference, a line of signs (S, I, D) and what was
/// recognised, token below token, broken where the view is too narrow. What is wrong has a colour
/// and a sign. Arrows and pages scroll. GUI thread only.
class AlignmentView final : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit AlignmentView(QWidget* parent = nullptr);

    void setAlignments(std::vector<Alignment> alignments);
    const std::vector<Alignment>& alignments() const { return m_alignments; }
    /// Of an edit, on the palette's base: contrast at least 4.5.
    static QColor editColor(char edit, const QPalette& palette);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

private:
    /// A token above its sign above what was heard.
    struct Cell {
        const Alignment::Pair* pair;
        int x;
        int y;
        int width;
    };
    struct Title {
        const QString* text;
        int y;
    };

    void layOut();
    void placeAlignment(const Alignment& alignment, int& y);
    void paintCell(QPainter& painter, const Cell& cell) const;
    int lineHeight() const;

    std::vector<Alignment> m_alignments;
    std::vector<Cell> m_cells; ///< of m_alignments
    std::vector<Title> m_titles;
};

} // namespace earwright::ui
