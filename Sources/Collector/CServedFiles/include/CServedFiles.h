// The files that a collector serves, as bytes of its program. Embedded by #embed (C23): as embedded resources of SwiftPM, which are arrays
// in Swift, they cost the compiler half a minute.
#ifndef C_SERVED_FILES_H
#define C_SERVED_FILES_H

#include <stddef.h>

typedef struct {
    const unsigned char *_Nonnull bytes;
    size_t count;
} served_file;

served_file served_live_page(void);
served_file served_openapi_document(void);

#endif
