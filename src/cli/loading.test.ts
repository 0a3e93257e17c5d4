/** What is loaded at a start, by the imports that run at once: those that wait are not followed. */

import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { imports as aliases } from "../../package.json";

const ROOT = join(import.meta.dir, "../..");

/** The file that an import leads to, from the root; undefined for a package. */
function fileOf(from: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return normalize(join(dirname(from), specifier));
  for (const [pattern, target] of Object.entries(aliases)) {
    const prefix = pattern.replace("*", "");
    if (!specifier.startsWith(prefix)) continue;
    return normalize(target.replace("*", specifier.slice(prefix.length)));
  }
  return undefined;
}

/** All files and packages that are loaded with a file. */
function loadedWith(entry: string): Set<string> {
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  const loaded = new Set<string>([entry]);
  for (const file of loaded) {
    if (!file.endsWith(".ts") || !existsSync(join(ROOT, file))) continue;
    for (const { path, kind } of transpiler.scanImports(readFileSync(join(ROOT, file), "utf8"))) {
      if (kind === "import-statement") loaded.add(fileOf(file, path) ?? path);
    }
  }
  return loaded;
}

const within = (loaded: ReadonlySet<string>, pattern: RegExp) =>
  [...loaded].filter((name) => pattern.test(name));

describe("what is loaded", () => {
  test("before the command line is known is no command, no server, no driver and no database", () => {
    const loaded = loadedWith("src/main.ts");
    expect(loaded).toContain("src/platform/engine.ts");
    expect(loaded.size).toBeLessThan(7);
  });

  test("for any command line is not what single commands need", () => {
    const loaded = loadedWith("src/cli/program.ts");
    expect(loaded).toContain("commander");
    expect(within(loaded, /^(elysia|drizzle-orm|jose|bwip-js|iconv-lite|@)/)).toEqual([]);
    expect(within(loaded, /^(drivers|src\/(app|http|modules|queue|gateway|controller))\//)).toEqual(
      [],
    );
  });

  test("for serve is no simulator and no other command", () => {
    const loaded = loadedWith("src/cli/serve.ts");
    expect(loaded).toContain("elysia");
    expect(within(loaded, /simulator|bwip-js|^@node-rs/)).toEqual([]);
    expect(within(loaded, /^src\/cli\/(user|key|device|trace|detect|profile|config)\.ts/)).toEqual(
      [],
    );
  });
});
