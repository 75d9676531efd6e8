#pragma once

#include "ui/editor/recipe_checker.h"
#include "ui/widgets/when_done.h"

#include <functional>
#include <QObject>
#include <QtConcurrentRun>
#include <type_traits>
#include <vector>

namespace earwright::ui {

class RecipeEditor;
class RecipeFile;

/// The text of a page with its latest check. Questions to core/language are about the text as it
/// stands and answered off the GUI thread, a moment later. GUI thread only.
class CheckedText final : public QObject {
    Q_OBJECT
public:
    /// Of the editor's text, under the file's path.
    CheckedText(const RecipeEditor* editor, const RecipeFile* file, QObject* parent);

    void setContext(const CheckContext& context) { m_checker->setContext(context); }
    const CheckResultPtr& latest() const { return m_check; } ///< null before the first
    void checkLater();

    /// `use` gets the document of the text as it is: now, or when it has been checked.
    void withDocument(std::function<void(const language::DocumentPtr&)> use);
    /// `ask(document)` off the GUI thread, then `use(answer)` in it.
    template <class Ask, class Use>
    void query(Ask ask, Use use);

Q_SIGNALS:
    void changed(const earwright::ui::CheckResultPtr& check); ///< before those that wait get it
    void checked();

private:
    void onChecked(const CheckResultPtr& result);

    const RecipeEditor* m_editor;
    const RecipeFile* m_file;
    RecipeChecker* m_checker;
    CheckResultPtr m_check;
    std::vector<std::function<void(const language::DocumentPtr&)>> m_awaiting;
};

template <class Ask, class Use>
void CheckedText::query(Ask ask, Use use)
{
    using Answer = std::invoke_result_t<Ask, const language::Document&>;
    withDocument([this, ask, use](const language::DocumentPtr& document) {
        whenDone(QtConcurrent::run([ask, document] { return ask(*document); }), this,
            [this, ask, use, document](const Answer& answer) {
                if (m_checker->isCurrent() && m_check->document == document)
                    use(answer);
                else
                    query(ask, use); // of a text that is no more
            });
    });
}

} // namespace earwright::ui
