package dev.paceline.okhttp;

import dev.paceline.rule.RequestView;
import java.util.Optional;
import okhttp3.Request;

/** A view on OkHttp's request; copies nothing. */
record OkHttpRequestView(Request request) implements RequestView {

  @Override
  public String method() {
    return request.method();
  }

  @Override
  public String host() {
    return request.url().host();
  }

  @Override
  public String path() {
    return request.url().encodedPath();
  }

  @Override
  public Optional<String> header(String name) {
    return Optional.ofNullable(request.header(name));
  }
}
