#include "libcurl_exchange.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// From curl/curl.h and curl/multi.h, whose numbers are frozen: https://curl.se/libcurl/abi.html
enum {
    GLOBAL_ALL = 3,
    OPTION_SSLVERSION = 32,
    OPTION_POST = 47,
    OPTION_HTTPGET = 80,
    OPTION_NOSIGNAL = 99,
    OPTION_CONNECTTIMEOUT = 78,
    OPTION_PROTOCOLS = 181,
    OPTION_SUPPRESS_CONNECT_HEADERS = 265,
    OPTION_HTTP09_ALLOWED = 285,
    OPTION_QUICK_EXIT = 322,
    OPTION_WRITEDATA = 10001,
    OPTION_URL = 10002,
    OPTION_READDATA = 10009,
    OPTION_ERRORBUFFER = 10010,
    OPTION_HTTPHEADER = 10023,
    OPTION_HEADERDATA = 10029,
    OPTION_CAINFO = 10065,
    OPTION_CAPATH = 10097,
    OPTION_ACCEPT_ENCODING = 10102,
    OPTION_SOCKOPTDATA = 10149,
    OPTION_SEEKDATA = 10168,
    OPTION_NOPROXY = 10177,
    OPTION_CLOSESOCKETDATA = 10209,
    OPTION_WRITEFUNCTION = 20011,
    OPTION_READFUNCTION = 20012,
    OPTION_HEADERFUNCTION = 20079,
    OPTION_SOCKOPTFUNCTION = 20148,
    OPTION_SEEKFUNCTION = 20167,
    OPTION_CLOSESOCKETFUNCTION = 20208,
    OPTION_POSTFIELDSIZE_LARGE = 30120,
    PROTOCOLS_HTTP_AND_HTTPS = 3,
    TLS_1_2_OR_NEWER = 6,
    INFO_RESPONSE_CODE = 0x200002,
    INFO_CONNECT_CODE = 0x200016,
    MESSAGE_DONE = 1,
    READ_ABORT = 0x10000000,
    ERROR_FAILED_INIT = 2,
    ERROR_OUT_OF_MEMORY = 27,
    ERROR_TIMED_OUT = 28,
    ERROR_INTERNAL = 43,
    ERROR_BUFFER_LENGTH = 256,
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

// A session opens a second socket if the server has addresses of two families.
enum { SOCKETS = 8 };

struct libcurl_session {
    void *multi;
    atomic_int is_cancelled;
    // The open sockets, for the thread of the exchange.
    int sockets[SOCKETS];
};

libcurl_session *libcurl_session_create(void) {
    if (!libcurl_is_available()) return NULL;
    libcurl_session *session = calloc(1, sizeof *session);
    if (!session) return NULL;
    for (int index = 0; index < SOCKETS; index++) session->sockets[index] = -1;
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

static int replace_socket(libcurl_session *session, int old, int new) {
    for (int index = 0; index < SOCKETS; index++) {
        if (session->sockets[index] != old) continue;
        session->sockets[index] = new;
        return 1;
    }
    return 0;
}

static int socket_was_made(void *context, int socket, int purpose) {
    (void)purpose;
    (void)replace_socket(context, -1, socket);  // without a free element, the socket is neither measured nor reset
    return 0;
}

static int close_socket(void *context, int socket) {
    (void)replace_socket(context, socket, -1);
    return close(socket);
}

// The start of the kernel's struct tcp_info, a stable interface: <linux/tcp.h>. The C library's has fewer fields.
typedef struct {
    uint8_t bytes[8];
    uint32_t words[24];
    uint64_t pacing_rate, max_pacing_rate, bytes_acked, bytes_received;
    uint32_t segments_out, segments_in, notsent_bytes;
} tcp_details;

typedef struct {
    // What the peers have acknowledged, and what waits in this system to be sent, in bytes.
    uint64_t acknowledged, unsent;
    // Whether the system has these numbers, since Linux 4.6.
    int is_known;
} socket_state;

static socket_state state_of(const libcurl_session *session) {
    socket_state state = {0, 0, 0};
    for (int index = 0; index < SOCKETS; index++) {
        if (session->sockets[index] < 0) continue;
        tcp_details details;
        socklen_t length = sizeof details;
        if (getsockopt(session->sockets[index], IPPROTO_TCP, 11 /* TCP_INFO */, &details, &length) != 0) continue;
        if (length < sizeof details) continue;
        state.acknowledged += details.bytes_acked;
        state.unsent += details.notsent_bytes;
        state.is_known = 1;
    }
    return state;
}

// Ends the connections immediately: the peer gets a reset, and what waits to be sent is dropped.
static void reset_connections(const libcurl_session *session) {
    for (int index = 0; index < SOCKETS; index++) {
        if (session->sockets[index] < 0) continue;
        struct sockaddr nowhere = {.sa_family = AF_UNSPEC};
        (void)connect(session->sockets[index], &nowhere, sizeof nowhere);  // an error: the connection has ended already
    }
}

// The state of an exchange.
typedef struct {
    libcurl_session *session;
    const libcurl_request *request;
    libcurl_result *result;
    // How much of the body libcurl has read.
    size_t read;
    uint64_t received;
    // The bytes that were acknowledged before libcurl first read the body.
    uint64_t acknowledged_before;
    int is_denied;
} exchange;

static size_t receive_header(char *bytes, size_t size, size_t count, void *context) {
    exchange *exchange = context;
    exchange->received += size * count;
    return exchange->request->receive_header(exchange->request->context, bytes, size * count) ? size * count : 0;
}

static size_t receive_body(char *bytes, size_t size, size_t count, void *context) {
    exchange *exchange = context;
    exchange->received += size * count;
    // Skip empty parts: a result of 0 for 0 bytes would be treated as an error.
    return size * count == 0 || exchange->request->receive_body(exchange->request->context, bytes, size * count)
        ? size * count : 0;
}

static int may_continue(exchange *exchange) {
    if (!exchange->is_denied && exchange->request->may_continue) {
        const libcurl_result *result = exchange->result;
        exchange->is_denied = !exchange->request->may_continue(
            exchange->request->context, result->is_acknowledged_known ? (long)result->acknowledged_count : -1);
        // Before libcurl closes the connection, which would send the rest of what the system has buffered.
        if (exchange->is_denied) reset_connections(exchange->session);
    }
    return !exchange->is_denied;
}

// libcurl reads the body when it can send it, so the question is asked immediately before each part leaves.
static size_t read_body(char *bytes, size_t size, size_t count, void *context) {
    exchange *exchange = context;
    if (!may_continue(exchange)) return READ_ABORT;
    if (exchange->read == 0) exchange->acknowledged_before = state_of(exchange->session).acknowledged;
    size_t rest = exchange->request->body_count - exchange->read;
    size_t part = size * count < rest ? size * count : rest;
    memcpy(bytes, (const char *)exchange->request->body + exchange->read, part);
    exchange->read += part;
    return part;
}

// libcurl repeats a request by itself if a kept connection turns out to be closed.
static int seek_body(void *context, long long offset, int origin) {
    exchange *exchange = context;
    if (origin != SEEK_SET || offset < 0 || (size_t)offset > exchange->request->body_count) return 1;
    exchange->read = (size_t)offset;
    return 0;
}

// Stores the request in the handle. Returns a CURLcode.
static int configure(void *easy, exchange *exchange, void *fields, char *error) {
    const libcurl_request *request = exchange->request;
    int failed = 0;
    // Since 7.87: does not wait for the resolver after a timeout or a cancellation. Older versions do not know it.
    (void)curl.easy_setopt(easy, OPTION_QUICK_EXIT, 1L);
#define SET(option, value) (failed = failed ? failed : curl.easy_setopt(easy, option, value))
    SET(OPTION_URL, request->url);
    SET(OPTION_PROTOCOLS, (long)PROTOCOLS_HTTP_AND_HTTPS);
    SET(OPTION_HTTP09_ALLOWED, 0L);
    SET(OPTION_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(OPTION_SSLVERSION, (long)TLS_1_2_OR_NEWER);
    SET(OPTION_NOSIGNAL, 1L);
    SET(OPTION_CONNECTTIMEOUT, request->timeout_seconds);
    // Decodes; the request's own field names the encoding that the server should use.
    SET(OPTION_ACCEPT_ENCODING, "gzip");
    SET(OPTION_ERRORBUFFER, error);
    if (request->ignores_proxy) SET(OPTION_NOPROXY, "*");
    if (request->certificates || request->trusts_only_these) SET(OPTION_CAINFO, request->certificates);
    if (request->certificate_folder || request->trusts_only_these) SET(OPTION_CAPATH, request->certificate_folder);
    if (request->is_get) {
        SET(OPTION_HTTPGET, 1L);
    } else {
        SET(OPTION_POST, 1L);
        SET(OPTION_POSTFIELDSIZE_LARGE, (long long)request->body_count);
        SET(OPTION_READFUNCTION, read_body);
        SET(OPTION_READDATA, exchange);
        SET(OPTION_SEEKFUNCTION, seek_body);
        SET(OPTION_SEEKDATA, exchange);
    }
    SET(OPTION_HTTPHEADER, fields);
    SET(OPTION_HEADERFUNCTION, (curl_receiver)receive_header);
    SET(OPTION_HEADERDATA, exchange);
    SET(OPTION_WRITEFUNCTION, (curl_receiver)receive_body);
    SET(OPTION_WRITEDATA, exchange);
    SET(OPTION_SOCKOPTFUNCTION, socket_was_made);
    SET(OPTION_SOCKOPTDATA, exchange->session);
    SET(OPTION_CLOSESOCKETFUNCTION, close_socket);
    SET(OPTION_CLOSESOCKETDATA, exchange->session);
#undef SET
    return failed;
}

static uint64_t milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

// Runs the handle to its end. Returns a CURLcode, LIBCURL_CANCELLED or LIBCURL_DENIED.
static int run(exchange *exchange, void *easy) {
    libcurl_session *session = exchange->session;
    uint64_t progress = 0, since = milliseconds();
    while (!atomic_load(&session->is_cancelled)) {
        int running = 1;
        if (curl.multi_perform(session->multi, &running) != 0) return ERROR_INTERNAL;
        if (exchange->is_denied) return LIBCURL_DENIED;
        socket_state state = state_of(session);
        if (exchange->read > 0 && state.is_known) {
            uint64_t acknowledged = state.acknowledged > exchange->acknowledged_before
                ? state.acknowledged - exchange->acknowledged_before : 0;
            size_t body = exchange->request->body_count;
            exchange->result->is_acknowledged_known = 1;
            exchange->result->acknowledged_count = acknowledged < body ? (size_t)acknowledged : body;
        }
        if (!running) {
            int rest = 0;
            multi_message *message;
            while ((message = curl.multi_info_read(session->multi, &rest))) {
                if (message->message == MESSAGE_DONE && message->easy == easy) return message->data.result;
            }
            return ERROR_INTERNAL;
        }
        // Some bytes wait in libcurl, or in the system's buffers for a slow link.
        int is_uploading = !exchange->request->is_get
            && (exchange->read < exchange->request->body_count || state.unsent > 0);
        if (is_uploading && !may_continue(exchange)) return LIBCURL_DENIED;
        // Progress is what the peer has acknowledged: the system accepts megabytes for a link that carries none.
        uint64_t done = exchange->received + (state.is_known ? state.acknowledged : exchange->read), now = milliseconds();
        if (done != progress) {
            progress = done;
            since = now;
        } else if (now - since >= (uint64_t)exchange->request->timeout_seconds * 1000) {
            return ERROR_TIMED_OUT;
        }
        // Returns for a socket, for one of libcurl's own timers, or for libcurl_cancel.
        int wait = is_uploading && exchange->request->may_continue ? 100 : 1000;
        if (curl.multi_poll(session->multi, NULL, 0, wait, NULL) != 0) return ERROR_INTERNAL;
    }
    return LIBCURL_CANCELLED;
}

int libcurl_exchange(libcurl_session *session, const libcurl_request *request, libcurl_result *result) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);

    *result = (libcurl_result){0};
    void *easy = curl.easy_init();
    if (!easy) return ERROR_FAILED_INIT;
    exchange exchange = {.session = session, .request = request, .result = result};
    char error[ERROR_BUFFER_LENGTH] = "";
    void *fields = NULL;
    int code = 0;
    for (size_t index = 0; index < request->field_count; index++) {
        void *longer = curl.slist_append(fields, request->fields[index]);
        if (!longer) {
            code = ERROR_OUT_OF_MEMORY;
            break;
        }
        fields = longer;
    }
    if (code == 0) code = configure(easy, &exchange, fields, error);
    if (code == 0 && curl.multi_add_handle(session->multi, easy) != 0) code = ERROR_INTERNAL;
    if (code == 0) {
        code = run(&exchange, easy);
        if (code == LIBCURL_CANCELLED) {
            reset_connections(session);
        } else if (code != LIBCURL_DENIED) {
            // Also for a truncated response, which libcurl reports as an error.
            curl.easy_getinfo(easy, INFO_RESPONSE_CODE, &result->status);
            curl.easy_getinfo(easy, INFO_CONNECT_CODE, &result->proxy_status);
        }
        curl.multi_remove_handle(session->multi, easy);
    }
    // The TLS libraries' name of the alert: https://www.rfc-editor.org/rfc/rfc8446#section-6.2
    result->lacks_client_certificate = strstr(error, "certificate required") != NULL;
    curl.easy_cleanup(easy);
    curl.slist_free_all(fields);
    return code;
}

#else

// Other systems have a reliable URLSession.
int libcurl_is_available(void) { return 0; }
libcurl_session *libcurl_session_create(void) { return NULL; }
void libcurl_session_destroy(libcurl_session *session) { (void)session; }
void libcurl_cancel(libcurl_session *session) { (void)session; }

int libcurl_exchange(libcurl_session *session, const libcurl_request *request, libcurl_result *result) {
    (void)session, (void)request;
    *result = (libcurl_result){0};
    return LIBCURL_CANCELLED;
}

#endif
