#include "core/model/statistics.h"

#include "core/model/batch_norm.h"

namespace earwright::model {

void synchroniseStatistics(torch::nn::Module& module, const AllReduceSum& allReduce, Shared which)
{
    module.apply([&](torch::nn::Module& part) {
        if (which == Shared::AllButBatchNorm && dynamic_cast<BatchNorm*>(&part))
            return;
        if (auto* sharing = dynamic_cast<SharesStatistics*>(&part))
            sharing->setAllReduce(allReduce);
    });
}

bool mixesRows(torch::nn::Module& module)
{
    bool found = false;
    module.apply([&found](torch::nn::Module& part) {
        const auto* sharing = dynamic_cast<SharesStatistics*>(&part);
        found = found || (sharing && sharing->mixesRows());
    });
    return found;
}

} // namespace earwright::model
