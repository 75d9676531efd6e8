#pragma once

#include "core/language/symbols.h"

#include <QFrame>

class QLabel;
class QLineEdit;

namespace earwright::ui {

/// The new name of a key, asked for where the key stands; says how many places change before they
/// do. Enter renames, Escape leaves everything as it is. Deletes itself.
class RenameBox final : public QFrame {
    Q_OBJECT
public:
    struct Target {
        language::DocumentPtr document;
        recipe::Position at;
        QString name; ///< as it is now
    };
    RenameBox(Target target, QWidget* parent);

    QString message() const; ///< "3 places change", or why the name cannot be taken

Q_SIGNALS:
    void renamed(const std::vector<earwright::recipe::Edit>& edits);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    using Edits = Result<std::vector<recipe::Edit>>;

    void preview(); ///< off the GUI thread: a rename is proved by resolving the recipe again
    void onPreview(const Edits& edits);
    void confirm();
    void finish();

    Target m_target;
    QLineEdit* m_name;
    QLabel* m_message;
    std::vector<recipe::Edit> m_edits; ///< of the name typed; empty where it cannot be taken
    quint64 m_generation = 0;
    bool m_isPending = false; ///< the preview of the name typed is under way
    bool m_isConfirmed = false; ///< Enter came before it
};

} // namespace earwright::ui
