package dev.paceline.okhttp;

import java.io.IOException;
import okhttp3.Cache;
import okhttp3.CacheControl;
import okhttp3.Interceptor.Chain;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** Looks into OkHttp's cache before a call waits: what is answered from there needs no permit. */
final class CacheFirst {

  private CacheFirst() {}

  static boolean mayAnswer(@Nullable Cache cache, Request request) {
    if (cache == null || !request.method().equals("GET")) {
      return false;
    }
    CacheControl control = request.cacheControl();
    return !control.noCache() && !control.noStore();
  }

  /** The request, to be answered from the cache or not at all. */
  static Request only(Request request) {
    return request.newBuilder().addHeader("Cache-Control", "only-if-cached").build();
  }

  /** Whether the cache had no answer. */
  static boolean missed(Response response) {
    return response.code() == 504
        && response.cacheResponse() == null
        && response.networkResponse() == null;
  }

  /** The cached response; null if there is none that is fresh. Sends nothing. */
  static @Nullable Response answer(Chain chain, Request request) throws IOException {
    if (!mayAnswer(chain.getCache(), request)) {
      return null;
    }
    Response response = chain.proceed(only(request));
    if (missed(response)) {
      response.close();
      return null;
    }
    return response.newBuilder().request(request).build();
  }
}
