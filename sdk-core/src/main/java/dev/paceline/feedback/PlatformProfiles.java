package dev.paceline.feedback;

import static dev.paceline.feedback.Published.HOUR;
import static dev.paceline.feedback.Published.MINUTE;
import static dev.paceline.feedback.Published.SECOND;
import static dev.paceline.feedback.Published.at;
import static dev.paceline.feedback.Published.contains;
import static dev.paceline.feedback.Published.equal;
import static dev.paceline.feedback.Published.fixed;
import static dev.paceline.feedback.Published.sliding;
import static dev.paceline.feedback.Verdict.NO_RETRY;
import static dev.paceline.feedback.Verdict.QUOTA_EXHAUSTED;
import static dev.paceline.feedback.Verdict.THROTTLED;
import static dev.paceline.feedback.Verdict.UPSTREAM;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Profiles of source hosting, clouds and infrastructure, and of the standards themselves. */
final class PlatformProfiles {

  private static final String PROBLEMS = "https://iana.org/assignments/http-problem-types#";

  /**
   * The problem types of draft-ietf-httpapi-ratelimit-headers-10 in the body of an answer, for a
   * provider that follows the draft.
   */
  static final Profile IETF =
      at("ietf", "https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/")
          .bodyRules(
              List.of(
                  equal(
                      "type",
                      List.of(PROBLEMS + "quota-exceeded", PROBLEMS + "temporary-reduced-capacity"),
                      THROTTLED),
                  equal("type", PROBLEMS + "abnormal-usage-detected", THROTTLED, NO_RETRY)))
          .bodyStatuses(Set.of(429, 503))
          .build();

  /**
   * A secondary limit refuses while quota is left, holds all calls of the user, and asks for a
   * minute at least where it tells no wait; going on while limited may end in a ban.
   */
  static final Profile GITHUB =
      at(
              "github",
              "https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api",
              "api.github.com")
          .limits(
              List.of(
                  fixed(5_000, HOUR),
                  fixed(30, MINUTE).on("GET /search/*"),
                  fixed(10, MINUTE).on("GET /search/code"),
                  sliding(900, MINUTE).on("(secondary)").in("points"),
                  sliding(80, MINUTE).on("(creating content)")))
          .inFlight(100)
          .scopeWhenQuotaLeft(WaitScope.UPSTREAM)
          .cooldown(MINUTE)
          .probeAfterCooldown(true)
          .refusalsCount(true)
          .bodyRules(
              List.of(
                  contains("message", "secondary rate limit", THROTTLED, UPSTREAM).cooldown(MINUTE),
                  contains("message", "abuse detection", THROTTLED, UPSTREAM).cooldown(MINUTE)))
          .bodyStatuses(Set.of(403, 429))
          .build();

  static final Profile GITLAB =
      at("gitlab", "https://docs.gitlab.com/security/rate_limits/", "gitlab.com")
          .limits(List.of(fixed(2_000, MINUTE)))
          .build();

  static final Profile DOCKER_HUB =
      at(
              "docker-hub",
              "https://docs.docker.com/docker-hub/usage/pulls/",
              "registry-1.docker.io",
              "hub.docker.com")
          .limits(List.of(sliding(100, Duration.ofHours(6)).on("(pulls)")))
          .build();

  /** All calls of the user are blocked for five minutes. */
  static final Profile CLOUDFLARE =
      at(
              "cloudflare",
              "https://developers.cloudflare.com/fundamentals/api/reference/limits/",
              "api.cloudflare.com")
          .limits(
              List.of(fixed(1_200, Duration.ofMinutes(5)), fixed(200, SECOND).on("(each address)")))
          .scope(WaitScope.UPSTREAM)
          .cooldown(Duration.ofMinutes(5))
          .build();

  private static final List<String> AWS_CODES =
      List.of(
          "Throttling",
          "ThrottlingException",
          "ThrottledException",
          "ProvisionedThroughputExceededException",
          "SlowDown",
          "TooManyRequestsException",
          "RequestLimitExceeded",
          "BandwidthLimitExceeded",
          "RequestThrottled");

  static final Profile AWS =
      at(
              "aws",
              "https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html",
              "*.amazonaws.com")
          .bodyRules(
              List.of(
                  BodyRule.of(BodyRule.Match.ELEMENT, "Code", AWS_CODES, THROTTLED),
                  equal("__type", AWS_CODES, THROTTLED),
                  equal("code", AWS_CODES, THROTTLED)))
          .bodyStatuses(Set.of(400, 429, 503))
          .build();

  static final Profile AZURE_ARM =
      at(
              "azure-arm",
              "https://learn.microsoft.com/en-us/azure/azure-resource-manager/management/request-limits-and-throttling",
              "management.azure.com")
          .build();

  static final Profile AZURE_COSMOS =
      at(
              "azure-cosmos",
              "https://learn.microsoft.com/en-us/rest/api/cosmos-db/http-status-codes-for-cosmosdb",
              "*.documents.azure.com")
          .build();

  /** Refused requests use quota too. */
  static final Profile MICROSOFT_GRAPH =
      at(
              "microsoft-graph",
              "https://learn.microsoft.com/en-us/graph/throttling",
              "graph.microsoft.com")
          .limits(List.of(sliding(130_000, Duration.ofSeconds(10)).on("(the app, all tenants)")))
          .probeAfterCooldown(true)
          .refusalsCount(true)
          .build();

  static final Profile SHAREPOINT =
      at(
              "sharepoint",
              "https://learn.microsoft.com/en-us/sharepoint/dev/general-development/how-to-avoid-getting-throttled-or-blocked-in-sharepoint-online",
              "*.sharepoint.com")
          .probeAfterCooldown(true)
          .refusalsCount(true)
          .build();

  static final Profile DATAVERSE =
      at(
              "dataverse",
              "https://learn.microsoft.com/en-us/power-apps/developer/data-platform/api-limits",
              "*.dynamics.com")
          .limits(List.of(sliding(6_000, Duration.ofMinutes(5))))
          .inFlight(52)
          .build();

  /** Older interfaces refuse with a 403 whose reason alone tells it from a missing permission. */
  static final Profile GOOGLE =
      at("google", "https://cloud.google.com/apis/design/errors", "*.googleapis.com")
          .bodyRules(
              List.of(
                  equal(
                      "error.errors[].reason",
                      List.of("rateLimitExceeded", "userRateLimitExceeded"),
                      THROTTLED),
                  equal(
                      "error.errors[].reason",
                      List.of("dailyLimitExceeded", "dailyLimitExceededUnreg", "quotaExceeded"),
                      THROTTLED,
                      QUOTA_EXHAUSTED),
                  equal("error.status", "RESOURCE_EXHAUSTED", THROTTLED),
                  BodyRule.of(
                      BodyRule.Match.WAIT_DURATION, "error.details[].retryDelay", List.of())))
          .bodyStatuses(Set.of(403, 429, 503))
          .build();

  static final Profile AUTH0 =
      at(
              "auth0",
              "https://auth0.com/docs/troubleshoot/customer-support/operational-policies/rate-limit-policy",
              "*.auth0.com")
          .build();

  /** Where too many are in flight the limit is shown as 0. */
  static final Profile OKTA =
      at("okta", "https://developer.okta.com/docs/reference/rl-best-practices/", "*.okta.com")
          .limits(List.of(fixed(600, MINUTE).on("(most endpoints)")))
          .inFlight(75)
          .build();

  static final Profile NUGET =
      at(
              "nuget",
              "https://learn.microsoft.com/en-us/nuget/api/rate-limits",
              "api.nuget.org",
              "www.nuget.org")
          .limits(List.of(fixed(350, HOUR).on("(pushes, each key)")))
          .build();

  static final Profile SPOTIFY =
      at(
              "spotify",
              "https://developer.spotify.com/documentation/web-api/concepts/rate-limits",
              "api.spotify.com")
          .build();

  static final List<Profile> ALL =
      List.of(
          IETF,
          GITHUB,
          GITLAB,
          DOCKER_HUB,
          CLOUDFLARE,
          AWS,
          AZURE_ARM,
          AZURE_COSMOS,
          MICROSOFT_GRAPH,
          SHAREPOINT,
          DATAVERSE,
          GOOGLE,
          AUTH0,
          OKTA,
          NUGET,
          SPOTIFY);

  private PlatformProfiles() {}
}
