package dev.paceline.examples;

import dev.paceline.feedback.FeedbackReader;
import dev.paceline.feedback.Profile;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "explain",
    description = {
      "What does a response say about limits?",
      "Reads {\"id\":1,\"now\":\"2026-01-15T12:00:00Z\",\"status\":429,"
          + "\"headers\":[[\"Retry-After\",\"2\"]],\"body\":\"\"} a line and answers with the wait"
          + " and the quotas that it tells; or a pasted response, from its status line to a blank"
          + " line, and answers in plain words."
    })
final class ExplainCommand implements Callable<Integer> {
  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "Whose response it is, for what only that provider says: stripe, github, ...")
  private @Nullable Profile profile;

  @Mixin private Input input = new Input();

  @Override
  public Integer call() throws IOException {
    FeedbackReader reader =
        profile == null ? FeedbackReader.standard() : FeedbackReader.of(profile);
    return input.answer(new Answers(reader));
  }

  private static final class Answers implements LineAnswers {
    private final FeedbackReader reader;
    private final ReceivedLines received;
    private @Nullable PastedResponse pasted;
    private boolean skipping;

    Answers(FeedbackReader reader) {
      this.reader = reader;
      this.received = new ReceivedLines(reader);
    }

    @Override
    public void to(String text, Consumer<String> out) throws BadLineException {
      if (text.isBlank()) {
        atEnd(out);
        skipping = false;
      } else if (text.startsWith(PastedResponse.BEGIN)) {
        atEnd(out);
        // The headers below a status line that cannot be read are no lines of their own.
        skipping = true;
        pasted = PastedResponse.begin(text);
        skipping = false;
      } else if (pasted != null) {
        pasted.add(text);
      } else if (!skipping) {
        out.accept(received.answer(text));
      }
    }

    @Override
    public void atEnd(Consumer<String> out) {
      if (pasted != null) {
        out.accept(pasted.inPlainWords(reader));
        pasted = null;
      }
    }
  }
}
