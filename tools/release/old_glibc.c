// Functions whose newest form is newer than the glibc that the programs are meant for, in the form of before. The linker's option
// --wrap sends the calls here.

#if defined(__x86_64__)
#define OLDEST "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define OLDEST "GLIBC_2.17"
#else
#error "add the first version of glibc for this processor: https://sourceware.org/glibc/wiki/ABIList"
#endif

// glibc 2.35 has forms that do not set errno.
__asm__(".symver old_hypot, hypot@" OLDEST);
__asm__(".symver old_hypotf, hypotf@" OLDEST);
double old_hypot(double, double);
float old_hypotf(float, float);

double __wrap_hypot(double x, double y) { return old_hypot(x, y); }
float __wrap_hypotf(float x, float y) { return old_hypotf(x, y); }
