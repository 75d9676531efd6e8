#pragma once

#include "ui/editor/difference_model.h"
#include "ui/editor/recipe_source.h"

#include <QDialog>
#include <utility>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTreeView;

namespace earwright::ui {

/// What two recipes mean differently: both are resolved off the GUI thread and compared by setting.
/// Enter jumps to the setting in the text. Not modal: the recipe can be edited beside it.
class DifferenceDialog final : public QDialog {
    Q_OBJECT
public:
    /// `left` and `right`: what is compared at first, by index.
    DifferenceDialog(
        std::vector<RecipeSource> sources, std::pair<int, int> first, QWidget* parent = nullptr);

    DifferenceModel* model() const { return m_model; }
    QString message() const; ///< "3 settings differ", "Nothing differs", or what cannot be read

Q_SIGNALS:
    void compared();
    /// A place in a file; the right one's where both have it.
    void activated(const earwright::recipe::Span& place);

private:
    struct Compared {
        std::vector<language::Difference> differences;
        QString error {};
    };
    static Compared compareSources(const RecipeSource& left, const RecipeSource& right);

    void build();
    QComboBox* addChoice(const char* name, const QString& title, int index);
    void compare();
    void showResult(const Compared& result);
    void jump(const QModelIndex& shown);

    std::vector<RecipeSource> m_sources;
    DifferenceModel* m_model;
    QSortFilterProxyModel* m_filtered;
    QComboBox* m_left;
    QComboBox* m_right;
    QLineEdit* m_filter;
    QTreeView* m_view;
    QLabel* m_message;
    quint64 m_generation = 0;
};

} // namespace earwright::ui
