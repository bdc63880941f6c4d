package dev.paceline.rule;

import java.util.Optional;

/** What rules may look at in a request. Valid during the call that it is passed to. */
public interface RequestView {

  /** The method in upper case. */
  String method();

  /** The host in lower case, without a port. */
  String host();

  /** The path as sent, percent-encoded, without the query; begins with a slash. */
  String path();

  /** The last value of a header, by its name in any case. */
  Optional<String> header(String name);
}
