// What the benchmarks need from C: one header a concern.
#ifndef CBASELINES_H
#define CBASELINES_H

#include "allocations.h"
#include "baselines.h"
#include "sending.h"

#endif
