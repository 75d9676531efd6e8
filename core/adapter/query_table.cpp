#include "core/adapter/query_table.h"

namespace earwright::adapter {

namespace {

constexpr const char* kTableKey = "embed"; ///< of the model's weights too
constexpr const char* kTableRows = "16"; ///< 7, 7 languages and 2 styles

} // namespace

std::string writeQueryTable(RecipeText& recipe)
{
    const recipe::NodePtr width = recipe::makeScalar("<encoder[input_size]>");
    width->tag = "!ref";
    const recipe::NodePtr table = emptyMapping();
    table->tag = "!new:torch.nn.Embedding";
    table->entries = { { recipe::makeScalar("num_embeddings"), recipe::makeScalar(kTableRows) },
        { recipe::makeScalar("embedding_dim"), width } };
    recipe.put(kTableKey, table, "a layer that the model makes itself");
    return kTableKey;
}

} // namespace earwright::adapter
