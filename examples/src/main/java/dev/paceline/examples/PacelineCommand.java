package dev.paceline.examples;

import dev.paceline.feedback.Profile;
import dev.paceline.limit.Limit;
import dev.paceline.limit.Simulation;
import dev.paceline.store.OutagePolicy;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import okhttp3.HttpUrl;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The command {@code paceline}: a tool for people who tune limits and look for the cause of a wait.
 *
 * <p>Results go to standard output, everything else to standard error. It ends with 0 when it is
 * done, 1 when it ran and something failed, 2 when the arguments are wrong.
 */
@Command(
    name = "paceline",
    description = "Tune limits, and look for the cause of a wait.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DemoCommand.class,
      ExplainCommand.class,
      LoadCommand.class,
      SimulateCommand.class,
      InspectCommand.class
    })
public final class PacelineCommand implements Runnable {
  static final int FAILED = 1;
  static final int WRONG_ARGUMENTS = CommandLine.ExitCode.USAGE;

  private final InputStream in;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  boolean help;

  private PacelineCommand(InputStream in) {
    this.in = in;
  }

  /**
   * Runs the command and ends the process with its exit code.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    System.exit(commandLine(System.in, System.out, System.err).execute(args));
  }

  /** The command on given streams, all of them UTF-8. */
  static CommandLine commandLine(InputStream in, OutputStream out, OutputStream err) {
    CommandLine line =
        new CommandLine(new PacelineCommand(in))
            .setOut(writer(out))
            .setErr(writer(err))
            .setExpandAtFiles(false)
            .setUsageHelpAutoWidth(false)
            .setParameterExceptionHandler(PacelineCommand::wrongArguments)
            .setExecutionExceptionHandler((e, at, parsed) -> failed(e, at));
    line.registerConverter(Limit.class, Conversions::limit);
    line.registerConverter(Duration.class, Conversions::duration);
    line.registerConverter(OutagePolicy.class, text -> Conversions.named(OutagePolicy.class, text));
    line.registerConverter(HttpUrl.class, Conversions::url);
    line.registerConverter(RequestOptions.Header.class, Conversions::header);
    line.registerConverter(Profile.class, Conversions::profile);
    line.registerConverter(
        Simulation.Mode.class, text -> Conversions.named(Simulation.Mode.class, text));
    return line;
  }

  private static PrintWriter writer(OutputStream out) {
    return new PrintWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), true);
  }

  private static int wrongArguments(ParameterException e, String[] args) {
    CommandLine at = e.getCommandLine();
    at.getErr().println(at.getCommandSpec().qualifiedName() + ": " + Conversions.oneLine(e));
    return WRONG_ARGUMENTS;
  }

  private static int failed(Exception e, CommandLine at) {
    at.getErr().println(at.getCommandSpec().qualifiedName() + ": " + Conversions.oneLine(e));
    return FAILED;
  }

  InputStream in() {
    return in;
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "no command is given; it must be one of "
            + String.join(", ", spec.subcommands().keySet())
            + " (--help says more)");
  }
}
