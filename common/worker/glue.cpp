// The lab's own part of a worker, compiled once a lab: the contract, whose LAB_EXPORT lines offer its
// functions, is included from the command line (-include worker/offer.h -include labs/NN_name/NAME.h).
#include "worker/offer.h"
