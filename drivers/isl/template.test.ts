import { describe, expect, test } from "bun:test";
import type { Action } from "./dialect.ts";
import { VENDOR_A, VENDOR_B, VENDOR_C, VENDOR_D } from "./dialects/index.ts";
import { fillTemplate, templateNames } from "./template.ts";

describe("a template", () => {
  test("puts values between what is literal", () => {
    expect(fillTemplate("{a}\t{b},x", { a: "1", b: "" })).toBe("1\t,x");
  });

  test("leaves a group out when any value in it is empty", () => {
    expect(fillTemplate("{a}[,{b}#{c}]", { a: "1", b: "2", c: "3" })).toBe("1,2#3");
    expect(fillTemplate("{a}[,{b}#{c}]", { a: "1", b: "2", c: "" })).toBe("1");
  });

  test("does not read templates in values", () => {
    expect(fillTemplate("{a}", { a: "{b}[c]" })).toBe("{b}[c]");
  });

  test("that is malformed, or wants a value that is missing, is a defect", () => {
    expect(() => fillTemplate("{a", { a: "1" })).toThrow(RangeError);
    expect(() => fillTemplate("[{a}", { a: "1" })).toThrow(RangeError);
    expect(() => fillTemplate("{a}", {})).toThrow(RangeError);
  });

  test("tells the names of its values", () => {
    expect(templateNames("{a},[x{b}]{c}")).toEqual(["a", "b", "c"]);
  });
});

describe("every dialect", () => {
  for (const dialect of [...VENDOR_A, ...VENDOR_B, ...VENDOR_C, ...VENDOR_D]) {
    test(`${dialect.name} has well-formed templates and a command number for each action`, () => {
      const actions: readonly Action[] = Object.values(dialect.actions);
      for (const action of actions) {
        expect(() => templateNames(action.request)).not.toThrow();
        expect(action.command).toBeWithin(0x20, 0x100);
      }
    });

    test(`${dialect.name} names at least as many VAT groups as it has rates, and takes cash`, () => {
      const rates = templateNames(dialect.actions.setVat?.request ?? "").filter((name) =>
        name.startsWith("vat"),
      );
      expect(dialect.vatGroups.length).toBeGreaterThanOrEqual(rates.length);
      expect(dialect.tenders.cash).toBeDefined();
    });
  }
});
