package dev.paceline.examples;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The command {@code paceline}: a tool for people who tune limits and look for the cause of a wait.
 */
@Command(
    name = "paceline",
    mixinStandardHelpOptions = true,
    description = "Tune limits, and look for the cause of a wait.")
public final class PacelineCommand implements Runnable {

  /**
   * Runs the command and ends the process with its exit code.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new PacelineCommand()).execute(args));
  }

  @Override
  public void run() {
    CommandLine.usage(this, System.out);
  }
}
