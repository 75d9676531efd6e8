#include "ui/widgets/combo_access.h"

#include <QAccessibleWidget>
#include <QComboBox>

namespace earwright::ui {
namespace {

class ComboAccess final : public QAccessibleWidget {
public:
    explicit ComboAccess(QComboBox* box)
        : QAccessibleWidget(box, QAccessible::ComboBox)
        , m_box(box)
    {
    }

    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? m_box->currentText() : QAccessibleWidget::text(kind);
    }
    QAccessible::State state() const override
    {
        QAccessible::State state = QAccessibleWidget::state();
        state.expandable = true;
        state.editable = m_box->isEditable();
        return state;
    }
    QStringList actionNames() const override
    {
        return QStringList { showMenuAction() } + QAccessibleWidget::actionNames();
    }
    void doAction(const QString& name) override
    {
        if (name == showMenuAction())
            m_box->showPopup();
        else
            QAccessibleWidget::doAction(name);
    }

private:
    QComboBox* m_box;
};

QAccessibleInterface* accessOf(const QString&, QObject* object)
{
    auto* box = qobject_cast<QComboBox*>(object);
    return box ? new ComboAccess(box) : nullptr;
}

} // namespace

void nameCombosByTheirLabels()
{
    QAccessible::installFactory(accessOf); // which knows those that it has
}

} // namespace earwright::ui
