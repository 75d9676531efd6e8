#pragma once

#include "ui/editor/swap_file.h"

#include <QObject>

class QWidget;

namespace earwright::ui {

class InfoBar;
class RecipeEditor;
class RecipeFile;
class RecipeSaving;

/// Offers what a crash left unsaved of a page's recipe. GUI thread only.
class RecipeRecovery final : public QObject {
    Q_OBJECT
public:
    struct Parts {
        const RecipeFile* file;
        SwapFile* swap;
        RecipeEditor* editor;
        RecipeSaving* saving;
        InfoBar* bar; ///< its question stays while others come and go
    };
    RecipeRecovery(const Parts& parts, QWidget* page);

private:
    void offer(const LeftText& left);
    void recover(const LeftText& left);

    const Parts m_of;
    QWidget* m_page;
};

} // namespace earwright::ui
