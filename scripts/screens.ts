/**
 * Pictures of the portal: bun run screens [WORD...] makes every scene, or those whose name has all
 * the words in it, in each language, at 360, 768, 1024 and 1440 px, light and dark, in dist/screens; and says
 * what axe finds, and which targets are too small for a finger. `NAME-LANGUAGE-WIDTH-SCHEME.png`: the words may
 * name any of them, and words with commas between them (`receipts,reports bg 360`) are a choice.
 */

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import {
  faultsForReaders,
  openPage,
  signIn,
  startBrowser,
  takePicture,
} from "../src/portal/journeys/browser.ts";
import { requireBrowser } from "../src/portal/journeys/browser-place.ts";
import { inRomanian } from "../src/portal/journeys/romanian.ts";
import { SCENES } from "../src/portal/journeys/scenes.ts";
import {
  type Box,
  type Country,
  openBox,
  order,
  sell,
  setUp,
} from "../src/portal/journeys/shop.ts";
import { type Scene, SKELETON, type Stage } from "../src/portal/journeys/staging.ts";
import { smallTargets } from "../src/portal/journeys/touch.ts";

const PICTURES = join(import.meta.dir, "..", "dist", "screens");
const LOCALES = { en: "en-GB", ro: "ro-RO", bg: "bg-BG" } as const;
const SIZES = {
  "360": { width: 360, height: 740 },
  "768": { width: 768, height: 1024 },
  "1024": { width: 1024, height: 768 },
  "1440": { width: 1440, height: 900 },
} as const;
const SCHEMES = ["light", "dark"] as const;
/** All that are given have to be in a picture's name, of a choice one of them. */
const words = process.argv.slice(2);

/** How a picture is taken. */
interface Look {
  readonly language: keyof typeof LOCALES;
  readonly width: keyof typeof SIZES;
  readonly scheme: (typeof SCHEMES)[number];
}

type Place = Omit<Stage, "page"> & { readonly browser: Browser };

const looks: readonly Look[] = (["en", "ro", "bg"] as const).flatMap((language) =>
  (["360", "768", "1024", "1440"] as const).flatMap((width) =>
    SCHEMES.map((scheme) => ({ language, width, scheme })),
  ),
);
const nameOf = ({ name }: Scene, { language, width, scheme }: Look): string =>
  `${name}-${language}-${width}-${scheme}`;
const isWanted = (scene: Scene, look: Look): boolean => {
  const parts = [scene.name, ...nameOf(scene, look).split("-")];
  return words.every((word) => word.split(",").some((one) => parts.includes(one)));
};

/** What a shop is called and sells, in its own language. */
interface Goods {
  readonly country?: Country;
  readonly local: Stage["local"];
  readonly printers: readonly string[];
  readonly articles: readonly [string, string, string];
  readonly water: string;
  readonly tea: string;
  readonly practice: string;
}

const BULGARIAN: Goods = {
  local: (forged) => forged,
  printers: ["Каса 1", "Каса 2 при входа", "Склад"],
  articles: ["Кафе Лаваца 250 г", "Хляб", "Прясно мляко 3 %"],
  ...{ water: "Вода", tea: "Чай", practice: "Обучение" },
};
/** Pictures in Romanian show what a shop in Romania has: lei, its own VAT letters, no reversals. */
const ROMANIAN: Goods = {
  country: {
    ...{ timezone: "Europe/Bucharest", currency: "RON", name: "Magazin Trandafir", model: "ro-x" },
  },
  local: inRomanian,
  printers: ["Casa 1", "Casa 2 la intrare", "Depozit"],
  articles: ["Cafea Lavazza 250 g", "Pâine", "Lapte 3,5 %"],
  ...{ water: "Apă", tea: "Ceai", practice: "Exersare" },
};

/** A shop with a day behind it: a printer that works, one without paper, one that is gone. */
async function openShop(box: Box, goods: Goods): Promise<Omit<Stage, "page">> {
  const { articles, water } = goods;
  const [coffee, bread, milk] = articles;
  const { shop, printers } = await setUp(box, goods.printers, goods.country);
  const [ready, noPaper, gone] = printers;
  if (!ready || !noPaper || !gone) throw new Error("a printer is missing");
  for (const [at, name] of articles.entries()) {
    const line = { name, price: 1.2 + 3 * at, quantity: at + 1 };
    await sell(shop, ready.device, { ...line, method: at === 1 ? "card" : "cash" });
    await sell(shop, ready.device, line, { name: water, price: 0.8, vatGroup: "VAT1" });
  }
  for (const type of ["z_report", "x_report"]) {
    await shop.till.wait((await shop.till.submit(ready.device, type)).id);
    await sell(shop, ready.device, { name: bread, price: 1.6 });
  }
  await noPaper.printer.fault({ kind: "paper_out" });
  const refused = await order(shop.till, noPaper.device, [{ name: coffee, price: 3 }]);
  await shop.till.wait(refused.id);
  await gone.printer.kill();
  for (const price of [2.35, 14]) {
    await order(shop.till, gone.device, [{ name: milk, price }]);
  }
  const simulated = await openSimulated(shop, goods);
  return {
    ...{ url: box.gateway.url, shop, local: goods.local },
    printers: { ready: ready.device, noPaper: noPaper.device, gone: gone.device, simulated },
  };
}

/** A simulated printer with a receipt on its paper. @returns its id */
async function openSimulated(
  shop: Stage["shop"],
  { practice: name, tea, country }: Goods,
): Promise<string> {
  const model = country === undefined ? {} : { model: country.model };
  const wish = { name, driver: "vendorA.isl", locationId: "shop", ...model };
  const { id } = await shop.owner.expect<{ id: string }>("POST", "/devices/simulated", wish);
  await sell(shop, id, { name: tea, price: 1.1 });
  return id;
}

/** Plays a scene to where its page stands, with what it reads. */
async function played(scene: Scene, stage: Stage): Promise<void> {
  await scene.play(stage);
  if (scene.name.endsWith("-loading")) return;
  await stage.page.locator(SKELETON).first().waitFor({ state: "detached" });
}

/** What a picture of the Romanian shop shows in Cyrillic letters or Bulgarian money. */
async function strangeWords(page: Page, { language }: Look): Promise<string[]> {
  if (language !== "ro") return [];
  const fields = page.locator("input, textarea");
  const shown = [
    ...(await page.locator("body").allInnerTexts()),
    ...(await fields.evaluateAll((all) => all.map((field) => Reflect.get(field, "value")))),
  ].join("\n");
  // What is there to choose from, and what a language is called in its own letters.
  const choices = ["Български", ...(await page.locator("option").allInnerTexts())];
  const words = new Set(shown.match(/\S*[\u0400-\u04ff]\S*|\bEUR\b|€/g));
  for (const choice of choices) words.delete(choice);
  return [...words].map((word) => `is not of Romania: ${word}`);
}

/** One window for all scenes of a look. @returns what axe found, and targets that are too small */
async function take(place: Place, look: Look, scenes: readonly Scene[]): Promise<string[]> {
  const { language, width, scheme } = look;
  const { page, context } = await openPage(place.browser, {
    ...{ locale: LOCALES[language], viewport: SIZES[width], colorScheme: scheme },
  });
  const faults: string[] = [];
  for (const scene of scenes) {
    if (scene.isSignedOut) await context.clearCookies();
    else if (scene.on === undefined) await signInOnce(place);
    const name = nameOf(scene, look);
    // One that does not come is told of; the others are worth having.
    await played(scene, { ...place, page }).catch((error: unknown) => {
      faults.push(`${name}: did not come about: ${String(error).split("\n", 1)[0]}`);
    });
    await takePicture(page, join(PICTURES, `${name}.png`));
    const found = [
      ...[...(await smallTargets(page)), ...(await faultsForReaders(page))],
      ...(scene.isBulgarian === true ? [] : await strangeWords(page, look)),
    ];
    faults.push(...found.map((fault) => `${name}: ${fault}`));
    // A page asks again while its picture is taken: what it is answered stays until then.
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.setOffline(false);
    await page.emulateMedia({ media: null });
  }
  await context.close();
  return faults;

  async function signInOnce({ url, shop }: Place): Promise<void> {
    const cookies = await context.cookies(`${url}/api/v1/auth`);
    if (cookies.length === 0) await signIn(context, url, shop);
  }
}

const program = requireBrowser();
rmSync(PICTURES, { recursive: true, force: true });
mkdirSync(PICTURES, { recursive: true });
const [browser, ...boxes] = await Promise.all([
  ...([startBrowser(program), openBox(), openBox(), openBox()] as const),
]);
const [newBox, bulgarianBox, romanianBox] = boxes;
let taken = 0;
const faults: string[] = [];
try {
  const [bulgarian, romanian] = await Promise.all([
    ...([openShop(bulgarianBox, BULGARIAN), openShop(romanianBox, ROMANIAN)] as const),
  ]);
  const nobody = { ...bulgarian, url: newBox.gateway.url };
  const stageOf = ({ on, isBulgarian }: Scene, { language }: Look) =>
    on === "new box" ? nobody : language === "ro" && !isBulgarian ? romanian : bulgarian;
  for (const look of looks) {
    for (const stage of [nobody, bulgarian, romanian]) {
      const scenes = SCENES.filter(
        (scene) => isWanted(scene, look) && stageOf(scene, look) === stage,
      );
      if (scenes.length === 0) continue;
      const place = { browser, ...stage };
      faults.push(...(await take(place, look, scenes)));
      taken += scenes.length;
    }
  }
} finally {
  await browser.close();
  await Promise.all(boxes.map((box) => box.close()));
}
for (const fault of faults) console.log(fault);
console.log(
  `${taken} pictures in ${PICTURES}; ${faults.length} faults for fingers and readers of screens`,
);
process.exit(faults.length === 0 ? 0 : 1);
