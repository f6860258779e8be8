// Of Thrust (device_vector.h), with what it throws on a GPU: there its headers bring that, too, and programs catch it.
#pragma once
#include_next <thrust/device_malloc.h>
#include <thrust/device_vector.h>
#include <thrust/system_error.h>
