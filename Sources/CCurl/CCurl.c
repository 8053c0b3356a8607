#include "CCurl.h"

CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) { return curl_easy_setopt(handle, option, value); }
CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) { return curl_easy_setopt(handle, option, value); }
CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) { return curl_easy_setopt(handle, option, value); }
CURLcode ccurl_set_buffer(CURL *handle, CURLoption option, char *value) { return curl_easy_setopt(handle, option, value); }

CURLcode ccurl_set_body(CURL *handle, ccurl_write write, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, write);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

CURLcode ccurl_set_header(CURL *handle, ccurl_write write, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, write);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
}

CURLcode ccurl_set_progress(CURL *handle, ccurl_progress progress, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
}

CURLcode ccurl_set_host_key_check(CURL *handle, ccurl_host_key check, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_SSH_KEYFUNCTION, check);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_SSH_KEYDATA, context);
}

CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value) { return curl_easy_getinfo(handle, info, value); }

CURLcode ccurl_set_message(CURL *handle, const void *bytes, size_t length) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes);
}

CURLcode ccurl_set_source(CURL *handle, ccurl_write read, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_READFUNCTION, read);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_READDATA, context);
}
