import { describe, expect, test } from "bun:test";
import { type DetectionWish, readDetectionWish } from "./detection.ts";

describe("where to look", () => {
  test.each<[DetectionWish, unknown]>([
    [{}, { transport: "serial" }],
    [{ transport: "serial" }, { transport: "serial" }],
    [{ address: "/dev/ttyS0?baud=9600" }, { transport: "serial", address: "/dev/ttyS0?baud=9600" }],
    [{ host: "printer" }, { transport: "tcp", host: "printer" }],
    [
      { host: "10.0.0.7", port: 3999 },
      { transport: "tcp", host: "10.0.0.7", port: 3999 },
    ],
    [
      { address: "AA:BB:CC:DD:EE:FF#2" },
      { transport: "bluetooth", address: "AA:BB:CC:DD:EE:FF#2" },
    ],
  ])("%p follows from what is said", (wish, target) => {
    expect(readDetectionWish(wish)).toEqual({ target } as never);
  });

  test.each<[DetectionWish, string]>([
    [{ transport: "tcp" }, "host"],
    [{ port: 3999 }, "host"],
    [{ host: "http://printer/" }, "host"],
    [{ transport: "bluetooth" }, "address"],
    [{ transport: "bluetooth", address: "/dev/ttyS0" }, "address"],
    [{ address: "ttyS0" }, "address"],
    [{ address: "/dev/ttyS0?baud=fast" }, "address"],
    [{ host: "printer", address: "/dev/ttyS0" }, "address"],
    [{ transport: "serial", host: "printer" }, "host"],
    [{ transport: "serial", port: 3999 }, "port"],
  ])("%p is refused for its %s", (wish, path) => {
    const reading = readDetectionWish(wish);
    expect("issues" in reading && reading.issues.map((issue) => issue.path)).toEqual([path]);
  });
});
