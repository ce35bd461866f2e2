#include "harness/contract/chain.h"
