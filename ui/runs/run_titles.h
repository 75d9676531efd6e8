#pragma once

#include <QFontMetrics>
#include <QHash>
#include <QString>
#include <QStringList>

namespace earwright::ui {

/// Of each title, how many letters another one begins with too.
QHash<QString, qsizetype> sharedBeginnings(QStringList titles);

/// A title cut to a width: in the middle, where that leaves the first letter that is its own, else
/// in what it shares with another, so that two which differ in the middle do not read alike.
QString cutTitle(const QString& title, qsizetype numShared, const QFontMetrics& metrics, int width);

} // namespace earwright::ui
