#ifndef LIBCURL_EXCHANGE_H
#define LIBCURL_EXCHANGE_H

#include <stddef.h>

// One POST or GET with the system's libcurl, which is loaded at run time: its functions take variable arguments, which Swift can't call.

/// The open connections, and the current exchange, if any. Use it on one thread at a time, except for `libcurl_cancel`.
typedef struct libcurl_session libcurl_session;

/// Receives bytes during an exchange. Return 0 to end the exchange with an error.
typedef int (*libcurl_receiver)(void *context, const char *bytes, size_t count);

/// The request. Pointers must stay valid until `libcurl_exchange` returns.
typedef struct {
    const char *url;
    /// Whether it is a GET, which has no body; otherwise a POST.
    int is_get;
    /// `Name: value`, each terminated by 0.
    const char *const *fields;
    size_t field_count;
    const void *body;
    size_t body_count;
    /// The maximum time for connecting, and the maximum time without progress, in seconds.
    long timeout_seconds;
    /// Whether to ignore the environment's proxy.
    int ignores_proxy;
    /// A file of certificates to trust instead of the system's; null for the system's.
    const char *certificates;
    void *context;
    /// Called for each line of each header, with its line end.
    libcurl_receiver receive_header;
    libcurl_receiver receive_body;
} libcurl_request;

/// Whether libcurl 7.68 or newer can be loaded. Thread-safe.
int libcurl_is_available(void);

/// Null if libcurl or memory is missing.
libcurl_session *libcurl_session_create(void);

/// Closes all connections.
void libcurl_session_destroy(libcurl_session *session);

/// The result of `libcurl_exchange` for a canceled exchange.
#define LIBCURL_CANCELLED (-1)

/// Sends a request and waits for the end of the response. Follows no redirect.
///
/// Blocks SIGPIPE for the calling thread permanently: OpenSSL writes to sockets that the peer may have closed.
///
/// Stores the status if the response has begun. Returns 0, a `CURLcode`, or `LIBCURL_CANCELLED`.
int libcurl_exchange(libcurl_session *session, const libcurl_request *request, long *status);

/// Ends the current exchange, or the next one immediately. Thread-safe.
void libcurl_cancel(libcurl_session *session);

#endif
