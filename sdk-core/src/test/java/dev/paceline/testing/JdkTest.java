package dev.paceline.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdkTest {
  @TempDir Path folder;

  @Test
  void newest_of_the_siblings_and_the_environment_is_found() throws IOException {
    Jdk running = new Jdk(install("jvm/jdk-17", "17.0.15"), 17);
    Path sibling = install("jvm/jdk-21", "21.0.2");
    Path elsewhere = install("opt/jdk-25", "25.0.3");

    assertThat(Jdk.newest(running, Map.of())).isEqualTo(new Jdk(sibling, 21));
    assertThat(Jdk.newest(running, Map.of("JAVA_HOME_25_X64", elsewhere.toString())))
        .isEqualTo(new Jdk(elsewhere, 25));
  }

  @Test
  void running_one_is_the_newest_where_the_others_are_older_or_unreadable() throws IOException {
    Jdk running = new Jdk(install("jvm/jdk-17", "17.0.15"), 17);
    install("jvm/jdk-11", "11.0.1");
    install("jvm/broken", "what?");
    Files.createDirectories(folder.resolve("jvm/empty"));

    assertThat(Jdk.newest(running, Map.of("JAVA_HOME", "", "JAVA_HOME_99", "/nowhere")))
        .isEqualTo(running);
  }

  private Path install(String name, String version) throws IOException {
    Path home = folder.resolve(name);
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.createFile(java);
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }
}
