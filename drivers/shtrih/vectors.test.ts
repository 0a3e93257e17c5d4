/** Golden frames, byte for byte: what we send is what others sent, and what they heard we read. */

import { describe, expect, test } from "bun:test";
import { FakeEnvironment } from "../testing/fake-environment.ts";
import { memoryLinePair } from "../transport/memory.ts";
import { ShtrihDevice } from "./device.ts";
import { textRowsOf } from "./dialects/text-rows.ts";
import { dateField, join, textField, timeField, uint } from "./fields.ts";
import { ENQ, encodeFrame, FrameDecoder } from "./frame.ts";
import { planDocument } from "./plan.ts";
import { ShtrihSession } from "./session.ts";
import { describeState, readFullState, readPrinterState } from "./status.ts";
import { VECTORS, vectorOf } from "./testdata/vectors.ts";
import { ScriptedDevice } from "./testing/scripted-device.ts";

/** Frames of the alternative lower level, which `numbered-frame.test.ts` looks at. */
const isOtherLevel = (name: string) => name.startsWith("p2_") || name.startsWith("real_p2_");
const SPOKEN = VECTORS.filter(({ name }) => !isOtherLevel(name));

const FACTS = {
  info: {
    serialNumber: null,
    firmwareVersion: null,
    fiscalMemorySerialNumber: null,
    manufacturer: null,
    model: null,
  },
  sensors: undefined,
  texts: textRowsOf(undefined),
  firstLogoLine: 1,
  lineWidth: 40,
};

function bodyOf(frame: Uint8Array | undefined): Uint8Array {
  const [token] = frame ? new FrameDecoder().push(frame) : [];
  if (token?.kind !== "frame") throw new RangeError("no frame");
  return token.body;
}

test("every golden frame is decoded whole and encoded to the same bytes", () => {
  expect(SPOKEN.length).toBe(77);
  for (const { name, request, reply } of SPOKEN) {
    for (const frame of [request, reply]) {
      if (frame) expect({ name, frame: encodeFrame(bodyOf(frame)) }).toEqual({ name, frame });
    }
  }
});

const ITEM = { vatGroup: "exempt", department: undefined, unit: undefined };
const VAT = (group: string) => group as never;

type Send = (device: ShtrihDevice) => Promise<unknown>;
const SAME: readonly (readonly [name: string, send: Send])[] = [
  ["py_device_type", (device) => device.send("deviceType")],
  ["py_short_status_day_closed", (device) => device.printerState()],
  ["py_full_status_day_closed", (device) => device.fullState()],
  ["py_cash_in_1000", (device) => device.send("cashIn", uint(100_000, 5))],
  ["py_cash_out_250_50", (device) => device.send("cashOut", uint(25_050, 5))],
  ["java_monetary_register_242", (device) => device.money(242)],
  ["py_operational_register_148", (device) => device.count(148)],
  ["py_feed_3_receipt", (device) => device.send("feed", Uint8Array.of(2, 3))],
  ["py_cut_full", (device) => device.send("cut", Uint8Array.of(0))],
  ["py_open_receipt_when_open", (device) => device.send("open", Uint8Array.of(0))],
  ["java_open_receipt_return", (device) => device.send("open", Uint8Array.of(2))],
  ["py_x_report", (device) => device.send("xReport")],
  ["py_z_report", (device) => device.send("zReport")],
  ["py_repeat_document", (device) => device.send("repeatDocument")],
  ["py_cancel_receipt", (device) => device.send("cancel")],
  ["java_cancel_receipt_none", (device) => device.send("cancelAsAdministrator")],
  ["java_continue_print_operator", (device) => device.send("proceed")],
  ["java_subtotal_no_receipt", (device) => device.send("subtotal")],
  ["java_set_time", (device) => device.send("setTime", timeField(clock(9, 5)))],
  ["java_set_date", (device) => device.send("setDate", dateField(clock(0, 0)))],
  ["java_confirm_date", (device) => device.send("confirmDate", dateField(clock(0, 0)))],
  ["py_read_table_cashier_name", (device) => device.readField(2, 1, 2)],
  ["java_read_table_footer", (device) => device.readField(4, 1, 1)],
  ["py_write_table_tax_rate_10", (device) => device.writeField([6, 2, 1], uint(1_000, 2))],
  [
    "py_write_table_cashier_name",
    (device) => device.writeField([2, 5, 2], textField("Иванова О.", 10)),
  ],
  ["java_table_structure", (device) => device.rowsOf(6)],
  ["java_field_structure_char", (device) => device.sizeOf(6, 2)],
  [
    "java_load_graphics",
    (device) =>
      device.send(
        "logoLine",
        join(
          1,
          Uint8Array.from({ length: 40 }, (_, at) => at),
        ),
      ),
  ],
  [
    "py_sale_item_simple",
    (device) => sendItem(device, "sale", { name: "Позиция 1", price: 1_000, quantity: 1_000 }),
  ],
  [
    "py_return_item",
    (device) => sendItem(device, "storno", { name: "Позиция 1", price: 1_000, quantity: 1_000 }),
  ],
  ["py_link_answer_lrc_error", (device) => sendClosing(device, 1_000)],
];

function clock(hour: number, minute: number) {
  return { year: 2027, month: 1, day: 1, hour, minute, second: 0 };
}

function plan(kind: "sale" | "storno", item: { name: string; price: number; quantity: number }) {
  const items = [
    {
      ...ITEM,
      name: item.name,
      priceMinor: item.price,
      quantityMilli: item.quantity,
      vatGroup: VAT("exempt"),
    },
  ];
  const shared = {
    items,
    payments: [{ method: "cash" as const, amountMinor: item.price }],
    uniqueSaleNumber: undefined,
    operatorId: undefined,
    operatorPassword: undefined,
  };
  const original = {
    receiptNumber: "1",
    issuedAt: 0,
    fiscalMemorySerialNumber: "1",
    zReportNumber: undefined,
  };
  return planDocument(
    kind === "sale"
      ? { ...shared, kind, modifiers: [], customerCif: undefined }
      : { ...shared, kind, reason: "refund", original },
    { timezone: "UTC", lineWidth: 40, taxGroups: 4 },
  );
}

function sendItem(
  device: ShtrihDevice,
  kind: "sale" | "storno",
  item: { name: string; price: number; quantity: number },
) {
  const step = plan(kind, item).lines.at(-1);
  if (!step) throw new RangeError("no item");
  return device.send(step.request, step.parameters);
}

function sendClosing(device: ShtrihDevice, price: number) {
  const { close } = plan("sale", { name: "x", price, quantity: 1_000 });
  return device.send(close.request, close.parameters);
}

describe("what we send is what others sent", () => {
  for (const [name, send] of SAME) {
    test(name, async () => {
      const vector = vectorOf(name);
      const other = new ScriptedDevice([bodyOf(vector.reply)]);
      const environment = new FakeEnvironment();
      const session = new ShtrihSession(other.line, environment);
      await send(new ShtrihDevice(session, environment, FACTS));
      expect(other.commands.map((body) => encodeFrame(body))).toEqual([
        vector.request ?? new Uint8Array(0),
      ]);
    });
  }
});

describe("what others heard we read", () => {
  const data = (name: string) => bodyOf(vectorOf(name).reply).subarray(2);

  test("the states of real and documented devices", () => {
    expect(readPrinterState(data("real_short_status_17"))).toMatchObject({ mode: 2, submode: 0 });
    expect(readPrinterState(data("doc_status_paper_out_active"))).toMatchObject({ submode: 2 });
    expect(readPrinterState(data("doc_status_wait_date"))).toMatchObject({ mode: 6 });
    expect(readPrinterState(data("doc_status_printing"))).toMatchObject({ mode: 2, submode: 5 });
    expect(readFullState(data("real_full_status_retail01f"))).toEqual({
      mode: 2,
      modeStatus: 0,
      submode: 0,
      flags: 0x0292,
      firmware: "C.1.54219",
      document: 31,
      clock: { year: 2018, month: 10, day: 25, hour: 8, minute: 36, second: 21 },
      memoryFlags: 0,
      serial: 149_119,
      lastClosedDay: 3,
      freeDayRecords: 0,
      fiscalizations: 0,
      hasFiscalMemory: false,
    });
  });

  test("and tell of a fiscal drive neither that it is full nor that it was never fiscalized", () => {
    const state = readFullState(data("real_full_status_retail01f"));
    expect(describeState(state, undefined, "")).toMatchObject({
      fiscalMemory: "ok",
      fiscalized: null,
    });
    expect(describeState({ ...state, memoryFlags: 8 }, undefined, "").fiscalMemory).toBe("full");
    const nearFull = { ...state, flags: state.flags + 2 ** 14 };
    expect(describeState(nearFull, undefined, "").fiscalMemory).toBe("near_full");
  });
});

describe("the exchanges that were recorded", () => {
  for (const name of ["py_link_answer_lrc_error", "py_link_command_nak", "real_short_status_17"]) {
    test(name, async () => {
      const { transcript = [], request, reply } = vectorOf(name);
      const [host, device] = memoryLinePair();
      const said: number[] = [];
      // The device says its next lines when the host has said all that comes before them.
      const script = transcript.filter(({ from }) => from === "host" || from === "dev");
      // One of the hosts asked twice before its command; asking once is enough.
      if (name === "py_link_command_nak") script.splice(0, 2);
      const expected = script
        .filter(({ from }) => from === "host")
        .flatMap(({ bytes }) => [...bytes]);
      let at = 0;
      let due = 0;
      const proceed = () => {
        for (let line = script[at]; line; line = script[at]) {
          if (line.from === "host") {
            if (said.length < due + line.bytes.length) return;
            due += line.bytes.length;
          } else device.write(line.bytes);
          at += 1;
        }
      };
      device.listen({
        data: (chunk) => {
          said.push(...chunk);
          proceed();
        },
        closed() {},
      });
      const session = new ShtrihSession(host, new FakeEnvironment());
      const body = bodyOf(request);
      const isRead = name !== "py_link_answer_lrc_error";
      const answer = await session.exchange({ body, answerMs: 1_000, isRead });
      expect(encodeFrame(answer)).toEqual(reply ?? new Uint8Array(0));
      await Promise.resolve();
      expect(said).toEqual(expected);
      expect(said[0]).toBe(ENQ);
    });
  }
});
