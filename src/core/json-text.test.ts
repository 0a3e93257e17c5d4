import { describe, expect, test } from "bun:test";
import { isDeeperThan, textIssues } from "./json-text.ts";

describe("the depth of JSON", () => {
  test.each([
    ["5", 0],
    ["{}", 1],
    ['{"a":[]}', 2],
    ['{"a":[],"b":[{}]}', 3],
    ['"[[["', 0],
    ['"\\"[[["', 0],
    ['{"\\\\":[]}', 2],
    ["[[[", 3],
  ])("%p has %d levels", (text, levels) => {
    expect(isDeeperThan(text, levels)).toBe(false);
    expect(isDeeperThan(text, levels - 1)).toBe(true);
  });
});

describe("the texts of JSON", () => {
  const pathsOf = (source: string) =>
    textIssues(source, JSON.parse(source)).map(({ path }) => path);

  test.each([
    ['{"a":"\\u0000"}', ["a"]],
    ['{"a":["x","\\ud800"]}', ["a.1"]],
    ['{"a":{"b":"\\uDE00\\uD83D"}}', ["a.b"]],
    ['{"a":{"\\u0000":1}}', ["a"]],
    ['"\\udfff"', [""]],
  ])("%s is refused", (source, paths) => {
    expect(pathsOf(source)).toEqual(paths);
  });

  test.each(['{"a":"\\ud83d\\ude00"}', '{"a":"\\\\u0000"}', '{"a":"\\u0001 \\ue000 ă 日 😀"}'])(
    "%s is taken",
    (source) => {
      expect(pathsOf(source)).toEqual([]);
    },
  );
});
