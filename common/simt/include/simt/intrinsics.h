// Everything that kernels can call without a header: built-in variables, barriers,
// warp primitives, arithmetic, cached loads.
#pragma once
#include "simt/arithmetic.h"
#include "simt/cached_access.h"
#include "simt/dynamic_programming.h"
#include "simt/execution.h"
#include "simt/packed_integers.h"
#include "simt/rounded.h"
#include "simt/warp.h"
