package dev.paceline.feedback;

import static dev.paceline.feedback.HeaderMeaning.BUCKET_NAME;
import static dev.paceline.feedback.HeaderMeaning.LIMIT;
import static dev.paceline.feedback.HeaderMeaning.NAMED_COUNTS;
import static dev.paceline.feedback.HeaderMeaning.POLICY_FIELD;
import static dev.paceline.feedback.HeaderMeaning.QUOTA_FIELD;
import static dev.paceline.feedback.HeaderMeaning.QUOTA_LIST;
import static dev.paceline.feedback.HeaderMeaning.REMAINING;
import static dev.paceline.feedback.HeaderMeaning.REMAINING_GROUPED;
import static dev.paceline.feedback.HeaderMeaning.REMAINING_LIST;
import static dev.paceline.feedback.HeaderMeaning.RESET;
import static dev.paceline.feedback.HeaderMeaning.RESET_AFTER;
import static dev.paceline.feedback.HeaderMeaning.RESET_MILLIS;
import static dev.paceline.feedback.HeaderMeaning.USAGE_JSON;
import static dev.paceline.feedback.HeaderMeaning.USED;
import static dev.paceline.feedback.HeaderMeaning.USED_FRACTION;
import static dev.paceline.feedback.HeaderMeaning.USED_OF_LIMIT;
import static dev.paceline.feedback.HeaderMeaning.USED_OF_LIMIT_LIST;
import static dev.paceline.feedback.HeaderMeaning.WAIT;
import static dev.paceline.feedback.HeaderMeaning.WAIT_ALIAS;
import static dev.paceline.feedback.HeaderMeaning.WAIT_MILLIS;
import static dev.paceline.feedback.HeaderMeaning.WINDOW_MILLIS;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The header rows that need no hint of the provider: the standards, the families that many
 * providers share, and names that only one of them uses.
 */
final class StandardDialect {

  /** The group of the one current limit; its ranks are the generations of names, newest first. */
  static final String CURRENT = "ratelimit";

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  static final List<HeaderField> FIELDS = fields();

  static final List<HeaderSignal> SIGNALS =
      List.of(
          new HeaderSignal("x-should-retry", "false", Verdict.NO_RETRY),
          new HeaderSignal("stripe-should-retry", "false", Verdict.NO_RETRY),
          new HeaderSignal("stripe-rate-limited-reason", "*-concurrency", Verdict.CONCURRENCY),
          new HeaderSignal("stripe-rate-limited-reason", "endpoint-*", Verdict.ROUTE),
          new HeaderSignal("stripe-rate-limited-reason", "resource-specific", Verdict.ROUTE),
          new HeaderSignal("x-rate-limit-problem", "concurrent", Verdict.CONCURRENCY),
          new HeaderSignal("x-rate-limit-problem", "day*", Verdict.QUOTA_EXHAUSTED),
          new HeaderSignal("x-ratelimit-global", "true", Verdict.UPSTREAM),
          new HeaderSignal("x-ratelimit-scope", "global", Verdict.UPSTREAM),
          new HeaderSignal("x-ratelimit-scope", "shared", Verdict.SHARED),
          new HeaderSignal("ratelimit-reason", "jira-per-issue*", Verdict.ROUTE),
          new HeaderSignal("ratelimit-reason", "jira-burst*", Verdict.ROUTE),
          awsError("Throttling"),
          awsError("ThrottlingException"),
          awsError("ThrottledException"),
          awsError("ProvisionedThroughputExceededException"),
          awsError("SlowDown"),
          awsError("TooManyRequestsException"),
          awsError("RequestLimitExceeded"),
          awsError("BandwidthLimitExceeded"),
          awsError("RequestThrottled"));

  private StandardDialect() {}

  private static HeaderSignal awsError(String code) {
    return new HeaderSignal("x-amzn-errortype", code, Verdict.THROTTLED);
  }

  private static List<HeaderField> fields() {
    List<HeaderField> rows = new ArrayList<>();
    addWaits(rows);
    addCurrent(rows);
    addByWord(rows);
    addVendors(rows);
    return List.copyOf(rows);
  }

  private static void addWaits(List<HeaderField> rows) {
    rows.add(HeaderField.of("retry-after", WAIT));
    rows.add(HeaderField.of("retry-after-ms", WAIT_MILLIS).in("wait", 0));
    rows.add(HeaderField.of("x-ms-retry-after-ms", WAIT_MILLIS).in("wait", 1));
    rows.add(HeaderField.of("x-amz-retry-after", WAIT_MILLIS).in("wait", 2));
    rows.add(HeaderField.of("x-retry-after", WAIT_ALIAS));
    rows.add(HeaderField.of("x-ratelimit-retry-after", WAIT_ALIAS));
    rows.add(HeaderField.of("x-rate-limit-retry-after-seconds", WAIT_ALIAS));
    rows.add(HeaderField.of("x-retry-in", WAIT_ALIAS));
  }

  private static void addCurrent(List<HeaderField> rows) {
    rows.add(HeaderField.of("ratelimit", QUOTA_FIELD).in(CURRENT, 0));
    rows.add(HeaderField.of("ratelimit-policy", POLICY_FIELD).in(CURRENT, 0));
    addFamily(rows, "ratelimit-", 1);
    addFamily(rows, "x-ratelimit-", 2);
    addFamily(rows, "x-rate-limit-", 3);
    addFamily(rows, "rate-limit-", 4);
    addFamily(rows, "x-sib-ratelimit-", 5);
    rows.add(HeaderField.of("x-rate-limit", LIMIT).in(CURRENT, 3));
    rows.add(HeaderField.of("x-ratelimit-bucket", BUCKET_NAME).in(CURRENT, 2));
    rows.add(HeaderField.of("x-ratelimit-resource", BUCKET_NAME).in(CURRENT, 2));
    rows.add(HeaderField.of("x-ratelimit-burst-capacity", LIMIT).in(CURRENT, 2));
    rows.add(HeaderField.of("x-ratelimit-max", LIMIT).in(CURRENT, 2));
    rows.add(HeaderField.of("x-ratelimit-interval-milliseconds", WINDOW_MILLIS).in(CURRENT, 2));
    // Jira sends its hourly points so, beside the older names for the burst of an endpoint.
    rows.add(HeaderField.of("beta-ratelimit", QUOTA_FIELD).in("beta", 0));
    rows.add(HeaderField.of("beta-ratelimit-policy", POLICY_FIELD).in("beta", 0));
    for (HeaderField row : familyOf("x-beta-ratelimit-")) {
      rows.add(row.in("beta", 2).window("beta"));
    }
    for (HeaderField row : familyOf("x-account-rate-limit-")) {
      rows.add(row.in("account", 0).window("account"));
    }
  }

  private static void addFamily(List<HeaderField> rows, String prefix, int rank) {
    for (HeaderField row : familyOf(prefix)) {
      rows.add(row.in(CURRENT, rank));
    }
  }

  private static List<HeaderField> familyOf(String prefix) {
    return List.of(
        HeaderField.of(prefix + "limit", LIMIT),
        HeaderField.of(prefix + "remaining", REMAINING),
        HeaderField.of(prefix + "reset", RESET),
        HeaderField.of(prefix + "reset-after", RESET_AFTER),
        HeaderField.of(prefix + "reset-ms", RESET_MILLIS),
        HeaderField.of(prefix + "reset-milliseconds", RESET_MILLIS));
  }

  /** Families whose names carry the window's word, before or after the column's. */
  private static void addByWord(List<HeaderField> rows) {
    rows.add(word("anthropic-ratelimit-unified-*-utilization", USED_FRACTION, "unified-*"));
    rows.add(word("anthropic-ratelimit-unified-*-reset", RESET, "unified-*"));
    rows.add(word("anthropic-ratelimit-*-limit", LIMIT, "*"));
    rows.add(word("anthropic-ratelimit-*-remaining", REMAINING, "*"));
    rows.add(word("anthropic-ratelimit-*-reset", RESET, "*"));
    for (String prefix : List.of("x-ratelimit-", "x-rate-limit-")) {
      rows.add(word(prefix + "reset-*-ms", RESET_MILLIS, "*").in(prefix, 0));
      rows.add(word(prefix + "*-reset-ms", RESET_MILLIS, "*").in(prefix, 0));
      rows.add(word(prefix + "limit-*", LIMIT, "*").in(prefix, 0));
      rows.add(word(prefix + "remaining-*", REMAINING, "*").in(prefix, 0));
      rows.add(word(prefix + "reset-*", RESET, "*").in(prefix, 0));
      rows.add(word(prefix + "*-limit", LIMIT, "*").in(prefix, 0));
      rows.add(word(prefix + "*-remaining", REMAINING, "*").in(prefix, 0));
      rows.add(word(prefix + "*-reset", RESET, "*").in(prefix, 0));
    }
    rows.add(word("x-mbx-used-weight-*", USED, "used-weight-*").unit("weight"));
    rows.add(word("x-mbx-order-count-*", USED, "order-count-*").unit("orders"));
    rows.add(word("zendesk-ratelimit-*", NAMED_COUNTS, "*"));
    rows.add(word("x-ms-ratelimit-remaining-*", REMAINING, "*").in("azure", 0));
  }

  private static HeaderField word(String header, HeaderMeaning meaning, String window) {
    String group = header.substring(0, header.indexOf('*'));
    return HeaderField.of(header, meaning)
        .in(group, 0)
        .window(window)
        .unit("")
        .per(HeaderField.BY_NAME);
  }

  private static void addVendors(List<HeaderField> rows) {
    addColumns(rows, "hubspot", DAY, "daily", "x-hubspot-ratelimit-daily", "-remaining");
    addColumns(rows, "hubspot", SECOND, "secondly", "x-hubspot-ratelimit-secondly", "-remaining");
    rows.add(column("hubspot", "interval", "x-hubspot-ratelimit-max", LIMIT));
    rows.add(column("hubspot", "interval", "x-hubspot-ratelimit-remaining", REMAINING));
    rows.add(
        column("hubspot", "interval", "x-hubspot-ratelimit-interval-milliseconds", WINDOW_MILLIS));
    rows.add(column("bigcommerce", "default", "x-rate-limit-requests-quota", LIMIT));
    rows.add(column("bigcommerce", "default", "x-rate-limit-requests-left", REMAINING));
    rows.add(column("bigcommerce", "default", "x-rate-limit-time-reset-ms", RESET_MILLIS));
    rows.add(column("bigcommerce", "default", "x-rate-limit-time-window-ms", WINDOW_MILLIS));
    rows.add(column("etsy", "second", "x-limit-per-second", LIMIT).per(SECOND));
    rows.add(column("etsy", "second", "x-remaining-this-second", REMAINING).per(SECOND));
    rows.add(column("etsy", "day", "x-limit-per-day", LIMIT).per(DAY));
    rows.add(column("etsy", "day", "x-remaining-today", REMAINING).per(DAY));
    rows.add(column("xero", "day", "x-daylimit-remaining", REMAINING).per(DAY));
    rows.add(column("xero", "minute", "x-minlimit-remaining", REMAINING).per(MINUTE));
    rows.add(column("xero", "app-minute", "x-appminlimit-remaining", REMAINING).per(MINUTE));
    rows.add(column("amazon", "operation", "x-amzn-ratelimit-limit", LIMIT).per(SECOND));
    rows.add(
        column("dataverse", "burst", "x-ms-ratelimit-burst-remaining-xrm-requests", REMAINING));
    rows.add(
        column(
                "dataverse",
                "execution-time",
                "x-ms-ratelimit-time-remaining-xrm-requests",
                REMAINING_GROUPED)
            .unit("seconds"));
    rows.add(column("azure", "", "x-ms-ratelimit-remaining-resource", REMAINING_LIST));
    rows.add(column("graph", "graph", "x-ms-throttle-limit-percentage", USED_FRACTION));
    rows.add(column("shopify", "shop", "x-shopify-shop-api-call-limit", USED_OF_LIMIT));
    rows.add(column("gorgias", "account", "x-gorgias-account-api-call-limit", USED_OF_LIMIT));
    rows.add(column("salesforce", "*api-usage", "sforce-limit-info", USED_OF_LIMIT_LIST).per(DAY));
    rows.add(quotaList("client:*", "auth0-client-quota-limit"));
    rows.add(quotaList("organization:*", "auth0-organization-quota-limit"));
    rows.add(column("meta", "app", "x-app-usage", USAGE_JSON).per(HOUR));
    rows.add(column("meta", "*", "x-business-use-case-usage", USAGE_JSON).per(HOUR));
    rows.add(column("meta", "ad-account", "x-ad-account-usage", USAGE_JSON).per(HOUR));
  }

  private static void addColumns(
      List<HeaderField> rows,
      String group,
      Duration length,
      String window,
      String limit,
      String remainingSuffix) {
    rows.add(column(group, window, limit, LIMIT).per(length));
    rows.add(column(group, window, limit + remainingSuffix, REMAINING).per(length));
  }

  private static HeaderField column(
      String group, String window, String header, HeaderMeaning meaning) {
    return HeaderField.of(header, meaning).in(group, 0).window(window);
  }

  private static HeaderField quotaList(String window, String header) {
    return HeaderField.of(header, QUOTA_LIST)
        .in("auth0", 0)
        .window(window)
        .per(HeaderField.BY_NAME);
  }
}
