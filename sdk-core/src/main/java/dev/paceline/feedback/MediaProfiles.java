package dev.paceline.feedback;

import static dev.paceline.feedback.Published.MINUTE;
import static dev.paceline.feedback.Published.SECOND;
import static dev.paceline.feedback.Published.at;
import static dev.paceline.feedback.Published.equal;
import static dev.paceline.feedback.Published.fixed;
import static dev.paceline.feedback.Published.sliding;
import static dev.paceline.feedback.Published.tokens;
import static dev.paceline.feedback.Verdict.NO_RETRY;
import static dev.paceline.feedback.Verdict.QUOTA_EXHAUSTED;
import static dev.paceline.feedback.Verdict.ROUTE;
import static dev.paceline.feedback.Verdict.THROTTLED;
import static dev.paceline.feedback.Verdict.UPSTREAM;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Profiles of social networks, media and language models. */
final class MediaProfiles {

  /**
   * An answer without a bucket comes from the network in front, and holds the host. 10,000 refusals
   * in ten minutes end in a ban.
   */
  static final Profile DISCORD =
      at(
              "discord",
              "https://discord.com/developers/docs/topics/rate-limits",
              "discord.com",
              "discordapp.com")
          .limits(List.of(fixed(50, SECOND).on("(global)")))
          .signals(List.of(new HeaderSignal("x-ratelimit-bucket", "*", ROUTE)))
          .scope(WaitScope.UPSTREAM)
          .scopeWhenQuotaLeft(WaitScope.ROUTE)
          .cooldown(MINUTE)
          .probeAfterCooldown(true)
          .refusalsCount(true)
          .bodyRules(
              List.of(
                  at(BodyRule.Match.WAIT_SECONDS, "retry_after"),
                  equal("global", "true", UPSTREAM)))
          .bodyStatuses(Set.of(429))
          .build();

  static final Profile X =
      at("x", "https://docs.x.com/x-api/fundamentals/rate-limits", "api.x.com", "api.twitter.com")
          .scope(WaitScope.ROUTE)
          .build();

  /** The first version of its interface, which refused with "Enhance Your Calm". */
  static final Profile TWITTER_V1 =
      at("twitter-v1", "https://developer.x.com/en/docs/x-api/v1/rate-limits")
          .throttleStatuses(Set.of(420))
          .scope(WaitScope.ROUTE)
          .build();

  static final Profile REDDIT =
      at(
              "reddit",
              "https://support.reddithelp.com/hc/en-us/articles/16160319875092-Reddit-Data-API-Wiki",
              "oauth.reddit.com")
          .limits(List.of(fixed(1_000, Duration.ofMinutes(10))))
          .build();

  static final Profile TWITCH =
      at("twitch", "https://dev.twitch.tv/docs/api/guide/#twitch-rate-limits", "api.twitch.tv")
          .limits(List.of(tokens(800, MINUTE, 800).in("points")))
          .build();

  /** Codes of application, user, page and business limits, in answers of status 400 and 403. */
  static final Profile META =
      at(
              "meta",
              "https://developers.facebook.com/docs/graph-api/overview/rate-limiting/",
              "graph.facebook.com",
              "graph.instagram.com")
          .cooldown(MINUTE)
          .bodyRules(
              List.of(
                  equal(
                      "error.code",
                      List.of(
                          "4", "17", "32", "613", "80000", "80001", "80002", "80003", "80004",
                          "80005", "80006", "80007", "80008", "80009", "80010", "80011", "80012",
                          "80013", "80014"),
                      THROTTLED)))
          .bodyStatuses(Set.of(400, 403))
          .build();

  static final Profile TIKTOK =
      at(
              "tiktok",
              "https://developers.tiktok.com/doc/tiktok-api-v2-rate-limit",
              "open.tiktokapis.com")
          .limits(List.of(sliding(600, MINUTE).on("(each endpoint)")))
          .scope(WaitScope.ROUTE)
          .build();

  static final Profile LINKEDIN =
      at(
              "linkedin",
              "https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/rate-limits",
              "api.linkedin.com")
          .throttleKind(ThrottleKind.QUOTA_EXHAUSTED)
          .build();

  /** A spent plan, or a request larger than its limit, is also a 429, which no wait heals. */
  static final Profile OPENAI =
      at("openai", "https://platform.openai.com/docs/guides/rate-limits", "api.openai.com")
          .bodyRules(modelRules())
          .bodyStatuses(Set.of(429))
          .build();

  static final Profile AZURE_OPENAI =
      at(
              "azure-openai",
              "https://learn.microsoft.com/en-us/azure/ai-foundry/openai/quotas-limits",
              "*.openai.azure.com")
          .bodyRules(modelRules())
          .bodyStatuses(Set.of(429))
          .build();

  static final Profile GROQ =
      at("groq", "https://console.groq.com/docs/rate-limits", "api.groq.com")
          .bodyRules(modelRules())
          .bodyStatuses(Set.of(413, 429))
          .build();

  /** 529: overloaded. Limits are those of a model and a tier; 50 requests a minute is the first. */
  static final Profile ANTHROPIC =
      at("anthropic", "https://docs.claude.com/en/api/rate-limits", "api.anthropic.com")
          .limits(List.of(tokens(50, MINUTE, 50)))
          .throttleStatuses(Set.of(529))
          .build();

  private static List<BodyRule> modelRules() {
    return List.of(
        equal(
            "error.code",
            List.of("insufficient_quota", "billing_hard_limit_reached"),
            THROTTLED,
            QUOTA_EXHAUSTED,
            NO_RETRY),
        equal("error.type", "insufficient_quota", THROTTLED, QUOTA_EXHAUSTED, NO_RETRY),
        at(BodyRule.Match.ABOVE_LIMIT, "error.message", NO_RETRY));
  }

  static final List<Profile> ALL =
      List.of(
          DISCORD,
          X,
          TWITTER_V1,
          REDDIT,
          TWITCH,
          META,
          TIKTOK,
          LINKEDIN,
          OPENAI,
          AZURE_OPENAI,
          GROQ,
          ANTHROPIC);

  private MediaProfiles() {}
}
