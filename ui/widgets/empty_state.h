#pragma once

#include <QAction>
#include <QWidget>

namespace earwright::ui {

/// What an empty page shows: what belongs here and the actions that bring it.
class EmptyState final : public QWidget {
    Q_OBJECT
public:
    struct Content {
        QString iconName;
        QString title;
        QString hint;
        QList<QAction*> actions; ///< first = the one to take
    };
    explicit EmptyState(const Content& content, QWidget* parent = nullptr);
};

} // namespace earwright::ui
