#include "libcurl_exchange.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

// From curl/curl.h and curl/multi.h, whose numbers are frozen: https://curl.se/libcurl/abi.html
enum {
    GLOBAL_ALL = 3,
    OPTION_LOW_SPEED_LIMIT = 19,
    OPTION_LOW_SPEED_TIME = 20,
    OPTION_SSLVERSION = 32,
    OPTION_POST = 47,
    OPTION_HTTPGET = 80,
    OPTION_NOSIGNAL = 99,
    OPTION_CONNECTTIMEOUT = 78,
    OPTION_PROTOCOLS = 181,
    OPTION_HTTP09_ALLOWED = 285,
    OPTION_WRITEDATA = 10001,
    OPTION_URL = 10002,
    OPTION_POSTFIELDS = 10015,
    OPTION_HTTPHEADER = 10023,
    OPTION_HEADERDATA = 10029,
    OPTION_CAINFO = 10065,
    OPTION_NOPROXY = 10177,
    OPTION_WRITEFUNCTION = 20011,
    OPTION_HEADERFUNCTION = 20079,
    OPTION_POSTFIELDSIZE_LARGE = 30120,
    PROTOCOLS_HTTP_AND_HTTPS = 3,
    TLS_1_2_OR_NEWER = 6,
    INFO_RESPONSE_CODE = 0x200002,
    MESSAGE_DONE = 1,
    ERROR_FAILED_INIT = 2,
    ERROR_OUT_OF_MEMORY = 27,
    ERROR_INTERNAL = 43,
};

// CURLMsg
typedef struct {
    int message;
    void *easy;
    union {
        void *other;
        int result;
    } data;
} multi_message;

typedef size_t (*curl_receiver)(char *bytes, size_t size, size_t count, void *context);

static struct {
    int is_available;
    void *(*easy_init)(void);
    void (*easy_cleanup)(void *);
    int (*easy_setopt)(void *, int, ...);
    int (*easy_getinfo)(void *, int, ...);
    void *(*slist_append)(void *, const char *);
    void (*slist_free_all)(void *);
    void *(*multi_init)(void);
    int (*multi_cleanup)(void *);
    int (*multi_add_handle)(void *, void *);
    int (*multi_remove_handle)(void *, void *);
    int (*multi_perform)(void *, int *);
    int (*multi_poll)(void *, void *, unsigned int, int, int *);
    int (*multi_wakeup)(void *);
    multi_message *(*multi_info_read)(void *, int *);
} curl;

static void load(void) {
    // FoundationNetworking links the same library, so it is usually loaded already.
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    int (*global_init)(long) = (int (*)(long))dlsym(library, "curl_global_init");
#define FIND(name) (*(void **)(&curl.name) = dlsym(library, "curl_" #name))
    int has_all = global_init && FIND(easy_init) && FIND(easy_cleanup) && FIND(easy_setopt) && FIND(easy_getinfo)
        && FIND(slist_append) && FIND(slist_free_all) && FIND(multi_init) && FIND(multi_cleanup)
        && FIND(multi_add_handle) && FIND(multi_remove_handle) && FIND(multi_perform) && FIND(multi_poll)
        && FIND(multi_wakeup) && FIND(multi_info_read);
#undef FIND
    curl.is_available = has_all && global_init(GLOBAL_ALL) == 0;
}

static pthread_once_t loading = PTHREAD_ONCE_INIT;

int libcurl_is_available(void) {
    pthread_once(&loading, load);
    return curl.is_available;
}

struct libcurl_session {
    void *multi;
    atomic_int is_cancelled;
};

libcurl_session *libcurl_session_create(void) {
    if (!libcurl_is_available()) return NULL;
    libcurl_session *session = calloc(1, sizeof *session);
    if (!session) return NULL;
    session->multi = curl.multi_init();
    if (session->multi) return session;
    free(session);
    return NULL;
}

void libcurl_session_destroy(libcurl_session *session) {
    if (!session) return;
    curl.multi_cleanup(session->multi);
    free(session);
}

void libcurl_cancel(libcurl_session *session) {
    atomic_store(&session->is_cancelled, 1);
    curl.multi_wakeup(session->multi);
}

static size_t receive_header(char *bytes, size_t size, size_t count, void *context) {
    const libcurl_request *request = context;
    return request->receive_header(request->context, bytes, size * count) ? size * count : 0;
}

static size_t receive_body(char *bytes, size_t size, size_t count, void *context) {
    const libcurl_request *request = context;
    // Skip empty parts: a result of 0 for 0 bytes would be treated as an error.
    return size * count == 0 || request->receive_body(request->context, bytes, size * count) ? size * count : 0;
}

// Stores the request in the handle. Returns a CURLcode.
static int configure(void *easy, const libcurl_request *request, void *fields) {
    int failed = 0;
#define SET(option, value) (failed = failed ? failed : curl.easy_setopt(easy, option, value))
    SET(OPTION_URL, request->url);
    SET(OPTION_PROTOCOLS, (long)PROTOCOLS_HTTP_AND_HTTPS);
    SET(OPTION_HTTP09_ALLOWED, 0L);
    SET(OPTION_SSLVERSION, (long)TLS_1_2_OR_NEWER);
    SET(OPTION_NOSIGNAL, 1L);
    SET(OPTION_CONNECTTIMEOUT, request->timeout_seconds);
    SET(OPTION_LOW_SPEED_LIMIT, 1L);
    SET(OPTION_LOW_SPEED_TIME, request->timeout_seconds);
    if (request->ignores_proxy) SET(OPTION_NOPROXY, "*");
    if (request->certificates) SET(OPTION_CAINFO, request->certificates);
    if (request->is_get) {
        SET(OPTION_HTTPGET, 1L);
    } else {
        SET(OPTION_POST, 1L);
        SET(OPTION_POSTFIELDSIZE_LARGE, (long long)request->body_count);
        SET(OPTION_POSTFIELDS, request->body);
    }
    SET(OPTION_HTTPHEADER, fields);
    SET(OPTION_HEADERFUNCTION, (curl_receiver)receive_header);
    SET(OPTION_HEADERDATA, (void *)request);
    SET(OPTION_WRITEFUNCTION, (curl_receiver)receive_body);
    SET(OPTION_WRITEDATA, (void *)request);
#undef SET
    return failed;
}

// Runs the handle to its end. Returns a CURLcode, or LIBCURL_CANCELLED.
static int run(libcurl_session *session, void *easy) {
    int running = 1;
    while (!atomic_load(&session->is_cancelled)) {
        if (curl.multi_perform(session->multi, &running) != 0) return ERROR_INTERNAL;
        if (!running) {
            int rest = 0;
            multi_message *message;
            while ((message = curl.multi_info_read(session->multi, &rest))) {
                if (message->message == MESSAGE_DONE && message->easy == easy) return message->data.result;
            }
            return ERROR_INTERNAL;
        }
        // Returns for a socket, for one of libcurl's own timers, or for libcurl_cancel.
        if (curl.multi_poll(session->multi, NULL, 0, 60000, NULL) != 0) return ERROR_INTERNAL;
    }
    return LIBCURL_CANCELLED;
}

int libcurl_exchange(libcurl_session *session, const libcurl_request *request, long *status) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);

    *status = 0;
    void *easy = curl.easy_init();
    if (!easy) return ERROR_FAILED_INIT;
    void *fields = NULL;
    int result = 0;
    for (size_t index = 0; index < request->field_count; index++) {
        void *longer = curl.slist_append(fields, request->fields[index]);
        if (!longer) {
            result = ERROR_OUT_OF_MEMORY;
            break;
        }
        fields = longer;
    }
    if (result == 0) result = configure(easy, request, fields);
    if (result == 0 && curl.multi_add_handle(session->multi, easy) != 0) result = ERROR_INTERNAL;
    if (result == 0) {
        result = run(session, easy);
        // Also for a truncated response, which libcurl reports as an error.
        if (result != LIBCURL_CANCELLED) curl.easy_getinfo(easy, INFO_RESPONSE_CODE, status);
        curl.multi_remove_handle(session->multi, easy);
    }
    curl.easy_cleanup(easy);
    curl.slist_free_all(fields);
    return result;
}

#else

// Other systems have a reliable URLSession.
int libcurl_is_available(void) { return 0; }
libcurl_session *libcurl_session_create(void) { return NULL; }
void libcurl_session_destroy(libcurl_session *session) { (void)session; }
void libcurl_cancel(libcurl_session *session) { (void)session; }

int libcurl_exchange(libcurl_session *session, const libcurl_request *request, long *status) {
    (void)session, (void)request;
    *status = 0;
    return LIBCURL_CANCELLED;
}

#endif
