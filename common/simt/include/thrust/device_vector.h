// Thrust is headers alone: those of Debian's libthrust-dev, or of -isystem FOLDER, run it on the host.
#pragma once
#if __has_include_next(<thrust/device_vector.h>)
#include_next <thrust/device_vector.h>
#else
#error "Thrust runs here by headers that are not there: install libthrust-dev, or use -isystem FOLDER"
#endif
