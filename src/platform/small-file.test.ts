import { expect, test } from "bun:test";
import { readSmallFile } from "./small-file.ts";

test("a file that has more than its size says is refused by what is read of it", () => {
  // Of what the system makes up when it is read, the size is 0.
  expect(readSmallFile("/proc/self/comm", 100)).toEndWith("\n");
  expect(() => readSmallFile("/proc/self/maps", 100)).toThrow("/proc/self/maps has more than 100");
});
