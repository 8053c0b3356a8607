// Fixed-argument doors to libcurl's variadic calls, which Swift cannot make.
#pragma once
#include <curl/curl.h>

/// Receives body bytes; fewer than `length` returned ends the transfer.
typedef size_t (*ccurl_write)(char *bytes, size_t size, size_t count, void *context);
/// Asked now and then while a transfer runs; other than 0 ends it.
typedef int (*ccurl_progress)(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d);
/// Judges an SSH server's key by how it compares with the known hosts; returns a `curl_khstat`.
typedef int (*ccurl_host_key)(CURL *handle, const struct curl_khkey *known, const struct curl_khkey *found, enum curl_khmatch match, void *context);

CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value);
CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value);
CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value);
CURLcode ccurl_set_buffer(CURL *handle, CURLoption option, char *value);
CURLcode ccurl_set_body(CURL *handle, ccurl_write write, void *context);
CURLcode ccurl_set_header(CURL *handle, ccurl_write write, void *context);
CURLcode ccurl_set_progress(CURL *handle, ccurl_progress progress, void *context);
CURLcode ccurl_set_host_key_check(CURL *handle, ccurl_host_key check, void *context);
CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value);
/// Posts those bytes, of which a copy is kept.
CURLcode ccurl_set_message(CURL *handle, const void *bytes, size_t length);
/// Where an upload's bytes come from: fills the bytes, returns how many.
CURLcode ccurl_set_source(CURL *handle, ccurl_write read, void *context);
