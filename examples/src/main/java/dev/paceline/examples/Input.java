package dev.paceline.examples;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** A file, or else the standard input, that is answered line by line. */
final class Input {
  @Spec(Target.MIXEE)
  private CommandSpec mixee = CommandSpec.create();

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "What to read; the standard input if it is left out or -.")
  private @Nullable Path file;

  /**
   * Prints the answer to every line, at the latest when no further line is there to be read. A line
   * without an answer is an error on standard error, and the next line is read.
   *
   * @return the exit code
   */
  int answer(LineAnswers answers) throws IOException {
    CommandLine command = mixee.commandLine();
    PrintWriter out = new PrintWriter(command.getOut(), false);
    boolean failed = false;
    try (Lines lines = new Lines(open(command))) {
      Optional<Lines.Line> next = lines.next();
      while (next.isPresent()) {
        Lines.Line line = next.get();
        try {
          answers.to(line.checked(), out::println);
        } catch (BadLineException e) {
          failed = true;
          out.flush();
          command
              .getErr()
              .printf(
                  "%s: line %d: %s%n",
                  command.getCommandSpec().qualifiedName(), line.number(), e.getMessage());
        }
        if (lines.isDry()) {
          out.flush();
        }
        next = lines.next();
      }
    }
    answers.atEnd(out::println);
    out.flush();
    return failed || out.checkError() ? PacelineCommand.FAILED : CommandLine.ExitCode.OK;
  }

  private InputStream open(CommandLine command) {
    if (file == null || file.toString().equals("-")) {
      return ((PacelineCommand) mixee.root().userObject()).in();
    }
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new ParameterException(command, "FILE is %s: no such file to read".formatted(file));
    }
    try {
      return Files.newInputStream(file);
    } catch (IOException e) {
      throw new ParameterException(command, "FILE is %s: it cannot be read".formatted(file), e);
    }
  }
}
