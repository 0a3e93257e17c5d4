/** The languages of a profile: what they write, read and refuse. */

import { describe, expect, test } from "bun:test";
import { match, parsePattern, parseTemplate, render, type Values } from "./template.ts";

const TIME = { year: 2026, month: 3, day: 9, hour: 7, minute: 5, second: 1 };

function written(template: string, values: Values): string {
  return render(parseTemplate(template), values);
}

describe("a template", () => {
  test.each([
    ["33011{q:d6.3}{d:n3}{t:len2}{p:c9}{v:raw}", "3301100000250000106Coffee00000025001"],
    ["{q:d6.2}", "00000250"],
    ['"{t:raw}"{q:d}*{p:n}H', '"Coffee"2.5*250H'],
    ["{t:s8}|", "Coffee  |"],
    ["2001{time:DDMMYYhhmm}", "20010903260705"],
    ["{time:YYMMDDhhmmss}", "260309070501"],
    ["7101[{empty:len2}]9", "71019"],
    ["7101[{t:len2}]9", "710106Coffee9"],
    ["no fields at all", "no fields at all"],
  ])("%s writes %s", (template, expected) => {
    const values = { q: 2_500, d: 1, t: "Coffee", p: 250, v: "01", empty: "", time: TIME };
    expect(written(template, values)).toBe(expected);
  });

  test("refuses numbers and texts that do not fit, and cuts none", () => {
    expect(() => written("{p:c4}", { p: 10_000 })).toThrow("p: this device takes 4 digits");
    expect(() => written("{q:d2.3}", { q: 100_000 })).toThrow("5 digits");
    expect(() => written("{q:d6.2}", { q: 1_001 })).toThrow("q: this device takes 2 decimals");
    expect(() => written("{t:s3}", { t: "Coffee" })).toThrow("t: this device takes 3 characters");
    expect(() => written("{t:len1}", { t: "0123456789" })).toThrow("1 digits");
    expect(() => written("{n:n3}", { n: -1 })).toThrow("no count");
  });

  test.each([
    ["{q", '"{" is not closed'],
    ["q}", '"}" closes nothing'],
    ["[a]", "an optional part needs a field"],
    ["[{a:raw}[b]]", "cannot hold another one"],
    ["{q}", "expected {name:form}"],
    ["{q:x9}", '"x9" is no form of a field'],
    ["{q:d6.4}", "no form"],
    ["{t:len}", "no form"],
    ["{1q:n2}", "expected {name:form}"],
  ])("%s is told to be wrong", (template, reason) => {
    expect(() => parseTemplate(template)).toThrow(reason);
  });
});

describe("a pattern", () => {
  function read(pattern: string, answer: string) {
    const fields = match(parsePattern(pattern), answer);
    return fields && Object.fromEntries(fields);
  }

  test.each([
    ["3007{sign:sign}{rest:n9}", "3007-000000000", { sign: "-", rest: "000000000" }],
    ["1002{*2}{text:len2}{*}", "10021106Milanoxx", { text: "Milano" }],
    ["1013{model:*}", "1013Q3X-F RT", { model: "Q3X-F RT" }],
    ["1209{flags:n*}{*}", "120900100", { flags: "00100" }],
    ["1020{state:s2}{*}", "102001", { state: "01" }],
    ["2003{*}", "2003", {}],
  ])("%s reads %s", (pattern, answer, fields) => {
    expect(read(pattern, answer)).toEqual(fields);
  });

  test.each([
    ["3007{sign:sign}{rest:n9}", "3007000000000"],
    ["3007{sign:sign}{rest:n9}", "3007+00000000"],
    ["3007{sign:sign}{rest:n9}", "3007+0000000001"],
    ["1002{text:len2}", "100206Milan"],
    ["1002{text:len2}", "1002xxMilan"],
    ["2003", "2002"],
  ])("%s does not fit %s", (pattern, answer) => {
    expect(read(pattern, answer)).toBeUndefined();
  });

  test.each([
    ["{a:*}{b:n1}", "nothing can follow"],
    ["{*}x", "nothing can follow"],
    ["{a:d2}", "no form"],
    ["{a:n0}", "no form"],
    ["{a", "a brace is not closed"],
  ])("%s is told to be wrong", (pattern, reason) => {
    expect(() => parsePattern(pattern)).toThrow(reason);
  });

  test("is read in one go, however long and repetitive the answer", () => {
    const pattern = `${"{a:n*}".repeat(20)}{b:n1}`;
    expect(read(pattern, "1".repeat(100_000))).toBeUndefined();
  });
});
