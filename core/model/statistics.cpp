#include "core/model/statistics.h"

namespace kymo::model {

void synchroniseStatistics(torch::nn::Module& module, const AllReduceSum& allReduce)
{
    module.apply([&allReduce](torch::nn::Module& part) {
        if (auto* sharing = dynamic_cast<SharesStatistics*>(&part))
            sharing->setAllReduce(allReduce);
    });
}

} // namespace kymo::model
