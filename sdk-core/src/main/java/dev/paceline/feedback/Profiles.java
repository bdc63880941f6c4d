package dev.paceline.feedback;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The built-in profiles. Each names the provider's page that it follows; a plan, a tier or an
 * account may have other limits, so compare, and override what differs:
 *
 * <pre>{@code
 * Profile plus = Profiles.shopify().toBuilder()
 *     .limits(List.of(PublishedLimit.of(20, Duration.ofSeconds(1), "leaky-bucket").burst(400)))
 *     .build();
 * }</pre>
 */
public final class Profiles {

  private static final Map<String, Profile> BY_NAME =
      Stream.of(PaymentProfiles.ALL, PlatformProfiles.ALL, BusinessProfiles.ALL, MediaProfiles.ALL)
          .flatMap(List::stream)
          .collect(Collectors.toUnmodifiableMap(Profile::name, Function.identity()));

  private Profiles() {}

  /** Returns the built-in profile of that name, one of {@link #names()}. */
  public static Optional<Profile> byName(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /** Returns the names of the built-in profiles, in alphabetical order. */
  public static List<String> names() {
    return BY_NAME.keySet().stream().sorted().toList();
  }

  /** Returns the profile of Stripe. */
  public static Profile stripe() {
    return PaymentProfiles.STRIPE;
  }

  /** Returns the profile of PayPal. */
  public static Profile paypal() {
    return PaymentProfiles.PAYPAL;
  }

  /** Returns the profile of Adyen. */
  public static Profile adyen() {
    return PaymentProfiles.ADYEN;
  }

  /** Returns the profile of Square. */
  public static Profile square() {
    return PaymentProfiles.SQUARE;
  }

  /** Returns the profile of Plaid. */
  public static Profile plaid() {
    return PaymentProfiles.PLAID;
  }

  /** Returns the profile of Shopify's REST interface, a standard plan. */
  public static Profile shopify() {
    return PaymentProfiles.SHOPIFY;
  }

  /** Returns the profile of Shopify's GraphQL interface, a standard plan. */
  public static Profile shopifyGraphql() {
    return PaymentProfiles.SHOPIFY_GRAPHQL;
  }

  /** Returns the profile of BigCommerce. */
  public static Profile bigcommerce() {
    return PaymentProfiles.BIGCOMMERCE;
  }

  /** Returns the profile of Amazon's Selling Partner API. */
  public static Profile amazonSpApi() {
    return PaymentProfiles.AMAZON_SP_API;
  }

  /** Returns the profile of Xero. */
  public static Profile xero() {
    return PaymentProfiles.XERO;
  }

  /** Returns the profile of Binance. */
  public static Profile binance() {
    return PaymentProfiles.BINANCE;
  }

  /** Returns the profile of Kraken. */
  public static Profile kraken() {
    return PaymentProfiles.KRAKEN;
  }

  /** Returns the profile of GitHub. */
  public static Profile github() {
    return PlatformProfiles.GITHUB;
  }

  /** Returns the profile of Microsoft Graph. */
  public static Profile microsoftGraph() {
    return PlatformProfiles.MICROSOFT_GRAPH;
  }

  /** Returns the profile of Google's APIs. */
  public static Profile google() {
    return PlatformProfiles.GOOGLE;
  }

  /** Returns the profile of Amazon Web Services. */
  public static Profile aws() {
    return PlatformProfiles.AWS;
  }

  /** Returns the profile of Okta. */
  public static Profile okta() {
    return PlatformProfiles.OKTA;
  }

  /** Returns the profile of Slack. */
  public static Profile slack() {
    return BusinessProfiles.SLACK;
  }

  /** Returns the profile of Twilio. */
  public static Profile twilio() {
    return BusinessProfiles.TWILIO;
  }

  /** Returns the profile of HubSpot. */
  public static Profile hubspot() {
    return BusinessProfiles.HUBSPOT;
  }

  /** Returns the profile of Salesforce. */
  public static Profile salesforce() {
    return BusinessProfiles.SALESFORCE;
  }

  /** Returns the profile of Zendesk. */
  public static Profile zendesk() {
    return BusinessProfiles.ZENDESK;
  }

  /** Returns the profile of Jira and Confluence Cloud. */
  public static Profile jira() {
    return BusinessProfiles.JIRA;
  }

  /** Returns the profile of Notion. */
  public static Profile notion() {
    return BusinessProfiles.NOTION;
  }

  /** Returns the profile of Marketo. */
  public static Profile marketo() {
    return BusinessProfiles.MARKETO;
  }

  /** Returns the profile of OpenAI. */
  public static Profile openai() {
    return MediaProfiles.OPENAI;
  }

  /** Returns the profile of Azure OpenAI. */
  public static Profile azureOpenai() {
    return MediaProfiles.AZURE_OPENAI;
  }

  /** Returns the profile of Anthropic. */
  public static Profile anthropic() {
    return MediaProfiles.ANTHROPIC;
  }

  /** Returns the profile of Discord. */
  public static Profile discord() {
    return MediaProfiles.DISCORD;
  }

  /** Returns the profile of Meta's Graph API. */
  public static Profile meta() {
    return MediaProfiles.META;
  }
}
