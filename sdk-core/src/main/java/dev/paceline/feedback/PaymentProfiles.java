package dev.paceline.feedback;

import static dev.paceline.feedback.Published.DAY;
import static dev.paceline.feedback.Published.MINUTE;
import static dev.paceline.feedback.Published.SECOND;
import static dev.paceline.feedback.Published.at;
import static dev.paceline.feedback.Published.contains;
import static dev.paceline.feedback.Published.equal;
import static dev.paceline.feedback.Published.fixed;
import static dev.paceline.feedback.Published.gcra;
import static dev.paceline.feedback.Published.leaky;
import static dev.paceline.feedback.Published.sliding;
import static dev.paceline.feedback.Published.tokens;
import static dev.paceline.feedback.Verdict.CONCURRENCY;
import static dev.paceline.feedback.Verdict.KEY_IN_USE;
import static dev.paceline.feedback.Verdict.ROUTE;
import static dev.paceline.feedback.Verdict.THROTTLED;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Profiles of payments, finance and commerce. */
final class PaymentProfiles {

  /** A 429 may also be a lock on the object (lock_timeout), which is no rate. */
  static final Profile STRIPE =
      at("stripe", "https://docs.stripe.com/rate-limits", "api.stripe.com", "files.stripe.com")
          .limits(
              List.of(
                  gcra(100, SECOND),
                  gcra(25, SECOND).on("(each endpoint)"),
                  gcra(20, SECOND).on("(search, files)")))
          .bodyRules(
              List.of(
                  equal("error.code", "lock_timeout", CONCURRENCY, ROUTE).on(429),
                  equal("error.code", "idempotency_key_in_use", KEY_IN_USE).on(409)))
          .bodyStatuses(Set.of(409, 429))
          .idempotencyKeyHeader("Idempotency-Key")
          .build();

  /** Limits are not published and adapt to the traffic. */
  static final Profile PAYPAL =
      at(
              "paypal",
              "https://developer.paypal.com/api/rest/reference/rate-limiting/",
              "api-m.paypal.com",
              "api-m.sandbox.paypal.com")
          .idempotencyKeyHeader("PayPal-Request-Id")
          .build();

  /** Refuses with a 500, told only by the body; limits are not published. */
  static final Profile ADYEN =
      at(
              "adyen",
              "https://docs.adyen.com/development-resources/error-codes/",
              "*.adyen.com",
              "*.adyenpayments.com")
          .bodyRules(List.of(contains("detail", "too many requests", THROTTLED).on(500)))
          .bodyStatuses(Set.of(500))
          .idempotencyKeyHeader("Idempotency-Key")
          .build();

  /** The idempotency key is a member of the request's body; limits are not published. */
  static final Profile SQUARE =
      at(
              "square",
              "https://developer.squareup.com/docs/build-basics/common-api-patterns/handling-errors",
              "connect.squareup.com",
              "connect.squareupsandbox.com")
          .bodyRules(List.of(equal("errors[].code", "RATE_LIMITED", THROTTLED)))
          .bodyStatuses(Set.of(429))
          .build();

  /** Limits are per item and per client, by endpoint; each has an error code of its own. */
  static final Profile PLAID =
      at(
              "plaid",
              "https://plaid.com/docs/errors/rate-limit-exceeded/",
              "production.plaid.com",
              "sandbox.plaid.com")
          .scope(WaitScope.ROUTE)
          .bodyRules(List.of(equal("error_type", "RATE_LIMIT_EXCEEDED", THROTTLED).on(400, 429)))
          .bodyStatuses(Set.of(400, 429))
          .build();

  static final Profile WISE =
      at("wise", "https://docs.wise.com/api-docs", "api.wise.com", "api.transferwise.com")
          .idempotencyKeyHeader("X-idempotence-uuid")
          .build();

  static final Profile BRAINTREE =
      at(
              "braintree",
              "https://developer.paypal.com/braintree/docs",
              "api.braintreegateway.com",
              "payments.braintree-api.com")
          .build();

  /** A refusal while the bucket has room comes from a limit on one resource. */
  static final Profile SHOPIFY =
      at("shopify", "https://shopify.dev/docs/api/admin-rest/usage/rate-limits", "*.myshopify.com")
          .limits(List.of(leaky(2, SECOND, 40)))
          .throttleStatuses(Set.of(430))
          .scopeWhenQuotaLeft(WaitScope.ROUTE)
          .build();

  /** Refuses inside a 200; the bucket's state is in every answer. */
  static final Profile SHOPIFY_GRAPHQL =
      at(
              "shopify-graphql",
              "https://shopify.dev/docs/api/admin-graphql#rate-limits",
              "*.myshopify.com")
          .limits(List.of(leaky(100, SECOND, 2000).in("points")))
          .throttleStatuses(Set.of(430))
          .cooldown(SECOND)
          .bodyRules(
              List.of(
                  equal("errors[].extensions.code", "THROTTLED", THROTTLED),
                  at(BodyRule.Match.COST, "extensions.cost")))
          .bodyStatuses(Set.of(200, 429))
          .build();

  /** The quota is shared by all apps on the store. */
  static final Profile BIGCOMMERCE =
      at(
              "bigcommerce",
              "https://developer.bigcommerce.com/docs/start/best-practices/api-rate-limits",
              "api.bigcommerce.com")
          .limits(List.of(fixed(150, Duration.ofSeconds(30))))
          .build();

  /** Rate and burst are those of an operation and a seller; the rate is told by a header. */
  static final Profile AMAZON_SP_API =
      at(
              "amazon-sp-api",
              "https://developer-docs.amazon.com/sp-api/docs/usage-plans-and-rate-limits",
              "sellingpartnerapi-na.amazon.com",
              "sellingpartnerapi-eu.amazon.com",
              "sellingpartnerapi-fe.amazon.com")
          .limits(
              List.of(
                  tokens(1, Duration.ofSeconds(60), 20).on("GET /orders/v0/orders"),
                  tokens(5, Duration.ofSeconds(10), 30).on("GET /orders/v0/orders/*")))
          .scope(WaitScope.ROUTE)
          .bodyRules(List.of(equal("errors[].code", "QuotaExceeded", THROTTLED)))
          .bodyStatuses(Set.of(429))
          .build();

  static final Profile ETSY =
      at(
              "etsy",
              "https://developers.etsy.com/documentation/essentials/rate-limits",
              "openapi.etsy.com",
              "api.etsy.com")
          .limits(List.of(fixed(10, SECOND), sliding(10_000, DAY)))
          .build();

  static final Profile EBAY =
      at("ebay", "https://developer.ebay.com/develop/get-started/api-call-limits", "api.ebay.com")
          .build();

  /** Windows roll; five requests may be in progress for a tenant. */
  static final Profile XERO =
      at("xero", "https://developer.xero.com/documentation/guides/oauth2/limits/", "api.xero.com")
          .limits(
              List.of(
                  sliding(60, MINUTE),
                  sliding(5_000, DAY),
                  sliding(10_000, MINUTE).on("(the app, all tenants)")))
          .inFlight(5)
          .idempotencyKeyHeader("Idempotency-Key")
          .build();

  /** Tells to wait 60 s. */
  static final Profile QUICKBOOKS =
      at(
              "quickbooks",
              "https://developer.intuit.com/app/developer/qbo/docs/learn/rest-api-features",
              "quickbooks.api.intuit.com",
              "sandbox-quickbooks.api.intuit.com")
          .limits(
              List.of(
                  fixed(500, MINUTE),
                  fixed(10, SECOND).on("(each app)"),
                  fixed(40, MINUTE).on("POST /v3/company/*/batch")))
          .inFlight(10)
          .cooldown(MINUTE)
          .build();

  static final Profile COINBASE =
      at(
              "coinbase",
              "https://docs.cdp.coinbase.com/coinbase-app/docs/rate-limiting",
              "api.coinbase.com")
          .limits(List.of(fixed(10_000, Duration.ofHours(1))))
          .build();

  /** Ignoring a 429 leads to a 418, a ban of the address for minutes to days. */
  static final Profile BINANCE =
      at(
              "binance",
              "https://developers.binance.com/docs/binance-spot-api-docs/rest-api/limits",
              "api.binance.com",
              "*.binance.com")
          .limits(
              List.of(
                  fixed(6_000, MINUTE).in("weight"),
                  fixed(100, Duration.ofSeconds(10)).on("POST /api/v3/order").in("orders"),
                  fixed(200_000, DAY).on("POST /api/v3/order").in("orders")))
          .throttleStatuses(Set.of(418))
          .scope(WaitScope.UPSTREAM)
          .cooldown(MINUTE)
          .probeAfterCooldown(true)
          .refusalsCount(true)
          .build();

  /** Refuses inside a 200; calls made while limited prolong it. */
  static final Profile KRAKEN =
      at("kraken", "https://docs.kraken.com/api/docs/guides/spot-rest-ratelimits", "api.kraken.com")
          .limits(List.of(leaky(33, Duration.ofSeconds(100), 15)))
          .cooldown(Duration.ofSeconds(5))
          .probeAfterCooldown(true)
          .refusalsCount(true)
          .bodyRules(
              List.of(
                  contains("error[]", "EAPI:Rate limit exceeded", THROTTLED),
                  contains("error[]", "EOrder:Rate limit exceeded", THROTTLED),
                  BodyRule.of(
                      BodyRule.Match.EPOCH_AFTER,
                      "error[]",
                      List.of("EService: Throttled:", "EService:Throttled:"),
                      THROTTLED,
                      CONCURRENCY)))
          .bodyStatuses(Set.of(200))
          .build();

  static final Profile PRISJAKT =
      at("prisjakt", "https://schema.prisjakt.nu/docs/", "*.prisjakt.nu")
          .headers(
              List.of(
                  HeaderField.of("x-rate-limit-reset", HeaderMeaning.RESET_MILLIS)
                      .in(StandardDialect.CURRENT, 3)))
          .build();

  static final List<Profile> ALL =
      List.of(
          STRIPE,
          PAYPAL,
          ADYEN,
          SQUARE,
          PLAID,
          WISE,
          BRAINTREE,
          SHOPIFY,
          SHOPIFY_GRAPHQL,
          BIGCOMMERCE,
          AMAZON_SP_API,
          ETSY,
          EBAY,
          XERO,
          QUICKBOOKS,
          COINBASE,
          BINANCE,
          KRAKEN,
          PRISJAKT);

  private PaymentProfiles() {}
}
