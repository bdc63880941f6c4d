package dev.paceline.examples;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One run of the command in this process: what it ended with and printed. */
record CommandRun(int exit, List<String> out, List<String> err) {

  static CommandRun of(String... args) {
    return withInput("", args);
  }

  static CommandRun withInput(String input, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        PacelineCommand.commandLine(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), out, err)
            .execute(args);
    return new CommandRun(exit, lines(out), lines(err));
  }

  private static List<String> lines(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
