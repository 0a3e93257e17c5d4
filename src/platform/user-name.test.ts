import { expect, test } from "bun:test";
import { userName } from "./user-name.ts";

test("a user is called by the accounts of the machine, and by number where they lack one", () => {
  const accounts =
    "root:x:0:0:root:/root:/bin/bash\nfiscald:x:998:998::/var/lib/fiscald:/bin/false\n";
  expect([0, 998, 99, 1000].map((uid) => userName(uid, accounts))).toEqual([
    ...["root", "fiscald", "#99", "#1000"],
  ]);
  // Whatever USER says.
  expect(userName()).toBe(Bun.spawnSync(["id", "-un"]).stdout.toString().trim());
});
