/**
 * What the documentation names, there is: settings, command types, routes, and pages of the handbook.
 * Links are looked at by handbook.test.ts, commands by snippets.test.ts.
 */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AUDIT_ACTIONS } from "#core/audit.ts";
import { COMMAND_TYPES } from "#core/command/catalogue.ts";
import { ALERT_TYPES } from "#core/device/alerts.ts";
import { EVENT_SCOPES } from "#core/events.ts";
import { SETTING_KEYS } from "#src/config.ts";
import { readInlineCode } from "./snippets.ts";
import { pageName, pageSources, ROOT } from "./sources.ts";

const CODE = readInlineCode();

/** A dot has other uses: names of files, and of events and audited actions. */
const IS_FILE = /\.(pem|key|json|toml|db|md|ts|service|conf|pub|rules|reserve|lock)$/;

test("the settings that the pages name", () => {
  const groups = new Set(SETTING_KEYS.map((key) => key.split(".")[0]));
  const known = new Set<string>([...SETTING_KEYS, ...Object.keys(EVENT_SCOPES), ...AUDIT_ACTIONS]);
  const isSetting = (code: string) =>
    /^[a-z]+\.[a-z][A-Za-z]+$/.test(code) && groups.has(code.split(".")[0]) && !IS_FILE.test(code);
  const named = CODE.filter(
    // The fields of a profile have groups of their own, one of the same name.
    ({ source, content }) => source !== "docs/custom-serial.md" && isSetting(content),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ content }) => !known.has(content))).toEqual([]);
});

test("the command types that the pages name", () => {
  const kind = /^(print|get|set|void|cash|open|raw|x|z|non_fiscal|delete)_[a-z_]+$/;
  const known: ReadonlySet<string> = new Set([...COMMAND_TYPES, ...Object.keys(ALERT_TYPES)]);
  const named = CODE.filter(({ content }) => kind.test(content));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ content }) => !known.has(content))).toEqual([]);
});

/** The control port of a simulated printer has routes of its own. */
const OF_THE_CONTROL_PORT = /^(GET|POST) \/(fault|books|paper|live|power|clear|release|$)/;

/** Method and path of each route, parameters as `{}`. */
function routes(): ReadonlySet<string> {
  const types = readFileSync(join(ROOT, "src/client/api-types.ts"), "utf8");
  const found = new Set<string>();
  let path = "";
  for (const line of types.split("\n")) {
    path = /^ {4}"(\/[^"]*)": \{$/.exec(line)?.[1] ?? path;
    const method = /^ {8}(get|put|post|delete|patch): /.exec(line)?.[1];
    if (method !== undefined)
      found.add(`${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, "{}")}`);
  }
  return found;
}

test("the routes that the pages name with their method", () => {
  const known = routes();
  expect(known.size).toBeGreaterThan(80);
  const named = /^(GET|PUT|POST|DELETE|PATCH) (?:\/api\/v1)?(\/[^\s?]*)/;
  const faults = CODE.flatMap(({ source, content }) => {
    const [, method, path = ""] = named.exec(content) ?? [];
    if (method === undefined) return [];
    if (source === "docs/simulator.md" && OF_THE_CONTROL_PORT.test(content)) return [];
    const route = path.replace(/\{[^}]*\}|\b(?:dev|cmd|rct)_[A-Z0-9.]+|:[a-zA-Z]+/g, "{}");
    const isKnown = ["", "/api/v1"].some((base) => known.has(`${method} ${base}${route}`));
    return isKnown ? [] : [`${source}: ${method} ${path}`];
  });
  expect(faults).toEqual([]);
});

test("the pages of the handbook that portal and API link to", () => {
  const known = new Set(pageSources().map(pageName));
  const linked = [...new Bun.Glob("src/**/*.{ts,tsx}").scanSync(ROOT)]
    .filter((path) => !/\.test\.|\/testing\//.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(ROOT, path), "utf8");
      return [...text.matchAll(/(?<![\w.])\/docs\/([a-z][\w-]*(?:\.\w+)?)/g)].map(
        ([, name = ""]) => ({
          ...{ path, name },
        }),
      );
    });
  expect(linked.length).toBeGreaterThan(2);
  expect(linked.filter(({ name }) => !known.has(name))).toEqual([]);
});
