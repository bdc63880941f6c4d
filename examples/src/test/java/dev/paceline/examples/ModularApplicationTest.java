package dev.paceline.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application with a module descriptor of its own, on the module path only. */
class ModularApplicationTest {
  private static final Path SOURCES =
      Path.of("src", "test", "resources", "modular-application").toAbsolutePath();

  /** What the published modules bring along; test libraries and the command's own stay out. */
  private static final String PUBLISHED =
      ".*(sdk-core|okhttp-interceptor|redis-shared-bucket|paceline-(core|okhttp|redis)|slf4j-api"
          + "|caffeine|failsafe|jspecify|okhttp-jvm|okio-jvm|kotlin-stdlib|lettuce-core|netty-"
          + "|reactor-core|reactive-streams|redis-authx).*";

  @TempDir Path folder;

  @Test
  void application_compiles_and_starts_on_the_module_path() throws Exception {
    Path classes = folder.resolve("classes");
    assertThat(compile(classes, SOURCES)).isEmpty();

    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-p",
                classes + File.pathSeparator + modulePath(),
                "-m",
                "app/app.Main")
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output)
        .contains("module dev.paceline.okhttp starts", "module dev.paceline.redis starts");
  }

  @Test
  void pacer_is_out_of_an_applications_reach() throws IOException {
    Path sources = folder.resolve("sources");
    Files.createDirectories(sources);
    Files.writeString(
        sources.resolve("module-info.java"), "module app { requires dev.paceline.core; }");
    Files.writeString(sources.resolve("Reach.java"), "class Reach { dev.paceline.pace.Pacer p; }");

    assertThat(compile(folder.resolve("classes"), sources))
        .contains("compiler.err.package.not.visible: dev.paceline.pace");
  }

  /** Compiles a module and gives the compiler's complaints. */
  private static String compile(Path classes, Path sources) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter complaints = new StringWriter();
    try (Stream<Path> files = Files.walk(sources);
        StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, UTF_8)) {
      List<Path> java = files.filter(file -> file.toString().endsWith(".java")).toList();
      List<String> options =
          new ArrayList<>(List.of("--release", "17", "-proc:none", "-XDrawDiagnostics"));
      options.addAll(List.of("-p", modulePath(), "-d", classes.toString()));
      compiler
          .getTask(
              complaints, manager, null, options, null, manager.getJavaFileObjectsFromPaths(java))
          .call();
    }
    return complaints.toString();
  }

  private static String modulePath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.contains("tests") && !entry.contains("test-classes"))
        .filter(entry -> entry.matches(PUBLISHED))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
