import { expect, test } from "bun:test";
import { hash, verify } from "@node-rs/argon2";
import { createPasswords } from "./password.ts";

/** The cheapest there is. */
const COST = { memoryCost: 8, timeCost: 1, parallelism: 1 };

test("a password is kept as argon2id, at a cost that is not for guessing", async () => {
  const passwords = createPasswords();
  const hashed = await passwords.hash("correct horse battery");
  expect(hashed).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
  expect(await passwords.verify(hashed, "correct horse battery")).toBe(true);
  expect(await passwords.verify(hashed, "correct horse batterY")).toBe(false);
  expect(await passwords.hash("correct horse battery")).not.toBe(hashed);
});

test("where there is no hash, one that costs the same is compared, and nothing fits it", async () => {
  const compared: string[] = [];
  const passwords = createPasswords(COST, () => ({
    hash,
    verify: (hashed, password) => {
      compared.push(hashed);
      return verify(hashed, password);
    },
  }));
  for (let time = 0; time < 2; time += 1) {
    expect(await passwords.verify(null, "correct horse battery")).toBe(false);
  }
  expect(compared).toHaveLength(2);
  for (const hashed of compared) expect(hashed).toStartWith("$argon2id$v=19$m=8,t=1,p=1$");
});
