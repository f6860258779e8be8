// nvToolsExt.h: the name that nvtx3/nvToolsExt.h had before.
#pragma once
#include "nvtx3/nvToolsExt.h"
