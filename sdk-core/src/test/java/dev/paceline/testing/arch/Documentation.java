package dev.paceline.testing.arch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * What has no comment among what users see. A tag for each parameter is not asked for: where the
 * sentence says it all, a tag would repeat it.
 */
public final class Documentation {
  /** The compiler's words; all its complaints about documentation have the same code. */
  private static final String NO_COMMENT = "no comment";

  private Documentation() {}

  /**
   * The public and protected declarations without a comment, as {@code path:line}.
   *
   * @param sources a folder of sources that compile on the test class path
   * @param output where the compiler may write
   */
  public static List<String> missing(Path sources, Path output) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    try (Stream<Path> files = Files.walk(sources);
        StandardJavaFileManager manager = compiler.getStandardFileManager(found, null, UTF_8)) {
      List<Path> java =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !file.endsWith("module-info.java"))
              .toList();
      List<String> options =
          List.of(
              "--release",
              "17",
              "-proc:none",
              "-Xmaxwarns",
              "100000",
              "-Xdoclint:missing/protected",
              "-cp",
              System.getProperty("java.class.path"),
              "-d",
              output.toString());
      boolean compiled =
          compiler
              .getTask(
                  new StringWriter(),
                  manager,
                  found,
                  options,
                  null,
                  manager.getJavaFileObjectsFromPaths(java))
              .call();
      if (!compiled) {
        throw new IllegalStateException(found.getDiagnostics().toString());
      }
    }
    return found.getDiagnostics().stream()
        .filter(diagnostic -> diagnostic.getMessage(Locale.ENGLISH).equals(NO_COMMENT))
        .map(Documentation::place)
        .sorted()
        .toList();
  }

  private static String place(Diagnostic<? extends JavaFileObject> diagnostic) {
    JavaFileObject source = diagnostic.getSource();
    String path = source == null ? "?" : Path.of(source.toUri()).getFileName().toString();
    return path + ":" + diagnostic.getLineNumber();
  }
}
