#pragma once

#include "ui/editor/recipe_page.h"
#include "ui/widgets/when_done.h"

#include <QtConcurrentRun>
#include <type_traits>

namespace earwright::ui {

template <class Ask, class Use>
void RecipePage::query(Ask ask, Use use)
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
