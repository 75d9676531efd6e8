#pragma once

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QSet>
#include <QTabBar>
#include <QTest>

#include <algorithm>

constexpr const char* kMarkedText = "<b>x</b><img src=x.png>";
inline const QString kMarkedName = QStringLiteral("<b>x<img src=x.png>"); ///< a file's has no slash

/// Looks at every text of the program's widgets that Qt may take for HTML.
class TextWalk final {
public:
    void walk()
    {
        for (QWidget* widget : QApplication::allWidgets()) {
            widget->ensurePolished(); // as before it is laid out or painted
            lookAt(*widget);
        }
    }
    /// Where one of the marked texts would be drawn: "runView, cell".
    QSet<QString> drawing() const { return m_drawing; }
    /// The names of the widgets that showed one, in a tip or a label.
    QSet<QString> showing() const { return m_showing; }

private:
    static constexpr int kMostRows = 50; ///< of each model

    void lookAt(const QWidget& widget)
    {
        const QString name = widget.objectName().isEmpty()
            ? QString::fromLatin1(widget.metaObject()->className())
            : widget.objectName();
        take(name, "tool tip", widget.toolTip());
        take(name, "What's This", widget.whatsThis());
        for (const QAction* action : widget.actions())
            take(action->objectName(), "action", action->toolTip());
        if (const auto* label = qobject_cast<const QLabel*>(&widget))
            take(name, "label", label->text(), label->textFormat());
        if (const auto* bar = qobject_cast<const QTabBar*>(&widget))
            for (int tab = 0; tab < bar->count(); ++tab)
                take(name, "tab", bar->tabToolTip(tab));
        if (const auto* box = qobject_cast<const QComboBox*>(&widget))
            lookAt(name, *box->model(), {});
        if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget);
            view && view->model())
            lookAt(name, *view->model(), {});
    }
    void lookAt(const QString& name, const QAbstractItemModel& model, const QModelIndex& parent)
    {
        for (int column = 0; column < model.columnCount(parent); ++column) {
            take(name, "header",
                model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
            for (int row = 0; row < std::min(kMostRows, model.rowCount(parent)); ++row) {
                const QModelIndex index = model.index(row, column, parent);
                for (const int role : { Qt::ToolTipRole, Qt::WhatsThisRole })
                    take(name, "cell", index.data(role).toString());
                if (column == 0)
                    lookAt(name, model, index);
            }
        }
    }
    void take(const QString& name, const char* what, const QString& text,
        Qt::TextFormat format = Qt::AutoText)
    {
        const bool isHtml = format == Qt::RichText || format == Qt::MarkdownText
            || (format == Qt::AutoText && Qt::mightBeRichText(text));
        if (isHtml && text.contains(QStringLiteral("<b>x")))
            m_drawing << QStringLiteral("%1, %2").arg(name, QLatin1String(what));
        if (text.contains(QStringLiteral("<b>x")) || text.contains(QStringLiteral("&lt;b&gt;x")))
            m_showing << name;
    }

    QSet<QString> m_drawing;
    QSet<QString> m_showing;
};
