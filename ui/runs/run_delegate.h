#pragma once

#include <QStyledItemDelegate>

namespace earwright::ui {

/// A run in two lines: the dot of its curves, name and time; state and setting, what it came to;
/// below them how far it is.
class RunDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit RunDelegate(QObject* parent = nullptr);

    /// Of several selected runs it has a frame, wherever the keyboard is.
    void setShownRun(const QString& runPath) { m_shownRun = runPath; }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;

private:
    QString m_shownRun;
};

} // namespace earwright::ui
