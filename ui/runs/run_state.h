#pragma once

#include "core/run/snapshot.h"

#include <QColor>
#include <QPalette>
#include <QString>

#include <string>
#include <vector>

namespace earwright::ui {

/// What a state is called on screen, and its colour on the palette's base.
QString stateText(run::State state);
QColor stateColor(run::State state, const QPalette& palette);
/// Neither more events nor a stop are to be expected.
bool isOver(run::State state);

/// "ctc-bf16-20261121-154555" -> "ctc-bf16": a run's folder name without the time of its start.
QString nameWithoutTime(const QString& folderName);

/// {"cpu", "cpu"} -> "cpu ×2"; {"cuda:0", "cuda:1"} -> "cuda:0,1".
QString devicesText(const std::vector<std::string>& devices);

} // namespace earwright::ui
