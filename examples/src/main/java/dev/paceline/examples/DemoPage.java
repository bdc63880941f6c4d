package dev.paceline.examples;

import java.util.List;
import java.util.Locale;

/** A page that needs nothing beside itself: the arrivals of both runs over time, and the table. */
final class DemoPage {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 240;
  private static final int LEFT = 56;
  private static final int RIGHT = 12;
  private static final int TOP = 16;
  private static final int BOTTOM = 40;
  private static final int MOST_SLICES = 120;

  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Paceline demo: arrivals at the provider</title>
      <style>
      :root { color-scheme: light dark; --back: #ffffff; --ink: #1b1f24; --soft: #57606a;
        --grid: #d8dee4; --taken: #2467b0; --refused: #c8501e; }
      @media (prefers-color-scheme: dark) { :root { --back: #15181c; --ink: #e8ebee;
        --soft: #a3acb6; --grid: #363d45; --taken: #6ca8e8; --refused: #f08a5a; } }
      body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; background: var(--back);
        color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
      h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 2rem 0 0.25rem; }
      p { margin: 0.25rem 0; } svg { width: 100%; height: auto; display: block; }
      svg text { fill: var(--soft); font: 12px system-ui, sans-serif; }
      .grid { stroke: var(--grid); } .taken { fill: var(--taken); }
      .refused { fill: var(--refused); }
      .limit { stroke: var(--ink); stroke-dasharray: 5 4; } svg .mark { fill: var(--ink); }
      .legend span { display: inline-block; margin-right: 1.5rem; }
      .legend i { display: inline-block; width: 0.8rem; height: 0.8rem; margin-right: 0.4rem; }
      .legend .taken { background: var(--taken); } .legend .refused { background: var(--refused); }
      table { border-collapse: collapse; width: 100%; margin-top: 1rem; }
      th, td { padding: 0.35rem 0.6rem; border-bottom: 1px solid var(--grid); text-align: right; }
      th:first-child { text-align: left; font-weight: normal; } thead th { font-weight: 600; }
      td { font-variant-numeric: tabular-nums; }
      </style>
      </head>
      <body>
      <main>
      """;

  private final int limitPerSecond;
  private final DemoTable table;

  DemoPage(int limitPerSecond, DemoTable table) {
    this.limitPerSecond = limitPerSecond;
    this.table = table;
  }

  String html(List<DemoResult> runs) {
    StringBuilder page = new StringBuilder(HEAD);
    page.append("<h1>The same work, sent twice</h1>\n");
    page.append(
        format(
            "<p>The provider accepts %,d calls a second and refuses the rest. Each bar is what"
                + " came to it in a slice of time, as a rate.</p>\n",
            limitPerSecond));
    page.append(
        "<p class=\"legend\"><span><i class=\"taken\"></i>accepted</span>"
            + "<span><i class=\"refused\"></i>refused (429)</span>"
            + "<span>- - - the provider's limit</span></p>\n");
    double top = 1.15 * Math.max(limitPerSecond, highest(runs));
    for (DemoResult run : runs) {
      chart(page, run, top);
    }
    table(page, runs);
    return page.append("</main>\n</body>\n</html>\n").toString();
  }

  private double highest(List<DemoResult> runs) {
    double highest = 0;
    for (DemoResult run : runs) {
      for (int[] slice : slices(run)) {
        highest = Math.max(highest, (slice[0] + slice[1]) / sliceSeconds(run));
      }
    }
    return highest;
  }

  private static int[][] slices(DemoResult run) {
    return run.arrivals().slices(run.began(), sliceNanos(run), sliceCount(run));
  }

  private static int sliceCount(DemoResult run) {
    return (int) Math.min(MOST_SLICES, Math.max(1, run.lasted().toMillis() / 100));
  }

  private static long sliceNanos(DemoResult run) {
    return run.lasted().toNanos() / sliceCount(run);
  }

  private static double sliceSeconds(DemoResult run) {
    return sliceNanos(run) / 1e9;
  }

  private void chart(StringBuilder page, DemoResult run, double top) {
    String id = run.name().replace(' ', '-').toLowerCase(Locale.ROOT);
    String told =
        format(
            "Arrivals over %.1f seconds: %,d accepted, %,d refused.",
            run.lasted().toNanos() / 1e9,
            run.arrivals().acceptedCount(),
            run.arrivals().refusedCount());
    page.append(
        format("<section aria-labelledby=\"%s\">%n<h2 id=\"%s\">%s</h2>%n", id, id, name(run)));
    page.append(format("<p>%s</p>%n", told));
    page.append(
        format(
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s: %s\">%n",
            WIDTH, HEIGHT, name(run), told));
    axes(page, run, top);
    bars(page, run, top);
    double y = y(limitPerSecond, top);
    page.append(
        format(
            "<line class=\"limit\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>%n",
            LEFT, WIDTH - RIGHT, y, y));
    page.append("</svg>\n</section>\n");
  }

  private static String name(DemoResult run) {
    return run.name().substring(0, 1).toUpperCase(Locale.ROOT) + run.name().substring(1);
  }

  private static double y(double rate, double top) {
    return HEIGHT - BOTTOM - rate / top * (HEIGHT - TOP - BOTTOM);
  }

  private static void axes(StringBuilder page, DemoResult run, double top) {
    double step = niceStep(top / 4);
    for (double rate = 0; rate <= top; rate += step) {
      double y = y(rate, top);
      page.append(
          format(
              "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                  + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%,.0f</text>%n",
              LEFT, WIDTH - RIGHT, y, y, LEFT - 6, y + 4, rate));
    }
    page.append(format("<text x=\"4\" y=\"12\">calls/s</text>%n"));
    double seconds = run.lasted().toNanos() / 1e9;
    double tick = niceStep(seconds / 6);
    for (double at = 0; at <= seconds + 1e-9; at += tick) {
      page.append(
          format(
              "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s s</text>%n",
              LEFT + at / seconds * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM + 18, number(at)));
    }
  }

  private static String number(double value) {
    return value == Math.rint(value) ? format("%,.0f", value) : format("%.1f", value);
  }

  /** The smallest of 1, 2, 5 times a power of ten that is not below. */
  private static double niceStep(double least) {
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    for (double factor : new double[] {1, 2, 5}) {
      if (factor * power >= least) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  private static void bars(StringBuilder page, DemoResult run, double top) {
    int[][] slices = slices(run);
    double width = (double) (WIDTH - LEFT - RIGHT) / slices.length;
    for (int i = 0; i < slices.length; i++) {
      double accepted = slices[i][0] / sliceSeconds(run);
      double all = accepted + slices[i][1] / sliceSeconds(run);
      bar(page, "taken", LEFT + i * width, width, y(0, top), y(accepted, top));
      bar(page, "refused", LEFT + i * width, width, y(accepted, top), y(all, top));
    }
  }

  private static void bar(
      StringBuilder page, String kind, double x, double width, double from, double to) {
    if (from - to > 0) {
      page.append(
          format(
              "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>%n",
              kind, x, to, Math.max(0.5, width - 0.7), from - to));
    }
  }

  private void table(StringBuilder page, List<DemoResult> runs) {
    page.append("<table>\n<thead><tr><th scope=\"col\"></th>");
    runs.forEach(run -> page.append("<th scope=\"col\">").append(run.name()).append("</th>"));
    page.append("</tr></thead>\n<tbody>\n");
    for (DemoTable.Row row : table.rows()) {
      page.append("<tr><th scope=\"row\">").append(row.what()).append("</th>");
      runs.forEach(run -> page.append("<td>").append(row.of().apply(run)).append("</td>"));
      page.append("</tr>\n");
    }
    page.append("</tbody>\n</table>\n");
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
