/** What a set-up has to know: from options, else from the person, else what is usual. */

import type { TSchema } from "@sinclair/typebox";
import { PASSWORD_MAX, PASSWORD_MIN, PLAN_LIMITS, PLANS, type Plan } from "#core/limits.ts";
import { isCurrency, timezoneName } from "#core/place.ts";
import { schemaCheckOf } from "#core/schema-check.ts";
import { currencyOfZone, zoneOfCurrency } from "#core/zone-currency.ts";
import { CreateKeyBody } from "../modules/api-keys/schema.ts";
import { RegisterBody } from "../modules/auth/schema.ts";
import { knownTimezone, machineTimezone } from "../platform/timezone.ts";
import type { Asker, Choice, Question } from "./ask.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { readPasswordLine } from "./password-line.ts";

/** The options that answer questions; a text as it was given. */
export interface SetupWishes {
  readonly ownerEmail?: string;
  readonly ownerName?: string;
  readonly passwordStdin?: true;
  readonly shop?: string;
  readonly currency?: string;
  readonly timezone?: string;
  readonly plan?: Plan;
  readonly printer?: string;
  readonly printerDriver?: string;
  readonly printerName?: string;
  readonly location?: string;
  readonly key?: string;
}

/** Where answers come from. Without an asker nobody is there to be asked. */
export interface Answers {
  readonly wishes: SetupWishes;
  readonly asker: Asker | undefined;
}

/** Somebody who manages a shop. */
export interface Owner {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** The owner and the shop of a first set-up. */
export interface FirstOwner extends Owner {
  readonly organizationName: string;
  readonly currency: string;
  readonly timezone: string;
}

const accepts =
  (schema: TSchema) =>
  (text: string): string | undefined =>
    schemaCheckOf(schema).accepts(text) ? text : undefined;

const { email, name, organizationName, password } = RegisterBody.properties;
const NAME_RULE = "a name of 1 to 255 characters";

const EMAIL: Question<string> = {
  label: "Your e-mail address, to log in with",
  rule: "an e-mail address, such as owner@shop.example",
  read: accepts(email),
};
const NAME: Question<string> = { label: "Your name", rule: NAME_RULE, read: accepts(name) };
const PASSWORD: Question<string> = {
  label: `A password of at least ${PASSWORD_MIN} characters`,
  rule: `${PASSWORD_MIN} to ${PASSWORD_MAX} characters`,
  read: accepts(password),
};
const SHOP: Question<string> = {
  label: "Name of the shop",
  rule: NAME_RULE,
  read: accepts(organizationName),
};
const CURRENCY: Omit<Question<string>, "initial"> = {
  label: "Currency",
  rule: "a currency code, such as EUR",
  read: (text) => (isCurrency(text.toUpperCase()) ? text.toUpperCase() : undefined),
};
const TIMEZONE: Omit<Question<string>, "initial"> = {
  label: "Time zone, such as Europe/Sofia",
  rule: "the name of a time zone, such as Europe/Sofia",
  read: timezoneName,
};
/** Offered where neither the machine nor the currency says where the shop is; the first is usual. */
const TIMEZONES: readonly [Choice<string>, ...Choice<string>[]] = [
  { text: "Romania (Europe/Bucharest)", value: "Europe/Bucharest" },
  { text: "Bulgaria (Europe/Sofia)", value: "Europe/Sofia" },
  { text: "Moldova (Europe/Chisinau)", value: "Europe/Chisinau" },
];
/** What most shops need: with less, no till gets a key. */
const PLAN_USUAL: Plan = "pro";
const KEY_LABEL: Question<string> = {
  label: "API key for the first till: its name, or none",
  initial: "Till 1",
  rule: "a name of 1 to 100 characters",
  read: accepts(CreateKeyBody.properties.label),
};

/**
 * The answer to one question.
 * @param flag the option that gave `given`
 * @throws CliFailure with code 2 when what was given is not acceptable, or the person gives up
 */
export async function answerTo<T>(
  asker: Asker | undefined,
  question: Question<T>,
  option: { readonly flag: string; readonly given: string | undefined },
): Promise<T> {
  const { flag, given } = option;
  if (given === undefined && asker !== undefined) return asker.text(question);
  const value = question.read(given ?? question.initial ?? "");
  if (value !== undefined) return value;
  throw new CliFailure(EXIT.usage, `${flag} must be ${question.rule}`);
}

/** @throws CliFailure with code 2, naming every option that is missing where nobody can be asked */
export async function firstOwner({ wishes, asker }: Answers): Promise<FirstOwner> {
  if (asker === undefined) requireOptions({ ...personOptions(wishes), "--shop": wishes.shop });
  const person = await personOf({ wishes, asker });
  const shop = { flag: "--shop", given: wishes.shop };
  const organizationName = await answerTo(asker, SHOP, shop);
  return { ...person, organizationName, ...(await placeOf({ wishes, asker })) };
}

/**
 * The owner of a shop that has none, as after a repair; undefined where nobody can be asked and none
 * was named.
 * @throws CliFailure with code 2, naming every option that is missing where one was
 */
export async function missingOwner({ wishes, asker }: Answers): Promise<Owner | undefined> {
  if (asker === undefined) {
    if (wishes.ownerName === undefined && wishes.ownerEmail === undefined) return undefined;
    requireOptions(personOptions(wishes));
  }
  return personOf({ wishes, asker });
}

async function personOf({ wishes, asker }: Answers): Promise<Owner> {
  const { ownerName, ownerEmail } = wishes;
  return {
    name: await answerTo(asker, NAME, { flag: "--owner-name", given: ownerName }),
    email: await answerTo(asker, EMAIL, { flag: "--owner-email", given: ownerEmail }),
    password: await passwordOf(asker),
  };
}

async function placeOf({
  wishes,
  asker,
}: Answers): Promise<Pick<FirstOwner, "currency" | "timezone">> {
  const timezone = await zoneAnswer({ wishes, asker });
  const currency = await answerTo(
    asker,
    { ...CURRENCY, initial: currencyOfZone(timezone) },
    { flag: "--currency", given: wishes.currency },
  );
  return { currency, timezone };
}

/** A person picks where neither the machine nor the currency tells; a script gets what is usual. */
async function zoneAnswer({ wishes, asker }: Answers): Promise<string> {
  const likely = likelyTimezone(wishes);
  if (asker !== undefined && wishes.timezone === undefined && likely === undefined) {
    return asker.choice("Time zone: a number, or the name of another", TIMEZONES, {
      otherwise: TIMEZONE,
    });
  }
  return answerTo(
    asker,
    { ...TIMEZONE, initial: likely ?? machineTimezone() },
    { flag: "--timezone", given: wishes.timezone },
  );
}

/** The machine's, else that of the currency that was named. */
function likelyTimezone({ currency }: Pick<SetupWishes, "currency">): string | undefined {
  return knownTimezone() ?? (currency && zoneOfCurrency(currency.toUpperCase()));
}

/** Where a shop is of which no more is known. @param known what is, as it is spelled */
export function usualPlace(known: { readonly currency?: string; readonly timezone?: string }) {
  const timezone = known.timezone ?? likelyTimezone(known) ?? machineTimezone();
  return { timezone, currency: known.currency ?? currencyOfZone(timezone) };
}

/** What a script should know of a shop whose place nobody named; undefined when it was known. */
export function guessedPlace({ wishes, asker }: Answers): string | undefined {
  const isKnown = wishes.timezone !== undefined || knownTimezone() !== undefined;
  if (asker !== undefined || isKnown) return undefined;
  const place = usualPlace(wishes.currency === undefined ? {} : { currency: wishes.currency });
  const currency = wishes.currency === undefined ? `, currency ${place.currency}` : "";
  return (
    `this machine runs on UTC, so the shop got the time zone ${place.timezone}${currency}: ` +
    "change them in the portal where that is wrong; a first set-up takes --timezone and --currency"
  );
}

const personOptions = ({ ownerName, ownerEmail, passwordStdin }: SetupWishes) => ({
  "--owner-name": ownerName,
  "--owner-email": ownerEmail,
  "--password-stdin": passwordStdin,
});

function requireOptions(needed: Readonly<Record<string, unknown>>): void {
  const missing = Object.entries(needed).flatMap(([flag, given]) => (given ? [] : [flag]));
  if (missing.length === 0) return;
  const message = `nobody is at a terminal to be asked: give ${missing.join(", ")} too`;
  throw new CliFailure(EXIT.usage, message);
}

async function passwordOf(asker: Asker | undefined): Promise<string> {
  if (asker !== undefined) return asker.password(PASSWORD);
  const value = PASSWORD.read(await readPasswordLine());
  if (value !== undefined) return value;
  throw new CliFailure(EXIT.usage, `the password must be ${PASSWORD.rule}`);
}

/** The plan that was asked for; undefined leaves it as it is. */
export async function planOf({ wishes, asker }: Answers): Promise<Plan | undefined> {
  if (wishes.plan !== undefined || asker === undefined) return wishes.plan;
  const [first, ...rest] = PLANS.map((plan) => ({ text: planText(plan), value: plan }));
  return (
    first &&
    asker.choice(
      "Plan of your licence, as agreed with whoever gave you fiscald",
      [first, ...rest],
      {
        initial: PLANS.indexOf(PLAN_USUAL) + 1,
      },
    )
  );
}

/** A plan and what it allows, in a line. */
export function planText(plan: Plan): string {
  const { devices, apiKeys } = PLAN_LIMITS[plan];
  const printers = Number.isFinite(devices) ? `${devices} printers` : "any number of printers";
  return `${plan.padEnd(10)}  ${printers}, ${apiKeys === 0 ? "no API keys: no till prints" : "API keys"}`;
}

/** The name of the first till's key; undefined when none is wanted. */
export async function keyLabelOf({ wishes, asker }: Answers): Promise<string | undefined> {
  if (wishes.key === undefined && asker === undefined) return undefined;
  const label = await answerTo(asker, KEY_LABEL, { flag: "--key", given: wishes.key });
  return label === "none" ? undefined : label;
}
