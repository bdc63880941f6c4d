package dev.paceline;

import dev.paceline.rule.Fingerprint;
import dev.paceline.rule.RequestView;
import java.util.Optional;

/** A request whose credentials are fingerprints, for code that makes names from it. */
record MaskedRequest(RequestView request, Fingerprint fingerprint) implements RequestView {

  @Override
  public String method() {
    return request.method();
  }

  @Override
  public String host() {
    return request.host();
  }

  @Override
  public String path() {
    return request.path();
  }

  @Override
  public Optional<String> header(String name) {
    Optional<String> value = request.header(name);
    return Fingerprint.isCredentialHeader(name) ? value.map(fingerprint::of) : value;
  }
}
