#pragma once

#include <QString>
#include <QTextDocument>

namespace earwright::ui {

/// Text for a tool tip, which takes what looks like HTML for HTML: of `!ref <head>` it would show
/// the beginning alone.
inline QString plainTip(const QString& text)
{
    return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text, Qt::WhiteSpaceNormal) : text;
}

} // namespace earwright::ui
