#pragma once

#include <QStyledItemDelegate>

#include <algorithm>

namespace earwright::ui {

/// Names of files, and places in them: as wide as so many letters at most, and cut in the middle
/// where that is too little, for their ends tell them apart.
class CutDelegate final : public QStyledItemDelegate {
public:
    CutDelegate(int maxLetters, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_maxLetters(maxLetters)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const QSize whole = QStyledItemDelegate::sizeHint(option, index);
        const int most = m_maxLetters * option.fontMetrics.averageCharWidth();
        return { std::min(whole.width(), most), whole.height() };
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideMiddle;
    }

private:
    int m_maxLetters;
};

} // namespace earwright::ui
