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
    /// The maximum time for connecting, and the maximum time without progress, in seconds. Progress is a byte that was
    /// received, or that the peer has acknowledged.
    long timeout_seconds;
    /// Whether to ignore the environment's proxy.
    int ignores_proxy;
    /// A file and a folder of certificates to trust; null for the system's, or for none if only these are trusted.
    const char *certificates;
    const char *certificate_folder;
    int trusts_only_these;
    void *context;
    /// Returns 0 if the body must not be sent any more; null if that never happens. Called before each part of the body is
    /// sent, and every 100 ms until the last byte has left the system, with the `acknowledged_count` so far, or -1 if that is
    /// not known. Not called afterwards: the response is then read.
    int (*may_continue)(void *context, long acknowledged_count);
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

/// The result of an exchange.
typedef struct {
    /// The response's status; 0 if none has begun.
    long status;
    /// The status of a proxy's response to CONNECT; 0 without one.
    long proxy_status;
    /// How many bytes of the body the peer's system has acknowledged, or its proxy's. May count some bytes of TLS.
    size_t acknowledged_count;
    /// Whether the upload has begun, and the system has the number: Linux 4.6.
    int is_acknowledged_known;
    /// Whether the server requires a certificate of the client.
    int lacks_client_certificate;
} libcurl_result;

/// The result of `libcurl_exchange` for a canceled exchange.
#define LIBCURL_CANCELLED (-1)
/// The result of `libcurl_exchange` if `may_continue` returned 0. The connection was reset.
#define LIBCURL_DENIED (-2)

/// Sends a request and waits for the end of the response. Follows no redirect.
///
/// Blocks SIGPIPE for the calling thread permanently: OpenSSL writes to sockets that the peer may have closed.
///
/// Returns 0, a `CURLcode`, `LIBCURL_CANCELLED` or `LIBCURL_DENIED`.
int libcurl_exchange(libcurl_session *session, const libcurl_request *request, libcurl_result *result);

/// Ends the current exchange, or the next one immediately. Thread-safe.
void libcurl_cancel(libcurl_session *session);

#endif
