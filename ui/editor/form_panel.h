#pragma once

#include "core/language/form.h"

#include <optional>
#include <QWidget>

class QLabel;
class QLineEdit;
class QTreeView;

namespace earwright::ui {

class FormModel;

/// The settings of a recipe as a form. What the user changes is a request: the text is edited, and
/// the form shows what the text then says.
class FormPanel final : public QWidget {
    Q_OBJECT
public:
    explicit FormPanel(QWidget* parent = nullptr);

    void setSections(std::vector<language::FormSection> sections);
    /// The last edit was refused. Shown until another one, or until another setting is chosen.
    void showError(const QString& path, const QString& message);
    FormModel* model() const { return m_model; }
    void takeFocus();
    void takeOpenEdit(); ///< -> edited, where a value is being typed

Q_SIGNALS:
    /// `text` "" = back to the default.
    void edited(const QString& path, const QString& text);
    void referenceActivated(const QString& path); ///< to be followed in the text
    void currentChanged(const QString& path);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Refusal {
        QString path, message;
    };

    void build();
    void showAbout(const QModelIndex& current);
    void applyFilter();
    QString currentPath() const;

    FormModel* m_model;
    QLineEdit* m_filter;
    QTreeView* m_view;
    QLabel* m_about;
    std::optional<Refusal> m_refused;
};

} // namespace earwright::ui
