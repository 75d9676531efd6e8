#include "ui/widgets/column_header.h"

namespace earwright::ui {

QVariant headerValue(const ColumnHeader& header, int role, const QMetaObject& model)
{
    switch (role) {
    case Qt::DisplayRole:
        return model.tr(header.title, nullptr);
    case Qt::AccessibleTextRole:
        return model.tr(header.title, nullptr).simplified();
    case Qt::ToolTipRole:
        return *header.help ? QVariant(model.tr(header.help, nullptr)) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment(header.isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
        return {};
    }
}

} // namespace earwright::ui
