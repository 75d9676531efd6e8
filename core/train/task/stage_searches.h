#pragma once

#include "core/settings/tree.h"
#include "core/train/task/load_language_model.h"
#include "core/train/task/task.h"

#include <c10/util/Exception.h>
#include <optional>
#include <utility>

namespace earwright::train {

/// A task's `valid_search` and `test_search`. Search: AttentionSearch, or another class with its
/// load(), keep() and isGreedy().
template <class Search>
class StageSearches final {
public:
    /// make(entry) -> Result<Search>, of each that the recipe has. Errors begin with its key.
    template <class Make>
    Status read(const recipe::Node& recipe, const Make& make)
    {
        for (const Stage stage : { Stage::Valid, Stage::Test }) {
            const recipe::Entry* entry = settings::findEntry(recipe, keyOf(stage));
            if (!entry || recipe::isNull(*entry->value))
                continue;
            Result<Search> made = make(*entry);
            if (!made)
                return inSearch(stage, made.error());
            of(stage).emplace(std::move(*made));
        }
        return Done {};
    }
    /// Loads the language models that the stage's search asks, once for both.
    Status load(Stage stage)
    {
        if (stage == Stage::Train || !of(stage))
            return Done {};
        const Status loaded = of(stage)->load(m_languageModels);
        return loaded ? loaded : Status(inSearch(stage, loaded.error()));
    }
    /// Loaded; null where the recipe has none.
    const Search* at(Stage stage)
    {
        const Status loaded = load(stage);
        TORCH_CHECK(loaded, loaded ? "" : loaded.error().message);
        return of(stage) ? &*of(stage) : nullptr;
    }
    bool testsByBeams() const { return m_test && !m_test->isGreedy(); }
    std::optional<Search>& of(Stage stage) { return stage == Stage::Test ? m_test : m_valid; }
    const std::optional<Search>& of(Stage stage) const
    {
        return stage == Stage::Test ? m_test : m_valid;
    }

private:
    static const char* keyOf(Stage stage)
    {
        return stage == Stage::Test ? "test_search" : "valid_search";
    }
    static Error inSearch(Stage stage, const Error& error)
    {
        return Error { std::string(keyOf(stage)) + ": " + error.message };
    }

    std::optional<Search> m_valid, m_test;
    LanguageModels m_languageModels;
};

} // namespace earwright::train
