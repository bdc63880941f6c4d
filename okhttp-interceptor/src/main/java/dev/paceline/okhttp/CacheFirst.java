package dev.paceline.okhttp;

import java.io.IOException;
import okhttp3.Interceptor.Chain;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** Looks into OkHttp's cache before a call waits: what is answered from there needs no permit. */
final class CacheFirst {

  private CacheFirst() {}

  static boolean mayAnswer(Chain chain, Request request) {
    return chain.getCache() != null
        && request.method().equals("GET")
        && !request.cacheControl().noCache()
        && !request.cacheControl().noStore();
  }

  /** The cached response; null if there is none that is fresh. Sends nothing. */
  static @Nullable Response answer(Chain chain, Request request) throws IOException {
    Request cacheOnly = request.newBuilder().addHeader("Cache-Control", "only-if-cached").build();
    Response response = chain.proceed(cacheOnly);
    if (response.code() == 504
        && response.cacheResponse() == null
        && response.networkResponse() == null) {
      response.close();
      return null;
    }
    return response.newBuilder().request(request).build();
  }
}
