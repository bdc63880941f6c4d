package dev.paceline.okhttp;

import dev.paceline.limit.Limit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.LongSupplier;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.HttpUrl;
import okhttp3.Protocol;
import okhttp3.Request;

/** A provider on a real socket that notes when each request arrived. */
final class Provider implements AutoCloseable {

  final MockWebServer server = new MockWebServer();
  final List<RecordedRequest> requests = new CopyOnWriteArrayList<>();
  private final List<Long> arrivals = new CopyOnWriteArrayList<>();
  private volatile MockResponse before = new MockResponse.Builder().build();
  private volatile Function<RecordedRequest, MockResponse> answer = request -> status(200);

  Provider(LongSupplier nanoTime) throws IOException {
    this(nanoTime, List.of(Protocol.HTTP_2, Protocol.HTTP_1_1));
  }

  Provider(LongSupplier nanoTime, List<Protocol> protocols) throws IOException {
    server.setProtocols(protocols);
    server.setServerSocketFactory(new NoDelaySockets());
    server.setDispatcher(
        new Dispatcher() {
          @Override
          public MockResponse dispatch(RecordedRequest request) {
            arrivals.add(nanoTime.getAsLong());
            requests.add(request);
            return answer.apply(request);
          }

          @Override
          public MockResponse peek() {
            return before;
          }
        });
    server.start();
  }

  /** Answers each request by its number from 0. */
  Provider answers(MockResponse... responses) {
    List<MockResponse> left = new ArrayList<>(List.of(responses));
    int from = requests.size();
    answer = request -> left.get(Math.min(requests.size() - 1 - from, left.size() - 1));
    return this;
  }

  /** What happens to connections and streams before a request is read. */
  Provider before(MockResponse effects) {
    before = effects;
    return this;
  }

  Provider answer(Function<RecordedRequest, MockResponse> by) {
    answer = by;
    return this;
  }

  static MockResponse status(int code, String... headers) {
    return body(code, code == 204 || code == 304 ? "" : "status " + code, headers);
  }

  static MockResponse body(int code, String text, String... headers) {
    MockResponse.Builder response = new MockResponse.Builder().code(code).body(text);
    for (int i = 0; i < headers.length; i += 2) {
      response.addHeader(headers[i], headers[i + 1]);
    }
    return response.build();
  }

  HttpUrl url(String path) {
    return server.url(path);
  }

  Request get(String path) {
    return new Request.Builder().url(url(path)).build();
  }

  String host() {
    return server.getHostName();
  }

  int count() {
    return requests.size();
  }

  /** The gaps between arrivals, in milliseconds. */
  List<Long> gapsMillis() {
    List<Long> gaps = new ArrayList<>();
    for (int i = 1; i < arrivals.size(); i++) {
      gaps.add((arrivals.get(i) - arrivals.get(i - 1)) / 1_000_000);
    }
    return gaps;
  }

  static Limit perSecond(long permits) {
    return Limit.of(permits).per(Duration.ofSeconds(1));
  }

  @Override
  public void close() {
    server.close();
  }
}
