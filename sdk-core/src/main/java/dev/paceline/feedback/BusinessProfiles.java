package dev.paceline.feedback;

import static dev.paceline.feedback.Published.DAY;
import static dev.paceline.feedback.Published.MINUTE;
import static dev.paceline.feedback.Published.SECOND;
import static dev.paceline.feedback.Published.at;
import static dev.paceline.feedback.Published.contains;
import static dev.paceline.feedback.Published.equal;
import static dev.paceline.feedback.Published.fixed;
import static dev.paceline.feedback.Published.gcra;
import static dev.paceline.feedback.Published.sliding;
import static dev.paceline.feedback.Verdict.CONCURRENCY;
import static dev.paceline.feedback.Verdict.QUOTA_EXHAUSTED;
import static dev.paceline.feedback.Verdict.THROTTLED;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Profiles of customer relations, marketing and everyday work. */
final class BusinessProfiles {

  /** Limits are a method's, in four tiers. */
  static final Profile SLACK =
      at("slack", "https://docs.slack.dev/apis/web-api/rate-limits/", "slack.com")
          .limits(
              List.of(
                  fixed(1, MINUTE).on("(tier 1 methods)"),
                  fixed(20, MINUTE).on("(tier 2 methods)"),
                  fixed(50, MINUTE).on("(tier 3 methods)"),
                  fixed(100, MINUTE).on("(tier 4 methods)"),
                  gcra(1, SECOND).on("(each channel) POST /api/chat.postMessage")))
          .scope(WaitScope.ROUTE)
          .build();

  /** A 429 tells that too many were in flight, and that this one was not processed. */
  static final Profile TWILIO =
      at("twilio", "https://www.twilio.com/docs/api/errors/20429", "api.twilio.com", "*.twilio.com")
          .throttleKind(ThrottleKind.CONCURRENCY)
          .unprocessedStatuses(Set.of(429))
          .idempotencyKeyHeader("I-Twilio-Idempotency-Token")
          .build();

  static final Profile HUBSPOT =
      at(
              "hubspot",
              "https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines",
              "api.hubapi.com",
              "api.hubspot.com")
          .limits(List.of(sliding(100, Duration.ofSeconds(10)), fixed(250_000, DAY)))
          .bodyRules(List.of(equal("policyName", "DAILY", THROTTLED, QUOTA_EXHAUSTED).on(429)))
          .bodyStatuses(Set.of(429))
          .build();

  /** One code for two limits; the message tells them apart. */
  static final Profile SALESFORCE =
      at(
              "salesforce",
              "https://developer.salesforce.com/docs/atlas.en-us.salesforce_app_limits_cheatsheet.meta/salesforce_app_limits_cheatsheet/salesforce_app_limits_platform_api.htm",
              "*.salesforce.com")
          .limits(List.of(sliding(100_000, DAY)))
          .inFlight(25)
          .bodyRules(
              List.of(
                  equal("[].errorCode", "REQUEST_LIMIT_EXCEEDED", THROTTLED),
                  contains("[].message", "TotalRequests Limit exceeded", QUOTA_EXHAUSTED),
                  contains("[].message", "ConcurrentPerOrg", CONCURRENCY)))
          .bodyStatuses(Set.of(403, 503))
          .build();

  static final Profile SALESFORCE_MC =
      at(
              "salesforce-mc",
              "https://developer.salesforce.com/docs/marketing/marketing-cloud/guide/rate-limiting-errors.html",
              "*.rest.marketingcloudapis.com")
          .build();

  static final Profile ZENDESK =
      at(
              "zendesk",
              "https://developer.zendesk.com/api-reference/introduction/rate-limits/",
              "*.zendesk.com")
          .limits(List.of(fixed(400, MINUTE)))
          .idempotencyKeyHeader("Idempotency-Key")
          .build();

  /** Three systems of limits; a request sent again early fails with the same or a longer wait. */
  static final Profile JIRA =
      at(
              "jira",
              "https://developer.atlassian.com/cloud/jira/platform/rate-limiting/",
              "*.atlassian.net",
              "api.atlassian.com")
          .scopeWhenQuotaLeft(WaitScope.ROUTE)
          .probeAfterCooldown(true)
          .build();

  static final Profile CONFLUENCE_DC =
      at(
              "confluence-dc",
              "https://confluence.atlassian.com/doc/improving-instance-stability-with-rate-limiting-992679004.html")
          .build();

  static final Profile NOTION =
      at("notion", "https://developers.notion.com/reference/request-limits", "api.notion.com")
          .limits(List.of(gcra(3, SECOND)))
          .throttleStatuses(Set.of(529))
          .build();

  /** Tells to wait 30 s. */
  static final Profile AIRTABLE =
      at("airtable", "https://airtable.com/developers/web/api/rate-limits", "api.airtable.com")
          .limits(List.of(fixed(5, SECOND), fixed(50, SECOND).on("(each token, all bases)")))
          .cooldown(Duration.ofSeconds(30))
          .build();

  static final Profile ASANA =
      at("asana", "https://developers.asana.com/docs/rate-limits", "app.asana.com")
          .limits(
              List.of(
                  fixed(150, MINUTE),
                  fixed(60, MINUTE).on("GET /api/1.0/workspaces/*/tasks/search")))
          .refusalsCount(true)
          .build();

  static final Profile KLAVIYO =
      at(
              "klaviyo",
              "https://developers.klaviyo.com/en/docs/rate_limits_and_error_handling",
              "a.klaviyo.com")
          .limits(
              List.of(
                  fixed(10, SECOND).on("(medium tier)"), fixed(150, MINUTE).on("(medium tier)")))
          .scope(WaitScope.ROUTE)
          .build();

  static final Profile MAILCHIMP =
      at(
              "mailchimp",
              "https://mailchimp.com/developer/marketing/docs/fundamentals/#api-limits",
              "*.api.mailchimp.com")
          .inFlight(10)
          .throttleKind(ThrottleKind.CONCURRENCY)
          .build();

  static final Profile SENDGRID =
      at(
              "sendgrid",
              "https://www.twilio.com/docs/sendgrid/api-reference/how-to-use-the-sendgrid-v3-api/rate-limits",
              "api.sendgrid.com")
          .scope(WaitScope.ROUTE)
          .build();

  /** Refuses inside a 200: 606 too fast, 607 the day's quota, 615 too many at once. */
  static final Profile MARKETO =
      at(
              "marketo",
              "https://experienceleague.adobe.com/en/docs/marketo-developer/marketo/rest/error-codes",
              "*.mktorest.com")
          .limits(List.of(fixed(100, Duration.ofSeconds(20)), fixed(50_000, DAY)))
          .inFlight(10)
          .cooldown(Duration.ofSeconds(20))
          .bodyRules(
              List.of(
                  equal("errors[].code", "606", THROTTLED),
                  equal("errors[].code", "607", THROTTLED, QUOTA_EXHAUSTED),
                  equal("errors[].code", "615", THROTTLED, CONCURRENCY)))
          .bodyStatuses(Set.of(200))
          .build();

  static final Profile LEMLIST =
      at("lemlist", "https://developer.lemlist.com/", "api.lemlist.com")
          .limits(List.of(fixed(20, Duration.ofSeconds(2))))
          .headers(
              List.of(
                  HeaderField.of("x-ratelimit-reset", HeaderMeaning.RESET_SCRIPT_DATE)
                      .in(StandardDialect.CURRENT, 2)))
          .build();

  static final List<Profile> ALL =
      List.of(
          SLACK,
          TWILIO,
          HUBSPOT,
          SALESFORCE,
          SALESFORCE_MC,
          ZENDESK,
          JIRA,
          CONFLUENCE_DC,
          NOTION,
          AIRTABLE,
          ASANA,
          KLAVIYO,
          MAILCHIMP,
          SENDGRID,
          MARKETO,
          LEMLIST);

  private BusinessProfiles() {}
}
