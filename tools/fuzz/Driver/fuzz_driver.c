#include "fuzz_driver.h"

// Where libFuzzer is not linked, as in every usual build, its address is zero.
extern int LLVMFuzzerRunDriver(
    int *count, char ***arguments, int (*one_input)(const uint8_t *bytes, size_t count)) __attribute__((weak));

bool fuzz_driver_is_linked(void) { return LLVMFuzzerRunDriver != NULL; }

int fuzz_driver_run(int count, char **arguments, int (*one_input)(const uint8_t *bytes, size_t count)) {
    return LLVMFuzzerRunDriver(&count, &arguments, one_input);
}
