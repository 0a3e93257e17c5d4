/** Profiles: what is right, what is wrong, and who takes whose place. */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BUILT_IN_PROFILES } from "./dialects/index.ts";
import { ProfileSet } from "./profile-set.ts";
import { publishedSchema } from "./published-schema.ts";

const ROOT = join(import.meta.dir, "../..");
const BASE = { id: "shop", extends: "custom-rt-gen3" };

function faultsOf(value: unknown): string[] {
  const [entry] = ProfileSet.of([{ source: "shop.json", value }]).entries;
  expect(entry?.source).toBe("shop.json");
  return (entry?.faults ?? []).map(({ path, message }) => `${path}: ${message}`);
}

describe("the built-in profiles", () => {
  test("are right, and each model leads to one of them", () => {
    const { entries } = ProfileSet.of();
    expect(entries.map(({ id, faults }) => [id, faults])).toEqual([
      ["custom-rt-gen3", []],
      ["custom-rt-gen2", []],
      ["custom-xonxoff", []],
    ]);
    const set = ProfileSet.of();
    for (const { id, models } of entries) {
      for (const model of models) expect(set.forModel(`${model} RT REL. 1.0`)?.id).toBe(id);
    }
  });

  test("can each be taken as a file of the user's own", () => {
    for (const value of BUILT_IN_PROFILES) {
      expect(faultsOf({ ...Object(value), id: "copy" })).toEqual([]);
    }
  });

  test("say what nobody has confirmed", () => {
    const { entries } = ProfileSet.of();
    for (const { profile } of entries) expect(profile?.unconfirmed.length).toBeGreaterThan(0);
  });
});

describe("a profile of the user's own", () => {
  test("has of the one it extends what it leaves out", () => {
    const value = {
      ...BASE,
      models: ["SHOP 1"],
      tenders: { card: "0800", check: null },
      commands: { duplicate: null, drawer: "70082" },
      limits: { itemText: 20 },
    };
    expect(faultsOf(value)).toEqual([]);
    const set = ProfileSet.of([{ source: "shop.json", value }]);
    const profile = set.find("shop")?.profile;
    const base = set.find("custom-rt-gen3")?.profile;
    expect(profile?.tenders).toEqual({ cash: "0100", card: "0800", coupons: "0501" });
    expect(profile?.commands.has("duplicate")).toBe(false);
    expect(profile?.commands.size).toBe((base?.commands.size ?? 0) - 1);
    expect(profile?.limits).toEqual({ ...base?.limits, itemText: 20 } as never);
    expect(set.forModel("SHOP 1")?.id).toBe("shop");
    // It is not found by the models of the one it extends.
    expect(set.forModel("Q3X-F RT")?.id).toBe("custom-rt-gen3");
  });

  test("takes the place of a built-in one with its id, models and all", () => {
    const value = { id: "custom-rt-gen3", extends: "custom-rt-gen3", tenders: { card: "0800" } };
    const set = ProfileSet.of([{ source: "mine.json", value }]);
    expect(set.find("custom-rt-gen3")?.source).toBe("mine.json");
    expect(set.forModel("Q3X-F RT")?.profile?.tenders.card).toBe("0800");
    // What extends it has its changes too.
    expect(set.find("custom-rt-gen2")?.profile?.tenders.card).toBe("0800");
  });

  test.each([
    [{ extends: "custom-rt-gen3" }, "id: Expected required property"],
    [{ ...BASE, id: "Not An Id" }, "id: Expected the name of a profile: 1 to 64 of"],
    [{ ...BASE, extends: "nobody" }, "extends: There is no profile nobody"],
    [{ id: "shop" }, "version: Expected required property"],
    [{ ...BASE, colour: "red" }, "colour: Unexpected property"],
    [{ ...BASE, commands: { print: "1" } }, "commands.print: Unexpected property"],
    [{ ...BASE, commands: { sale: "33{x:n2}" } }, "commands.sale: {x}: no such value here"],
    [{ ...BASE, commands: { sale: "33{text:n2}" } }, "commands.sale: {text}: this form"],
    [{ ...BASE, commands: { sale: { send: "33{" } } }, 'commands.sale.send: "{" is not closed'],
    [{ ...BASE, commands: { cash: "7106" } }, "commands.cash.reply: needs the field {amount}"],
    [
      { ...BASE, commands: { drawer: { send: "7", reply: "{state:n1}" } } },
      "commands.drawer.reply: {state}: nobody reads this field",
    ],
    [{ ...BASE, framing: { start: "2" } }, "framing.start: Expected"],
    [{ ...BASE, framing: { ack: "15" } }, "framing.nack: Expected another byte than ack"],
    [{ ...BASE, framing: { end: null } }, "framing.end: Without it there can be no replies"],
    [{ ...BASE, commands: { openDocuments: null } }, "framing.counterDigits: Needs openDocuments"],
    [
      { ...BASE, framing: { checksum: { kind: "xor1", place: "beforeEnd" } } },
      "framing.checksum.place: Expected afterEnd with xor1",
    ],
    [{ ...BASE, errors: { meanings: { E16: "busy" } } }, "errors.meanings.E16: Unexpected"],
    [{ ...BASE, vat: { groups: { VATX: "01" } } }, "vat.groups.VATX: Unexpected property"],
    [{ ...BASE, text: { replace: { ab: "c" } } }, "text.replace.ab: Unexpected property"],
    [
      JSON.parse(`{"id":"shop","extends":"custom-rt-gen3","vat":{"groups":{"__proto__":"01"}}}`),
      "vat.groups.__proto__: Unexpected property",
    ],
    [{ ...BASE, ["k".repeat(999)]: 1 }, `${"k".repeat(200)}: Unexpected property`],
    [{ ...BASE, commands: { drawer: "70\u000381" } }, "commands.drawer: Expected characters"],
    [{ ...BASE, tenders: { card: "é" } }, "tenders.card: Expected characters that a frame"],
    [{ ...BASE, errors: { prefix: "3" } }, "errors.prefix: The command sale"],
    [{ ...BASE, framing: { ack: "41" } }, "framing.ack: Expected a byte that no command has"],
    [
      { ...BASE, framing: { counterDigits: 0 }, commands: { openDocuments: null, step: null } },
      "framing.replies: Needs openDocuments or step",
    ],
    [{ ...BASE, timeouts: { ackMs: 0 } }, "timeouts.ackMs: Expected integer"],
    [{ ...BASE, text: { cancel: "Â" } }, "text.cancel: Expected characters"],
    [{ ...BASE, errors: { meanings: { "16": "E999" } } }, "errors.meanings.16: Expected one of"],
    [{ ...BASE, limits: { departments: 1, department: 2 } }, "limits.department: Expected no more"],
    ["a text", ": Expected object"],
    [null, ": Expected object"],
  ])("is refused with the place of the fault: %j", (value, fault) => {
    expect(faultsOf(value).join("\n")).toContain(fault);
  });

  test("hears of all its faults at once", () => {
    const commands = { sale: "33{x:n2}", cash: "7106", drawer: "7{" };
    expect(faultsOf({ ...BASE, commands, framing: { ack: "15" } })).toHaveLength(4);
  });

  test("disables itself and what extends it, and nothing else", () => {
    const set = ProfileSet.of([
      { source: "a.json", value: { id: "a", extends: "custom-rt-gen3", colour: 1 } },
      { source: "b.json", value: { id: "b", extends: "a" } },
      { source: "c.json", value: { id: "c", extends: "custom-rt-gen2" } },
      { source: "d.json", value: undefined, fault: "Cannot be read" },
    ]);
    const usable = set.entries.filter(({ profile }) => profile).map(({ id }) => id);
    expect(usable).toEqual(["c", "custom-rt-gen3", "custom-rt-gen2", "custom-xonxoff"]);
    expect(set.find("b")?.faults).toEqual([
      { path: "extends", message: "The profile a is faulty" },
    ]);
    expect(set.find("d.json")?.faults).toEqual([{ path: "", message: "Cannot be read" }]);
  });

  test("is the one for its models even if it is faulty, or names less of them than ours", () => {
    const set = ProfileSet.of([
      { source: "a.json", value: { id: "a", extends: "custom-rt-gen3", models: ["Q3X"] } },
      { source: "b.json", value: { id: "b", models: ["KUBEX-F"], colour: 1 } },
    ]);
    expect(set.forModel("Q3X-F RT")?.id).toBe("a");
    expect(set.forModel("KUBEX-F RT")).toMatchObject({ id: "b", profile: undefined });
    expect(set.forModel("K3-F RT")?.id).toBe("custom-rt-gen3");
    expect(set.forModel("NOBODY")).toBeUndefined();
  });

  test("is refused when profiles extend each other, or share an id", () => {
    const ring = ProfileSet.of([
      { source: "a.json", value: { id: "a", extends: "b" } },
      { source: "b.json", value: { id: "b", extends: "a" } },
    ]);
    expect(ring.find("a")?.faults[0]?.message).toContain("in a ring");
    const twice = ProfileSet.of([
      { source: "a.json", value: { id: "a", extends: "custom-rt-gen3" } },
      { source: "b.json", value: { id: "a", extends: "custom-rt-gen3" } },
    ]);
    const [first, second] = twice.entries;
    expect(first?.faults).toEqual([]);
    expect(second?.faults).toEqual([{ path: "id", message: "Another file has the id a" }]);
  });
});

describe("the published schema", () => {
  test("is that of this version: bun scripts/custom-profile-schema.ts", () => {
    const file = readFileSync(join(ROOT, "docs/custom-profile.schema.json"), "utf8");
    expect(JSON.parse(file)).toEqual(publishedSchema());
  });

  test("says of each command what it is filled with and what its answer has", () => {
    expect(JSON.stringify(publishedSchema())).toContain(
      "Values: {tender} (text), {text} (text), {amount} (minor); and may have {sign}, {rest}",
    );
  });
});
