#pragma once

namespace earwright::ui {

struct WindowParts;

// Once all actions are there.
void buildMenus(const WindowParts& parts);
void buildToolBar(const WindowParts& parts);

} // namespace earwright::ui
