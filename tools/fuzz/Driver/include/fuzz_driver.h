#ifndef FUZZ_DRIVER_H
#define FUZZ_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether libFuzzer is linked in.
bool fuzz_driver_is_linked(void);

/// Runs libFuzzer with these arguments; answers its status.
int fuzz_driver_run(int count, char **arguments, int (*one_input)(const uint8_t *bytes, size_t count));

#endif
