#include "ui/widgets/column_scroll.h"

#include <QEvent>
#include <QScrollBar>

namespace earwright::ui {

ColumnScroll::ColumnScroll(QWidget* content, QWidget* parent)
    : QScrollArea(parent)
{
    setWidget(content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void ColumnScroll::fitToContent(int most)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setMaximumHeight(most);
}

QSize ColumnScroll::minimumSizeHint() const
{
    const int content = widget()->minimumSizeHint().width();
    return { content + verticalScrollBar()->sizeHint().width(),
        QScrollArea::minimumSizeHint().height() };
}

int ColumnScroll::heightForWidth(int width) const
{
    return widget()->heightForWidth(width);
}

/// Who lays this out asks again once the content needs more, or less.
bool ColumnScroll::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        updateGeometry();
    return QScrollArea::eventFilter(watched, event);
}

} // namespace earwright::ui
