#include "CServedFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char live_page[] = {
#embed "live.html"
};

static const unsigned char openapi_document[] = {
#embed "openapi.json"
};

served_file served_live_page(void) {
    return (served_file){live_page, sizeof live_page};
}

served_file served_openapi_document(void) {
    return (served_file){openapi_document, sizeof openapi_document};
}
