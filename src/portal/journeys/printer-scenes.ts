/** Table of scenes of one printer's tabs, and of a new one. */

import { DETECTED } from "./forged.ts";
import {
  ALERT,
  type Answer,
  changed,
  instead,
  json,
  open,
  refusal,
  type Scene,
  type Stage,
  waiting,
} from "./staging.ts";

type Printer = keyof Stage["printers"];

const at =
  (tab: string, sign: string, printer: Printer = "ready") =>
  (stage: Stage) =>
    open(`/printers/${stage.printers[printer]}/${tab}`, sign)(stage);

const SAVE = "main fieldset button";

/** A picture of a logo, as a file that is chosen. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="160"><rect width="600"
height="160" fill="#fff"/><circle cx="80" cy="80" r="64" fill="#0a5"/><path d="M48 88 l24 24 44-60"
stroke="#fff" stroke-width="14" fill="none"/><text x="170" y="110" font-size="88"
font-family="sans-serif" fill="#224">Роза</text></svg>`;

async function chooseLogo(stage: Stage): Promise<void> {
  await at("setup?part=logo", `${SAVE}`)(stage);
  const logo = LOGO.replace("Роза", stage.local("Роза"));
  await stage.page
    .locator('main input[type="file"]')
    .setInputFiles({ name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from(logo) });
  await stage.page.locator("main canvas").waitFor();
}

async function changeRates(stage: Stage): Promise<void> {
  await at("setup?part=vat", SAVE)(stage);
  await stage.page.locator(SAVE).first().click();
  await stage.page.locator('main input[inputmode="decimal"]').nth(1).fill("21");
}

const CANNOT: Answer = (route) =>
  route.fulfill({
    status: 422,
    json: {
      error: {
        ...{ code: "UNPROCESSABLE_ENTITY", message: "The command failed" },
        details: { errorCode: "E201" },
      },
    },
  });

/** The alerts of a printer that is ahead of what the box knows. */
const unknownReceipts = async (stage: Stage) => {
  const alert = {
    ...{ type: "documents_unknown", severity: "warning", message: "", deviceName: "Каса 1" },
    ...{ deviceId: stage.printers.ready, detectedAt: "2026-11-24T08:12:31Z" },
    ...{ documents: 3, since: "2026-11-23T17:40:05Z" },
  };
  const answer = json({ deviceId: stage.printers.ready, alerts: [alert] });
  await instead("/devices/*/alerts", answer, at("manage", "main ol"))(stage);
};

/** The alerts of a printer whose box was put back from a copy. */
const restored = async (stage: Stage) => {
  const alert = {
    ...{ type: "state_restored", severity: "error", message: "", deviceName: "Каса 1" },
    ...{ deviceId: stage.printers.ready, detectedAt: "2026-11-24T08:12:31Z" },
  };
  const answer = json({ deviceId: stage.printers.ready, alerts: [alert] });
  await instead("/devices/*/alerts", answer, at("manage", "main ol"))(stage);
};

/** A printer in whose place another one answers. @param known the one that it is known here as */
const otherPrinter = async (stage: Stage, known?: Printer) => {
  const alert = {
    ...{ type: "other_printer", severity: "error", message: "", deviceName: "Каса 1" },
    ...{ deviceId: stage.printers.ready, detectedAt: "2026-11-24T08:12:31Z" },
  };
  const found = {
    ...{ serialNumber: "DT577777", fiscalMemorySerialNumber: "02577777" },
    deviceId: known === undefined ? null : stage.printers[known],
  };
  const answer = json({ deviceId: stage.printers.ready, alerts: [alert] });
  const status = json({ deviceId: stage.printers.ready, otherPrinter: found });
  await instead(
    "/devices/*/status",
    status,
    instead("/devices/*/alerts", answer, at("manage", "main section ul")),
  )(stage);
};

const STEPS = "[data-printed-alone] svg";

export const PRINTER_SCENES: readonly Scene[] = [
  { name: "printer-load-paper", play: at("?paper", STEPS) },
  {
    name: "printer-load-paper-two-rolls",
    play: instead(
      "/devices/dev_*",
      changed((answer) => ({ ...answer, driver: "vendorF.shtrih" })),
      at("?paper", STEPS),
    ),
  },
  {
    name: "printer-load-paper-printed",
    play: async (stage) => {
      await at("?paper", STEPS)(stage);
      await stage.page.emulateMedia({ media: "print" });
    },
  },
  { name: "printer-lines", play: at("setup", "main textarea") },
  {
    name: "printer-lines-long",
    play: async (stage) => {
      await at("setup", "main textarea")(stage);
      const text = "Магазин Роза\nул. Иван Вазов 12, срещу пазара, вход откъм градинката";
      await stage.page.locator("main textarea").first().fill(stage.local(text));
    },
  },
  {
    name: "printer-lines-saved",
    play: async (stage) => {
      await at("setup", "main textarea")(stage);
      const text = `${stage.local("        Магазин Роза")}\n        ${Date.now()}`;
      await stage.page.locator("main textarea").first().fill(text);
      await stage.page
        .locator(
          "main fieldset .mantine-Button-root[data-variant=filled], main button:not([data-variant])",
        )
        .last()
        .click();
      await stage.page.locator('main section [data-mood="good"]').first().waitFor();
    },
  },
  { name: "printer-setup-offline", play: at("setup", "main [data-mood=warn]", "gone") },
  {
    name: "printer-setup-cannot",
    play: instead(
      "/devices/*/logo-capabilities",
      CANNOT,
      at("setup?part=logo", "main section [data-mood=idle]"),
    ),
  },
  {
    name: "printer-setup-unread",
    play: instead(
      "/devices/*/vat-rates",
      refusal(503, "SERVICE_UNAVAILABLE"),
      at("setup?part=vat", "main section [data-mood=warn]"),
    ),
  },
  { name: "printer-vat", play: at("setup?part=vat", SAVE) },
  { name: "printer-vat-change", play: changeRates },
  {
    name: "printer-vat-confirm",
    play: async (stage) => {
      await changeRates(stage);
      await stage.page.locator(SAVE).first().click();
      await stage.page.getByRole("dialog").waitFor();
    },
  },
  { name: "printer-operators", play: at("setup?part=operators", SAVE) },
  {
    name: "printer-operator-change",
    play: async (stage) => {
      await at("setup?part=operators", SAVE)(stage);
      await stage.page.locator(SAVE).first().click();
      await stage.page.locator("main form").waitFor();
    },
  },
  { name: "printer-logo", play: at("setup?part=logo", SAVE) },
  { name: "printer-logo-chosen", play: chooseLogo },
  { name: "printer-line", play: at("line", "main ol li") },
  {
    name: "printer-line-paused",
    play: async (stage) => {
      await at("line", "main ol li")(stage);
      await stage.page.locator("main button[aria-pressed]").click();
      await stage.page.locator("main summary").first().click();
    },
  },
  {
    name: "printer-line-found",
    play: async (stage) => {
      await at("setup?part=operators", SAVE)(stage);
      await at("line?q=operator+3", "main ol li")(stage);
      await stage.page.locator("main summary").first().click();
    },
  },
  { name: "printer-line-filtered", play: at("line?way=line", "main ol li") },
  { name: "printer-line-nothing", play: at("line?q=zzz", "main strong") },
  {
    name: "printer-line-not-shown",
    play: instead(
      "/devices/*/trace*",
      refusal(409, "CONFLICT"),
      at("line", "main [data-mood=warn]"),
    ),
  },
  { name: "printer-history", play: at("history", "main ol li") },
  { name: "printer-history-gone", play: at("history", "main ol li", "gone") },
  { name: "printer-manage", play: at("manage", "main form") },
  {
    name: "printer-manage-waiting",
    play: waiting(at("manage", "main [data-mood=warn]", "gone")),
  },
  {
    name: "printer-manage-hand-over",
    play: async (stage) => {
      await at("manage", "main form")(stage);
      await stage.page.locator("main section").nth(2).getByRole("button").click();
      await stage.page.getByRole("dialog").waitFor();
    },
  },
  { name: "printer-other", play: (stage) => otherPrinter(stage) },
  { name: "printer-other-known", play: (stage) => otherPrinter(stage, "gone") },
  {
    name: "printer-other-exchange",
    play: async (stage) => {
      await otherPrinter(stage, "gone");
      await stage.page.locator("main section ul + div button").click();
      await stage.page.locator('[role="dialog"] button').last().waitFor();
    },
  },
  { name: "printer-restored", play: restored },
  { name: "printer-unknown-receipts", play: unknownReceipts },
  { name: "printer-paper", play: at("paper", "main img", "simulated") },
  {
    name: "printer-paper-out",
    play: async (stage) => {
      await at("paper", "main img", "simulated")(stage);
      await stage.page.locator("main fieldset button").first().click();
      await stage.page.locator(ALERT).waitFor();
    },
  },
  { name: "printer-manage-simulated", play: at("manage", "main form", "simulated") },
  { name: "new-printer", play: open("/printers/new", "main form") },
  {
    name: "new-printer-found",
    play: instead(
      "/devices/detect",
      (route) => route.fulfill({ contentType: "application/x-ndjson", body: `${DETECTED}\n` }),
      open("/printers/new", "li form"),
    ),
  },
  {
    name: "search-deeds",
    play: async (stage) => {
      await open("/printers", "main li")(stage);
      await stage.page.keyboard.press("/");
      await stage.page.locator('input[role="combobox"]').fill("z");
      await stage.page.locator('[role="option"]').nth(1).waitFor();
    },
  },
  {
    name: "search-receipt",
    play: async (stage) => {
      await open("/printers", "main li")(stage);
      await stage.page.keyboard.press("/");
      await stage.page.locator('input[role="combobox"]').fill("1");
      await stage.page.locator('[role="option"][id*="/receipts/"]').first().waitFor();
    },
  },
];
