#include "ui/utterances/alignment_view.h"

#include "ui/widgets/theme.h"

#include <algorithm>
#include <QEvent>
#include <QPainter>
#include <QPaintEvent>
#include <QScrollBar>

namespace earwright::ui {

namespace {

constexpr int kAlignmentMargin = 6;
constexpr int kTokenGap = 8;
constexpr int kRowGap = 10; ///< between three lines and the next three
const QString kNoToken = QStringLiteral("–");

} // namespace

AlignmentView::AlignmentView(QWidget* parent)
    : QAbstractScrollArea(parent)
{
    setObjectName(QStringLiteral("alignment"));
    setAccessibleName(tr("Alignment of the utterance"));
    setFrameShape(NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setBackgroundRole(QPalette::Base);
}

QColor AlignmentView::editColor(char edit, const QPalette& palette)
{
    switch (edit) {
    case 'S':
        return toneColor(Tone::Warning, palette);
    case 'D':
        return toneColor(Tone::Bad, palette);
    case 'I':
        return toneColor(Tone::Info, palette);
    default:
        return palette.color(QPalette::Text);
    }
}

void AlignmentView::setAlignments(std::vector<Alignment> alignments)
{
    m_alignments = std::move(alignments);
    QStringList texts;
    for (const Alignment& alignment : m_alignments)
        texts << (alignment.title.isEmpty()
                ? alignment.text()
                : alignment.title + QStringLiteral(": ") + alignment.text());
    setAccessibleDescription(texts.join(u'\n'));
    verticalScrollBar()->setValue(0);
    layOut();
}

int AlignmentView::lineHeight() const
{
    return fontMetrics().height() + 1;
}

void AlignmentView::layOut()
{
    m_cells.clear();
    m_titles.clear();
    int y = kAlignmentMargin;
    for (const Alignment& alignment : m_alignments)
        placeAlignment(alignment, y);
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(lineHeight());
    verticalScrollBar()->setRange(0, std::max(0, y - viewport()->height()));
    viewport()->update();
}

void AlignmentView::placeAlignment(const Alignment& alignment, int& y)
{
    if (!alignment.title.isEmpty()) {
        m_titles.push_back({ &alignment.title, y });
        y += lineHeight() + 2;
    }
    const QFontMetrics metrics = fontMetrics();
    const int room = viewport()->width() - 2 * kAlignmentMargin;
    int x = 0;
    for (const Alignment::Pair& pair : alignment.pairs) {
        // One more: the advance is rounded down, and a text that lacks a part of a pixel is cut.
        const int width = 1
            + std::max({ metrics.horizontalAdvance(pair.reference),
                metrics.horizontalAdvance(pair.hypothesis), metrics.horizontalAdvance(u'S') });
        if (x > 0 && x + width > room) {
            x = 0;
            y += 3 * lineHeight() + kRowGap;
        }
        m_cells.push_back({ &pair, kAlignmentMargin + x, y, std::min(width, room) });
        x += width + kTokenGap;
    }
    y += 3 * lineHeight() + kRowGap;
}

void AlignmentView::paintCell(QPainter& painter, const Cell& cell) const
{
    const Alignment::Pair& pair = *cell.pair;
    const auto draw = [&](int line, const QString& text, const QColor& color) {
        painter.setPen(color);
        painter.drawText(QRect(cell.x, cell.y + line * lineHeight(), cell.width, lineHeight()),
            Qt::AlignHCenter | Qt::AlignVCenter | Qt::TextSingleLine,
            painter.fontMetrics().elidedText(text, Qt::ElideMiddle, cell.width));
    };
    const QColor color = editColor(pair.edit, palette());
    const QColor muted = toneColor(Tone::Muted, palette());
    const auto drawToken = [&](int line, const QString& token) {
        token.isEmpty() ? draw(line, kNoToken, muted) : draw(line, token, color);
    };
    drawToken(0, pair.reference);
    if (pair.edit != '=')
        draw(1, QString(QLatin1Char(pair.edit)), color);
    drawToken(2, pair.hypothesis);
}

void AlignmentView::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    painter.fillRect(event->rect(), palette().color(QPalette::Base));
    const int top = verticalScrollBar()->value();
    painter.translate(0, -top);
    const auto isVisible
        = [&](int y) { return y + 3 * lineHeight() >= top && y <= top + viewport()->height(); };
    painter.setPen(toneColor(Tone::Muted, palette()));
    for (const Title& title : m_titles)
        if (isVisible(title.y))
            painter.drawText(QRect(kAlignmentMargin, title.y,
                                 viewport()->width() - 2 * kAlignmentMargin, lineHeight()),
                Qt::AlignVCenter | Qt::TextSingleLine,
                painter.fontMetrics().elidedText(
                    *title.text, Qt::ElideMiddle, viewport()->width() - 2 * kAlignmentMargin));
    for (const Cell& cell : m_cells)
        if (isVisible(cell.y))
            paintCell(painter, cell);
}

void AlignmentView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

void AlignmentView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        layOut();
}

QSize AlignmentView::minimumSizeHint() const
{
    return { 120, 3 * lineHeight() + 2 * kAlignmentMargin };
}

QSize AlignmentView::sizeHint() const
{
    return { 420, 6 * lineHeight() + 3 * kAlignmentMargin };
}

} // namespace earwright::ui
