package dev.paceline.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All code in the documentation compiles; here, because the other libraries are here. */
class DocsCompileTest {

  private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```java\n(.*?)^ *```");

  /** What a reader takes as given. */
  private static final String FRAME =
      """
      import dev.paceline.*;
      import dev.paceline.feedback.*;
      import dev.paceline.limit.*;
      import dev.paceline.okhttp.*;
      import dev.paceline.redis.*;
      import java.io.IOException;
      import java.time.*;
      import java.util.*;
      import java.util.concurrent.*;
      import okhttp3.*;
      %s
      abstract class Snippet {
        Limiter limiter;
        Request request;
        abstract void call() throws IOException;
        abstract void later(Optional<Duration> wait);
        void read() throws Exception {
      %s
        }
      }
      """;

  record Block(String page, int number, String code) {
    @Override
    public String toString() {
      return page + ", block " + number;
    }

    String source() {
      StringBuilder imports = new StringBuilder();
      StringBuilder body = new StringBuilder();
      code.lines()
          .forEach(line -> (line.startsWith("import ") ? imports : body).append(line).append('\n'));
      return FRAME.formatted(imports, body);
    }
  }

  static List<Block> blocks() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(Path.of("../README.md")));
    try (Stream<Path> docs = Files.list(Path.of("../docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    List<Block> blocks = new ArrayList<>();
    for (Path page : pages) {
      Matcher found = BLOCK.matcher(Files.readString(page));
      for (int number = 1; found.find(); number++) {
        blocks.add(new Block(page.getFileName().toString(), number, found.group(1)));
      }
    }
    return blocks;
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void it_compiles(Block block, @TempDir Path classes) throws IOException {
    JavaFileObject source =
        new SimpleJavaFileObject(URI.create("string:///Snippet.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return block.source();
          }
        };
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    List<String> options =
        List.of(
            "-proc:none",
            "-nowarn",
            "-classpath",
            System.getProperty("java.class.path"),
            "-d",
            classes.toString());
    boolean compiled = compiler.getTask(said, null, null, options, null, List.of(source)).call();
    assertThat(compiled).as("%s%n%s%n%s", block, said, block.code()).isTrue();
  }
}
