#pragma once

#include "ui/editor/recipe_template.h"

#include <QDialog>

#include <atomic>
#include <functional>
#include <memory>

class QCheckBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace earwright::ui {

/// Makes a new recipe from a shipped template, or of a pretrained model and data: which one, where
/// its data is, where it goes. Files are read and written off the GUI thread; one that is there
/// already is never written over. Closing the dialog ends the reading of a list.
class NewRecipeDialog final : public QDialog {
    Q_OBJECT
public:
    /// `folder`: where the new file goes unless the user says otherwise.
    explicit NewRecipeDialog(const QString& folder, QWidget* parent = nullptr);
    ~NewRecipeDialog() override;

Q_SIGNALS:
    void created(const QString& path);

private:
    enum class PathKind { None, Folder, FileOrFolder };

    void build();
    QWidget* browsable(QLineEdit* edit, PathKind kind);
    void showTemplate();
    void addSetting(const RecipeTemplate& chosen, const QString& key);
    void orderTabs();
    void refresh();
    void tell(const QString& message, bool isError = false);
    void create();
    std::function<QString()> writing() const;
    const RecipeTemplate& chosen() const;
    QString path() const;

    std::vector<RecipeTemplate> m_templates;
    QListWidget* m_list;
    QLabel* m_description;
    QFormLayout* m_settings;
    QLineEdit* m_name;
    QLineEdit* m_folder;
    QLabel* m_message;
    QCheckBox* m_keepVocabulary;
    QCheckBox* m_keepText;
    QPushButton* m_create;
    std::shared_ptr<std::atomic_bool> m_isOpen = std::make_shared<std::atomic_bool>(true);
    QMap<QString, QLineEdit*> m_values; ///< of the template's settings
};

} // namespace earwright::ui
