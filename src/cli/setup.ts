/**
 * `fiscald setup`: from a fresh state directory to the first receipt, asked one by one or given by
 * options. It can be run again: what is there already stays, what is missing is gone on with.
 */

import { Command, Option } from "commander";
import { DRIVER_IDS } from "#core/driver-id.ts";
import { PLAN_LIMITS, PLANS } from "#core/limits.ts";
import { createApiKeyService } from "../modules/api-keys/service.ts";
import { createPasswords } from "../modules/auth/password.ts";
import { createSetupCode } from "../modules/auth/setup-code.ts";
import { boxCaller, createUserAdmin } from "../modules/auth/user-admin.ts";
import { createBillingService } from "../modules/billing/service.ts";
import { Asker, canAsk } from "./ask.ts";
import { type Box, organizationId, requireShop, withBox } from "./box.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { TILL_SCOPES } from "./key.ts";
import { printError, printJson, printLine } from "./output.ts";
import { requireRightState } from "./service-state.ts";
import { addSettings } from "./settings-options.ts";
import {
  type Answers,
  type FirstOwner,
  firstOwner,
  guessedPlace,
  keyLabelOf,
  missingOwner,
  planOf,
  type SetupWishes,
} from "./setup-answers.ts";
import { type PrinterOutcome, requirePrinterOption, setUpPrinter } from "./setup-printer.ts";
import {
  leftOut,
  type Made,
  nextSteps,
  printOutcome,
  readSetup,
  settingsLines,
  setupLines,
} from "./setup-report.ts";
import { isFreshState, prepareState } from "./setup-state.ts";
import { storedTime } from "./stored-time.ts";

interface SetupOptions extends SetupWishes {
  readonly code?: true;
  readonly ask: boolean;
  readonly json?: true;
  readonly org?: string;
}

export function setupCommand(): Command {
  const command = new Command("setup")
    .description("set the shop up: owner, plan, first printer, key of the first till")
    .option("--code", "only print the code that a registration elsewhere needs")
    .option("--owner-name <NAME>", "name of the owner")
    .option("--owner-email <ADDRESS>", "e-mail address of the owner, to log in with")
    .option("--password-stdin", "read the owner's password from the standard input; asks nothing")
    .option("--shop <NAME>", "name of the shop")
    .option("--currency <CODE>", "its currency, such as EUR (default: that of the time zone)")
    .option(
      "--timezone <NAME>",
      "its time zone (default: this machine's; on UTC that of the currency)",
    )
    .addOption(
      new Option(
        "--plan <PLAN>",
        "plan of your licence (default: pro where it is asked, else free)",
      ).choices(PLANS),
    )
    .option("--printer <WHERE>", "HOST[:PORT], device path, Bluetooth address, search or none")
    .addOption(
      new Option("--printer-driver <ID>", "its driver; asked of it without").choices(DRIVER_IDS),
    )
    .option("--printer-name <NAME>", "what to call it (default: its model)")
    .option("--location <ID>", "where it stands (default: shop)")
    .option("--key <NAME>", "name of an API key for the first till, or none")
    .option("--no-ask", "ask nothing, also at a terminal")
    .option("--json", "print JSON")
    .option("--org <ID>", "organization, where there is more than one");
  return addSettings(command, ["state.dir"]).action((options: SetupOptions) =>
    options.code === true ? printCode(command) : setUp(command, options),
  );
}

async function printCode(command: Command): Promise<void> {
  await withBox(command, ({ stores, random }) => {
    if (stores.organizations.exists()) {
      throw new CliFailure(EXIT.usage, "there is an organization already: no code is needed");
    }
    requireShop({ stores });
    printLine(createSetupCode(stores.appliance, random).text());
  });
}

async function setUp(command: Command, options: SetupOptions): Promise<void> {
  const mayAsk = canAsk() && options.ask && options.passwordStdin !== true;
  const asker = mayAsk ? new Asker() : undefined;
  try {
    await run(command, options, asker);
  } finally {
    asker?.close();
  }
}

async function run(
  command: Command,
  options: SetupOptions,
  asker: Asker | undefined,
): Promise<void> {
  const answers: Answers = { wishes: options, asker };
  requireRightState(command);
  requirePrinterOption(options);
  // A script's faults are told before anything is made; a person is asked once it can be kept.
  const isTold = asker === undefined && isFreshState(command);
  const owner = isTold ? await firstOwner(answers) : undefined;
  const settings = prepareState(command);
  const say = options.json === true ? () => true : printLine;
  for (const line of settingsLines(settings)) say(line);
  await withBox(command, async (box) => {
    const { orgId, isShopNew } = await setUpShop(box, { org: options.org, owner, answers });
    const before = isShopNew ? [] : setupLines(readSetup(command, box, { orgId, settings }));
    if (!isShopNew) {
      const left = leftOut(options, readSetup(command, box, { orgId, settings }));
      if (left !== undefined) printError(left);
      say("There already:");
    }
    for (const line of before) say(`  ${line}`);
    await setUpPlan(box, orgId, answers);
    const printer = await printerOf({ command, box, orgId, answers });
    const key = await setUpKey(box, orgId, answers);
    const deviceId = printer.kind === "registered" ? printer.deviceId : undefined;
    const made: Made = { settings, isShopNew, deviceId, key };
    const setup = readSetup(command, box, { orgId, settings });
    const next = nextSteps(command, setup, made);
    if (options.json === true) printJson({ ...setup, made: asJson(made), next });
    else printOutcome(next, { setup, made, before });
    if (printer.kind !== "not_found") return;
    const reasons = printer.reasons.map((reason) => `\n  ${reason}`).join("");
    throw new CliFailure(EXIT.attention, `no printer was registered:${reasons}`);
  });
}

/** The organization there is, with an owner where it lacks one, or a new one with its owner. */
async function setUpShop(
  box: Box,
  from: { org: string | undefined; owner: FirstOwner | undefined; answers: Answers },
) {
  const admin = createUserAdmin({ ...box, passwords: createPasswords(), time: storedTime(box) });
  if (box.stores.organizations.exists()) {
    const orgId = organizationId(box, from.org);
    const isManaged = box.stores.users.hasOwner(orgId);
    const person = isManaged ? undefined : await missingOwner(from.answers);
    if (person !== undefined) await admin.add({ orgId }, { ...person, role: "owner" });
    return { orgId, isShopNew: false };
  }
  requireShop(box);
  const { email, name, password, ...shop } = from.owner ?? (await firstOwner(from.answers));
  const place = { ...shop, isFirst: true } as const;
  const { orgId } = await admin.add(place, { email, name, role: "owner", password });
  const guess = guessedPlace(from.answers);
  if (guess !== undefined) printError(guess);
  return { orgId, isShopNew: true };
}

/** Asked as long as the plan is the one that nobody has picked and tills cannot have a key. */
async function setUpPlan(box: Box, orgId: string, answers: Answers): Promise<void> {
  const billing = createBillingService(box);
  const { plan, usage } = billing.overview(orgId);
  const isOpen = plan === "free" && usage.apiKeys === 0;
  if (!isOpen && answers.wishes.plan === undefined) return;
  const wanted = await planOf(answers);
  if (wanted !== undefined && wanted !== plan) await billing.setPlan(boxCaller(orgId), wanted);
}

async function printerOf(place: Parameters<typeof setUpPrinter>[0]): Promise<PrinterOutcome> {
  const { box, orgId, answers } = place;
  const isMissing = box.stores.devices.count(orgId) === 0;
  return isMissing || answers.wishes.printer !== undefined ? setUpPrinter(place) : { kind: "left" };
}

async function setUpKey(box: Box, orgId: string, answers: Answers) {
  const { plan, usage } = createBillingService(box).overview(orgId);
  const isWished = answers.wishes.key !== undefined && answers.wishes.key !== "none";
  // The same set-up, run again, wants no second one.
  const keys = box.stores.apiKeys.list(orgId);
  if (keys.some(({ active, label: has }) => active && has === answers.wishes.key)) return undefined;
  if (!isWished && (usage.apiKeys > 0 || PLAN_LIMITS[plan].apiKeys === 0)) return undefined;
  const label = await keyLabelOf(answers);
  if (label === undefined) return undefined;
  const caller = boxCaller(orgId);
  const wanted = { label, scopes: TILL_SCOPES };
  const { id, key } = await createApiKeyService(box).create(caller, wanted);
  return { id, label, key };
}

function asJson({ isShopNew, deviceId, key }: Made) {
  return { shop: isShopNew, deviceId: deviceId ?? null, key: key ?? null };
}
