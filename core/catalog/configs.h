#pragma once

// Every typed config of the catalogue.

#include "core/catalog/configs/activation.h"
#include "core/catalog/configs/augment.h"
#include "core/catalog/configs/container.h"
#include "core/catalog/configs/conv_encoder.h"
#include "core/catalog/configs/convolution.h"
#include "core/catalog/configs/crdnn.h"
#include "core/catalog/configs/features.h"
#include "core/catalog/configs/linear.h"
#include "core/catalog/configs/loss.h"
#include "core/catalog/configs/normalization.h"
#include "core/catalog/configs/optimizer.h"
#include "core/catalog/configs/paraformer.h"
#include "core/catalog/configs/pooling.h"
#include "core/catalog/configs/recurrent.h"
#include "core/catalog/configs/scheduler.h"
#include "core/catalog/configs/search.h"
#include "core/catalog/configs/torch_layers.h"
#include "core/catalog/configs/transformer.h"
#include "core/catalog/configs/utility.h"
#include "core/catalog/configs/wav_frontend.h"
