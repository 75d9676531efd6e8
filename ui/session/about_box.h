#pragma once

class QWidget;

namespace earwright::ui {

void showAboutBox(QWidget& window); ///< what this program is, and its licences

} // namespace earwright::ui
