import { describe, expect, test } from "bun:test";
import { resultFaults } from "./result-faults.ts";

describe("a result has a fault", () => {
  const cash = { cashBalance: 12.5, cashIn: null, currency: "RON" };

  test.each<[string, unknown, RegExp]>([
    ["when a field is missing", { cashBalance: 12.5 }, /currency/],
    ["when a field is of another kind", { ...cash, cashBalance: "12.50" }, /cashBalance/],
    ["when a field is null that every device tells", { ...cash, currency: null }, /currency/],
    ["when it holds what the schema does not name", { ...cash, drawer: 1 }, /holds more/],
    ["when an amount has more than two decimals", { ...cash, cashIn: 0.1 + 0.2 }, /decimals/],
  ])("%s", (_, data, fault) => {
    expect(resultFaults("get_cash_amount", data).join("\n")).toMatch(fault);
  });

  test("unless it is as the catalogue says", () => {
    expect(resultFaults("get_cash_amount", cash)).toEqual([]);
    expect(resultFaults("open_drawer", {})).toEqual([]);
  });

  test("when what it should not hold stands deep within", () => {
    const operator = { operatorId: 1, name: "Ann" };
    const operators = [operator, { ...operator, password: "0000" }];
    expect(resultFaults("get_operators", { operators: [operator] })).toEqual([]);
    expect(resultFaults("get_operators", { operators }).join()).toMatch(/holds more/);
  });
});
