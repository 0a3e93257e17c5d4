/**
 * The layout rules of the repository, as a test. Where a part outgrows the picture, redraw the
 * picture first, here, then move the code. (Line width, function length, unused code and the like
 * are the linter's: biome.jsonc.)
 */

import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";

const ROOT = join(import.meta.dir, "..");

/** A source file: its path from the root of the repository, and its text. */
interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const ANYTHING = "anything";

interface Area {
  /** The path, or the folder with its slash, that belongs to the area. The first match counts. */
  readonly paths: readonly string[];
  /** Other areas it may import. Files of one area may import each other. */
  readonly mayImport: readonly string[] | typeof ANYTHING;
}

/** Who may import whom. What is not listed is forbidden. Tests and test data are free. */
const AREAS = {
  // A table that the browser has too.
  zoneCurrency: { paths: ["src/core/zone-currency.ts"], mayImport: [] },
  core: { paths: ["src/core/"], mayImport: [] },
  platform: { paths: ["src/platform/"], mayImport: [] },
  config: { paths: ["src/config.ts", "src/config/"], mayImport: ["core", "platform"] },
  backup: { paths: ["src/backup/"], mayImport: ["core", "platform", "config", "db"] },
  // Steps that installer, package and update share.
  systemd: { paths: ["systemd/"], mayImport: [] },
  update: {
    paths: ["src/update/"],
    mayImport: ["core", "platform", "config", "backup", "systemd"],
  },
  events: { paths: ["src/events/"], mayImport: ["core", "platform", "db"] },
  queue: { paths: ["src/queue/"], mayImport: ["core", "platform", "events", "db"] },
  gateway: { paths: ["src/gateway/"], mayImport: ["core", "platform", "events", "db"] },
  webhooks: { paths: ["src/webhooks/"], mayImport: ["core", "platform", "events", "db"] },
  push: { paths: ["src/push/"], mayImport: ["core", "platform", "events", "db", "webhooks"] },
  machineDetection: {
    paths: ["src/controller/machine-detection.ts"],
    mayImport: ["core", "platform", "controller", "drivers"],
  },
  controllerCheck: { paths: ["src/controller-check/"], mayImport: ["core", "simulator"] },
  tls: { paths: ["src/tls/"], mayImport: ["platform"] },
  lan: { paths: ["src/lan/"], mayImport: ["platform"] },
  remote: { paths: ["src/remote/"], mayImport: ["core", "platform", "controller"] },
  controller: { paths: ["src/controller/"], mayImport: ["core", "platform"] },
  httpServer: { paths: ["src/http/server.ts"], mayImport: ["core", "platform", "http", "modules"] },
  http: { paths: ["src/http/"], mayImport: ["core", "platform"] },
  modules: { paths: ["src/modules/"], mayImport: ["core", "platform", "events", "db", "http"] },
  client: { paths: ["src/client/"], mayImport: [] },
  journeys: { paths: ["src/portal/journeys/"], mayImport: ANYTHING },
  portal: { paths: ["src/portal/"], mayImport: ["client", "zoneCurrency"] },
  handbook: { paths: ["src/handbook/"], mayImport: [] },
  simulator: { paths: ["drivers/simulator/"], mayImport: ["core", "drivers"] },
  drivers: { paths: ["drivers/"], mayImport: ["core"] },
  db: { paths: ["db/"], mayImport: ["core"] },
  roots: {
    paths: ["src/main.ts", "src/app/", "src/cli/", "src/e2e/", "scripts/"],
    mayImport: ANYTHING,
  },
  version: { paths: ["src/version.ts"], mayImport: [] },
} as const satisfies Record<string, Area>;

type AreaName = keyof typeof AREAS;

/** Packages that only some areas may name, so that each is wrapped in one place. */
const PACKAGE_HOMES: Readonly<Record<string, readonly AreaName[]>> = {
  // Of tests alone.
  "@cyclonedx/cyclonedx-library": [],
  "@mantine/core": ["portal"],
  "@mantine/hooks": ["portal"],
  "@node-rs/argon2": ["platform", "modules"],
  "@peculiar/x509": ["tls"],
  "@serialport/bindings-cpp": ["drivers"],
  "@serialport/bindings-interface": ["drivers"],
  "@serialport/stream": ["drivers"],
  "@tanstack/react-query": ["portal"],
  "@typescript/typescript6": ["roots"],
  "age-encryption": ["backup"],
  // Of tests alone.
  "axe-core": [],
  "better-sqlite3": ["db"],
  "bun:sqlite": ["platform", "roots"],
  "bwip-js": ["simulator"],
  commander: ["roots"],
  "drizzle-kit": ["db"],
  "drizzle-orm": ["db"],
  // Of tests alone.
  "fast-check": [],
  elysia: ["http", "httpServer", "modules", "gateway", "roots"],
  // An example's, not the product's.
  "google-auth-library": [],
  "github-slugger": ["roots"],
  "iconv-lite": ["drivers", "simulator"],
  jose: ["platform", "modules", "tls"],
  "markdown-it": ["roots"],
  minisearch: ["handbook", "roots"],
  "multicast-dns": ["lan"],
  nodemailer: ["platform"],
  "openapi-fetch": ["client"],
  "openapi-typescript": ["roots"],
  // Of tests, and of what makes pictures of the portal.
  "playwright-core": ["journeys", "roots"],
  react: ["portal"],
  "react-dom": ["portal"],
  "reflect-metadata": ["tls"],
  ulid: ["platform"],
  wouter: ["portal"],
};

/**
 * All that some areas may name of packages, the runtime's own included. The domain is pure; the
 * client runs wherever a till does.
 */
const ONLY_PACKAGES: Partial<Record<AreaName, readonly string[]>> = {
  core: ["@sinclair/typebox"],
  client: ["openapi-fetch"],
  handbook: ["minisearch"],
  portal: [
    ...["@mantine/core", "@mantine/hooks", "@tanstack/react-query", "react", "react-dom", "wouter"],
  ],
};

/** Files that are made from something else, as a whole. */
const GENERATED: readonly string[] = ["src/client/api-types.ts"];

const FORBIDDEN_NAMES = /(^|[-.])(utils?|helpers?|common|misc|manager)(\.|$)/;
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|d|config))*\.tsx?$/;

/** Words that have no place in the code, spelled apart so that this file passes its own rule. */
const BANNED_WORDS: readonly string[] = [
  ["TO", "DO"],
  ["FIX", "ME"],
  ["XX", "X:"],
  ["@ts-", "ignore"],
  ["@ts-", "nocheck"],
  ["eslint-", "disable"],
  ["istanbul ", "ignore"],
  ["v8 ", "ignore"],
  ["test.", "only("],
  ["test.", "todo("],
  ["describe.", "only("],
].map((parts) => parts.join(""));

const LINES_MAX = 400;
/** For tests, and for tables of data, which say so in their first line. */
const LINES_MAX_LONG = 800;
const TABLE_MARK = /^\/\*\* (A )?[Tt]able\b/;

/** Files that every protocol family has. */
const DRIVER_SHAPE = ["index.ts", "session.ts", "status.ts", "commands", "dialects"] as const;
/** Folders of drivers/ that are no protocol family. */
const DRIVER_SUPPORT: readonly string[] = ["shared", "simulator", "testing", "transport"];

function isTestFile(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.includes("/testdata/") || path.includes("/testing/");
}

function areaOf(path: string): AreaName | undefined {
  if (/^drivers\/[^/]+\/simulator\//.test(path)) return "simulator";
  for (const [name, area] of Object.entries(AREAS)) {
    const paths: readonly string[] = area.paths;
    const isHere = paths.some((prefix) =>
      prefix.endsWith("/") ? path.startsWith(prefix) : path === prefix,
    );
    if (isHere && isAreaName(name)) return name;
  }
  return undefined;
}

function isAreaName(name: string): name is AreaName {
  return Object.hasOwn(AREAS, name);
}

const ALIASES: readonly (readonly [string, string])[] = [
  ["#core/", "src/core/"],
  ["#drivers/", "drivers/"],
  ["#db/", "db/"],
  ["#src/", "src/"],
];

/** What an import leads to: a path from the root, or a package. */
type Target =
  | { readonly kind: "file"; readonly path: string; readonly isTypeOnly: boolean }
  | { readonly kind: "package"; readonly name: string };

interface Import {
  readonly from: string;
  readonly specifier: string;
  readonly isTypeOnly: boolean;
}

function resolveImport({ from, specifier, isTypeOnly }: Import): Target {
  if (specifier.startsWith(".")) {
    return { kind: "file", path: normalize(join(dirname(from), specifier)), isTypeOnly };
  }
  const alias = ALIASES.find(([prefix]) => specifier.startsWith(prefix));
  if (alias !== undefined) {
    return { kind: "file", path: specifier.replace(alias[0], alias[1]), isTypeOnly };
  }
  const length = specifier.startsWith("@") ? 2 : 1;
  return { kind: "package", name: specifier.split("/").slice(0, length).join("/") };
}

const IMPORT =
  /^\s*(?:import|export)\b[^;"]*?from\s+"([^"]+)"|^\s*import\s+"([^"]+)"|\b(?:import|require)\(\s*"([^"]+)"/gm;

function importsOf(file: SourceFile): Target[] {
  return [...file.text.matchAll(IMPORT)].map((match) =>
    resolveImport({
      from: file.path,
      specifier: match[1] ?? match[2] ?? match[3] ?? "",
      isTypeOnly: /^\s*(import|export) type\b/.test(match[0]),
    }),
  );
}

function importFaults(file: SourceFile): string[] {
  if (isTestFile(file.path)) return [];
  const area = areaOf(file.path);
  if (area === undefined) return [`${file.path}: belongs to no area of the layout`];
  return importsOf(file).flatMap((target) => {
    const reason =
      target.kind === "package"
        ? packageFault(area, target.name)
        : fileFault({ from: file.path, area, to: target.path, isTypeOnly: target.isTypeOnly });
    return reason === undefined ? [] : [`${file.path}: ${reason}`];
  });
}

function packageFault(area: AreaName, name: string): string | undefined {
  const only = ONLY_PACKAGES[area];
  if (only !== undefined) return only.includes(name) ? undefined : `${area} may not import ${name}`;
  const homes = PACKAGE_HOMES[name];
  return homes === undefined || homes.includes(area) ? undefined : `${area} may not import ${name}`;
}

interface Edge {
  readonly from: string;
  readonly area: AreaName;
  readonly to: string;
  readonly isTypeOnly: boolean;
}

/** Files of a module that only say what its records look like; other modules may show them too. */
const RECORD_FILES: readonly string[] = ["records.ts", "schema.ts"];

function fileFault({ from, area, to, isTypeOnly }: Edge): string | undefined {
  const rule: Area = AREAS[area];
  if (rule.mayImport === ANYTHING || to === "package.json" || to.includes("node_modules/")) {
    return undefined;
  }
  const target = areaOf(to);
  if (target === undefined) return `imports ${to}, which belongs to no area of the layout`;
  const isOther = target === "modules" && area === "modules" && moduleOf(from) !== moduleOf(to);
  // The type of a function that app.ts hands over is no dependency on what stands behind it.
  const isAllowed = isTypeOnly || RECORD_FILES.includes(basename(to));
  if (isOther && !isAllowed)
    return `imports another module, ${to}; app.ts should hand it a function`;
  if (target === area || rule.mayImport.includes(target)) return undefined;
  return `${area} may not import ${target} (${to})`;
}

/** `src/modules/devices/routes.ts` belongs to `devices`. */
function moduleOf(path: string): string {
  return path.split("/")[2] ?? "";
}

function sizeFaults({ path, text }: SourceFile): string[] {
  if (GENERATED.includes(path)) return [];
  const lines = text.split("\n").length - 1;
  const limit = isTestFile(path) || TABLE_MARK.test(text) ? LINES_MAX_LONG : LINES_MAX;
  return lines > limit ? [`${path}: has ${lines} lines, the limit is ${limit}`] : [];
}

function nameFaults({ path }: SourceFile): string[] {
  const name = basename(path);
  const faults: string[] = [];
  if (FORBIDDEN_NAMES.test(name)) faults.push(`${path}: the name says nothing about its content`);
  if (!KEBAB_CASE.test(name)) faults.push(`${path}: the name is not kebab-case`);
  return faults;
}

function wordFaults({ path, text }: SourceFile): string[] {
  return BANNED_WORDS.filter((word) => text.includes(word)).map(
    (word) => `${path}: has the banned text "${word}"`,
  );
}

/** What the test runner does otherwise than it looks, in Bun 1.4.5. */
function runnerFaults({ path, text }: SourceFile): string[] {
  const waits = [...text.matchAll(/\.(rejects|resolves)\s*\./g)].map(
    ([, word]) =>
      `${path}: a promise that is never settled holds the whole run in .${word}, past any time limit; ` +
      "await it, or rejection() of src/platform/testing/rejection.ts",
  );
  const hooks = [...text.matchAll(HOOK)]
    .filter(returnsSomething)
    .map(
      ([, , name]) =>
        `${path}: the runner calls nothing that ${name} returns; ` +
        "close in a hook of its own what is opened, and await what takes time",
    );
  return [...waits, ...hooks];
}

/** A hook that is given a function: how far it is indented, its name, what stands behind the arrow. */
const HOOK = /^( *)((?:before|after)(?:Each|All))\(\s*(?:async )?\(\w*\) =>\s*(.*)$/gm;
const FUNCTION = /^(async\s+)?(function\b|\w+ =>|\([^()]*\)(: [^=]+)? =>)/;
/** The end of a line that opens the body of a function, or of what is none. */
const OPENS_BODY = /(=>|\)(: .+)?) \{$/;
const OPENS_BRANCH = /^ *(\} )?(if|else|for|while|do|switch|try|catch)\b|^ *\) \{$/;

/**
 * True where a hook's own body, not that of a function in it, returns a value: what it is can't be
 * seen here. Of a hook without a block, where that is a function. Goes by the formatter's indents.
 */
function returnsSomething(hook: RegExpExecArray): boolean {
  const [whole, indent = "", , behind = ""] = hook;
  if (behind !== "{") return FUNCTION.test(behind);
  let inner = Number.POSITIVE_INFINITY;
  for (const line of hook.input.slice(hook.index + whole.length + 1).split("\n")) {
    const depth = line.search(/\S/);
    if (depth < 0) continue;
    if (depth <= indent.length) return false;
    if (depth > inner) continue;
    if (/\breturn [^;]/.test(line)) return true;
    inner = OPENS_BODY.test(line) && !OPENS_BRANCH.test(line) ? depth : Number.POSITIVE_INFINITY;
  }
  return false;
}

/** Each folder of drivers/ is a protocol family with the same parts, or known support. */
function driverShapeFaults(paths: readonly string[]): string[] {
  const families = new Set(paths.flatMap((path) => /^drivers\/([^/]+)\//.exec(path)?.[1] ?? []));
  return [...families]
    .filter((family) => !DRIVER_SUPPORT.includes(family))
    .flatMap((family) =>
      DRIVER_SHAPE.filter((part) => {
        const whole = `drivers/${family}/${part}`;
        return !paths.some((path) => path === whole || path.startsWith(`${whole}/`));
      }).map((part) => `drivers/${family}: has no ${part}`),
    );
}

function allFaults(files: readonly SourceFile[]): string[] {
  return [
    ...files.flatMap((file) => [
      ...importFaults(file),
      ...sizeFaults(file),
      ...nameFaults(file),
      ...wordFaults(file),
      ...runnerFaults(file),
    ]),
    ...driverShapeFaults(files.map(({ path }) => path)),
  ];
}

function repositoryFiles(): SourceFile[] {
  const folders = ["src", "drivers", "db", "scripts"].filter((name) =>
    existsSync(join(ROOT, name)),
  );
  return folders.flatMap((folder) =>
    [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync(ROOT)].map((path) => ({
      path,
      text: readFileSync(join(ROOT, path), "utf8"),
    })),
  );
}

describe("the repository", () => {
  test("keeps to its layout rules", () => {
    const files = repositoryFiles();
    expect(files.length).toBeGreaterThan(50);
    expect(allFaults(files)).toEqual([]);
  });
});

/** A synthetic file that breaks a rule, or shows that a rule lets the right thing pass. */
function file(path: string, text = ""): SourceFile {
  return { path, text };
}

describe("the import rule", () => {
  test.each([
    ["src/core/x.ts", 'import { a } from "#db/connection.ts";', "core may not import db"],
    ["src/core/x.ts", 'import { readFileSync } from "node:fs";', "may not import node:fs"],
    ["src/client/x.ts", 'import { readFileSync } from "node:fs";', "may not import node:fs"],
    ["src/client/x.ts", 'import { a } from "#core/errors.ts";', "client may not import core"],
    ["src/portal/x.ts", 'import { a } from "#core/errors.ts";', "portal may not import core"],
    ["src/portal/x.tsx", 'import { createHash } from "node:crypto";', "may not import node:crypto"],
    ["src/http/x.ts", 'import { a } from "../portal/theme.ts";', "http may not import portal"],
    ["src/cli/x.ts", 'import { lazy } from "react";', "roots may not import react"],
    ["src/platform/x.ts", 'import { a } from "../core/errors.ts";', "platform may not import core"],
    ["drivers/isl/x.ts", 'import { c } from "#src/platform/clock.ts";', "drivers may not import"],
    ["drivers/isl/x.ts", 'import { s } from "./simulator/x.ts";', "may not import simulator"],
    ["db/x.ts", 'export type { A } from "../src/queue/x.ts";', "db may not import queue"],
    ["src/queue/x.ts", 'import type { G } from "../gateway/x.ts";', "queue may not import gateway"],
    ["src/http/x.ts", 'import { s } from "#db/stores/index.ts";', "http may not import db"],
    ["src/http/x.ts", 'import { m } from "../modules/auth/x.ts";', "http may not import modules"],
    ["src/controller/x.ts", 'import { d } from "#db/writer.ts";', "controller may not import db"],
    ["src/controller/x.ts", 'import { d } from "#drivers/registry.ts";', "may not import drivers"],
    ["src/modules/a/x.ts", 'import { b } from "../b/x.ts";', "imports another module"],
    ["src/modules/a/x.ts", 'import { type B, b } from "../b/service.ts";', "another module"],
    ["src/queue/x.ts", 'import { SignJWT } from "jose";', "queue may not import jose"],
    ["src/modules/a/x.ts", 'import { eq } from "drizzle-orm/x";', "may not import drizzle-orm"],
    ["src/gateway/x.ts", 'const x = await import("../queue/x.ts");', "may not import queue"],
    ["src/gateway/x.ts", 'const x = require("better-sqlite3");', "may not import better-sqlite3"],
    ["src/queue/x.ts", 'import {\n  a,\n  b,\n} from "../cli/x.ts";', "may not import roots"],
    ["src/stray.ts", "", "belongs to no area"],
    ["src/queue/x.ts", 'import { a } from "../stray.ts";', "which belongs to no area"],
  ])("%s with %p fails", (path, text, expected) => {
    expect(importFaults(file(path, text)).join()).toContain(expected);
  });

  test.each([
    ["src/core/x.ts", 'import { Type } from "@sinclair/typebox";\nimport { a } from "./y.ts";'],
    ["src/queue/x.ts", 'import { a } from "#db/stores/index.ts";'],
    ["src/http/server.ts", 'import { routes } from "../modules/auth/routes.ts";'],
    ["src/modules/a/x.ts", 'import { a } from "./y.ts";\nimport { b } from "#core/errors.ts";'],
    ["src/modules/a/x.ts", 'import type { RunB } from "../b/run.ts";'],
    ["src/modules/a/x.ts", 'import { bRecord } from "../b/records.ts";'],
    ["drivers/isl/simulator/x.ts", 'import { a } from "../frame.ts";'],
    ["src/app/runtime.ts", 'import { a } from "./queue/x.ts";'],
    ["src/client/x.ts", 'import { a } from "./y.ts";\nimport c from "openapi-fetch";'],
    ["src/portal/x.ts", 'import { createClient } from "../client/index.ts";'],
    ["src/queue/x.test.ts", 'import { a } from "../gateway/x.ts";'],
  ])("%s with %p passes", (path, text) => {
    expect(importFaults(file(path, text))).toEqual([]);
  });
});

describe("the other rules", () => {
  const lines = (count: number): string => "x\n".repeat(count);

  test("limit the length of files, and give tests and tables more", () => {
    expect(sizeFaults(file("src/core/x.ts", lines(400)))).toEqual([]);
    expect(sizeFaults(file("src/core/x.ts", lines(401)))).toHaveLength(1);
    expect(sizeFaults(file("src/core/x.test.ts", lines(800)))).toEqual([]);
    expect(sizeFaults(file("src/core/x.test.ts", lines(801)))).toHaveLength(1);
    const table = `/** Table of error numbers. */\n${lines(799)}`;
    expect(sizeFaults(file("drivers/isl/x.ts", table))).toEqual([]);
    expect(sizeFaults(file("drivers/isl/x.ts", `${table}x\n`))).toHaveLength(1);
    expect(sizeFaults(file("src/client/api-types.ts", lines(5_000)))).toEqual([]);
  });

  test.each(["utils.ts", "string-utils.ts", "helpers.test.ts", "common.ts", "session-manager.ts"])(
    "refuse the name %s",
    (name) => {
      expect(nameFaults(file(`src/core/${name}`))).toHaveLength(1);
    },
  );

  test.each(["Money.ts", "vatGroup.ts", "vat_group.ts"])("refuse %s as not kebab-case", (name) => {
    expect(nameFaults(file(`src/core/${name}`))).toHaveLength(1);
  });

  test.each(["money.ts", "utility-meter.ts", "sql-text.d.ts", "drizzle.config.ts", "a.test.ts"])(
    "take the name %s",
    (name) => {
      expect(nameFaults(file(`src/core/${name}`))).toEqual([]);
    },
  );

  test.each([...BANNED_WORDS])("refuse %p in a text", (word) => {
    expect(wordFaults(file("src/core/x.ts", `const a = 1; // ${word} later`))).toHaveLength(1);
  });

  test.each(["rejects", "resolves"])("refuse to wait in the runner for what %s", (word) => {
    const text = `await expect(told)\n  .${word}.toThrow();`;
    expect(runnerFaults(file("src/core/x.test.ts", text)).join()).toContain("past any time limit");
  });

  test.each([
    "beforeEach(() => () => close());",
    "afterAll(async () => async () => close());",
    "beforeEach(() => {\n  open();\n  return () => close();\n});",
    "  beforeAll(async () => {\n    const close = await open();\n    return close;\n  });",
    "beforeEach(() => {\n  if (isOpen) return close;\n});",
    "beforeEach(() => {\n  if (isOpen) {\n    return close;\n  }\n});",
    "beforeEach(\n  async () => {\n    return await open();\n  },\n  9,\n);",
    "beforeEach(() => {\n  const a = () => {\n    return 1;\n  };\n  return a;\n});",
  ])("refuse a hook that returns something: %p", (text) => {
    expect(runnerFaults(file("src/core/x.test.ts", text)).join()).toContain("calls nothing");
  });

  test.each([
    "await rejection(told);",
    "afterEach(() => bench.close());",
    "beforeEach(() => {\n  if (isOpen) return;\n  open();\n});\nreturn () => close();",
    "beforeEach(() => {\n  open({\n    fetch(request) {\n      return answer;\n    },\n  });\n});",
    "beforeEach(() => {\n  const a = (): A => {\n    return 1;\n  };\n  open(a);\n});",
  ])("take in tests %p", (text) => {
    expect(runnerFaults(file("src/core/x.test.ts", text))).toEqual([]);
  });

  test("want each protocol family whole", () => {
    const whole = ["index.ts", "session.ts", "status.ts", "commands/x.ts", "dialects/y.ts"].map(
      (part) => `drivers/new/${part}`,
    );
    expect(driverShapeFaults([...whole, "drivers/shared/bcd.ts"])).toEqual([]);
    expect(driverShapeFaults(whole.slice(1))).toEqual(["drivers/new: has no index.ts"]);
    expect(driverShapeFaults(whole.slice(0, 4))).toEqual(["drivers/new: has no dialects"]);
  });
});
