#include "ui/editor/checked_text.h"

#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_file.h"

#include <utility>

namespace earwright::ui {

CheckedText::CheckedText(const RecipeEditor* editor, const RecipeFile* file, QObject* parent)
    : QObject(parent)
    , m_editor(editor)
    , m_file(file)
    , m_checker(new RecipeChecker(this))
{
    connect(m_checker, &RecipeChecker::checked, this, &CheckedText::onChecked);
}

void CheckedText::checkLater()
{
    m_checker->schedule(m_editor->text(), m_file->path());
}

void CheckedText::withDocument(std::function<void(const language::DocumentPtr&)> use)
{
    if (m_check && m_checker->isCurrent())
        return use(m_check->document);
    m_awaiting.push_back(std::move(use));
    m_checker->hurry();
}

void CheckedText::onChecked(const CheckResultPtr& result)
{
    m_check = result;
    Q_EMIT changed(result);
    for (const auto& use : std::exchange(m_awaiting, {}))
        use(result->document);
    Q_EMIT checked();
}

} // namespace earwright::ui
