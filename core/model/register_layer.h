#pragma once

#include "core/catalog/class_table.h"
#include "core/catalog/read_impl.h"
#include "core/model/layer_table.h"

namespace earwright::model {

/// A layer class that its own file names, once and for all: recipes may have it by `name`, the
/// catalogue knows the fields of its Config, `give` what it gives for a frame, and LayerType(const
/// Config&) is what is built. To be called before main(), as the tables are made once; a name that
/// stands in them already keeps its class. Something must name the file, or a static library leaves
/// it out. Programs without Torch do not know the class.
template <class LayerType, class Config>
bool registerLayer(const std::string& name, bool ownsParameters, catalog::Give give)
{
    catalog::registeredClasses().push_back(
        { catalog::infoOf<Config>(name, catalog::Role::Module, ownsParameters), { give } });
    registeredLayers().add<LayerType, Config>(name);
    return true;
}

} // namespace earwright::model
