/** Table of rules: what an idempotency key holds. */

import type { Section } from "../rule.ts";

export const IDEMPOTENCY: readonly Section[] = [
  {
    of: "decisions",
    title: "Idempotency",
    code: "REPEAT",
    rules: [
      {
        id: "REPEAT-01",
        rule: "Key, answer and command are written in one transaction, so that a crash between them runs nothing twice",
        by: [
          "src/e2e/idempotency-crash.test.ts > a key that was sent again after a crash never makes a second command",
          "src/modules/idempotency/idempotency.test.ts > a failure > that is a defect keeps nothing: the key is good for the next try",
        ],
      },
      {
        id: "REPEAT-02",
        rule: "Requests with one key that come together run once; the later ones get the first one's answer",
        by: [
          "src/modules/idempotency/idempotency.test.ts > a request with a key > runs once however many come at a time",
          "src/modules/receipts/store.test.ts > an Idempotency-Key > stores once of parallel requests",
        ],
      },
      {
        id: "REPEAT-03",
        rule: "One key spans both routes of an organization",
        by: [
          "src/modules/receipts/store.test.ts > an Idempotency-Key > is one and the same for receipts and commands of an organization",
          "src/modules/idempotency/idempotency.test.ts > a key answers nobody with what is not theirs to read",
        ],
      },
      {
        id: "REPEAT-04",
        rule: "What ran is kept as it was answered, a refusal by the handler too",
        by: [
          "src/modules/idempotency/idempotency.test.ts > a refusal by the handler is kept like any answer > %s",
          "src/modules/idempotency/idempotency.test.ts > a refusal by the handler is kept like any answer > one that comes only inside the transaction",
        ],
      },
      {
        id: "REPEAT-05",
        rule: "A refusal that stored nothing is not kept: 401, 403, 429, 500 and 503",
        by: [
          "src/modules/idempotency/idempotency.test.ts > a refusal before the handler keeps nothing > 401 without a credential",
          "src/modules/idempotency/idempotency.test.ts > a refusal before the handler keeps nothing > 403 without the scope",
          "src/modules/idempotency/idempotency.test.ts > a refusal before the handler keeps nothing > 429 when the bucket is empty",
          "src/modules/idempotency/idempotency.test.ts > a failure > that is a defect keeps nothing: the key is good for the next try",
          "src/modules/idempotency/idempotency.test.ts > a failure > of a full disk is not kept: the key is good once there is room",
        ],
      },
      {
        id: "REPEAT-06",
        rule: "A repeat with another body carries `Idempotency-Body-Mismatch: true` beside the kept answer",
        by: [
          "src/modules/idempotency/idempotency.test.ts > a request with a key > is answered as before to another body, which says so",
        ],
      },
      {
        id: "REPEAT-07",
        rule: "Bodies differ by their values, not by how they are written",
        by: [
          "src/modules/idempotency/idempotency.test.ts > a request with a key > is the same as before, however the body is written",
        ],
      },
      {
        id: "REPEAT-08",
        rule: "Another content type and a body that is too long are refused before the handler, and not kept",
        by: [
          "src/modules/idempotency/idempotency.test.ts > a refusal before the handler keeps nothing > another content type and a body that is too long keep nothing",
        ],
      },
      {
        id: "REPEAT-09",
        rule: "A body that is no JSON is kept as 400",
        by: [
          "src/modules/idempotency/idempotency.test.ts > a refusal by the handler is kept like any answer > 400 BAD_REQUEST for a body that is no JSON",
        ],
      },
      {
        id: "REPEAT-10",
        rule: "`POST /devices/{deviceId}/commands` ignores the header, and says so by `Idempotency-Key-Ignored: true`",
        by: [
          "src/modules/idempotency/idempotency.test.ts > a key where none is read > is told to be ignored",
        ],
      },
      {
        id: "REPEAT-11",
        rule: "A repeat carries `Idempotent-Replayed: true`",
        by: [
          "src/modules/idempotency/idempotency.test.ts > a request with a key > runs once: the same key gives the first answer again",
        ],
      },
      {
        id: "REPEAT-12",
        rule: "Answers that have expired are removed each hour",
        by: [
          "src/app/upkeep.test.ts > expired entries go in parts, between which others write",
          "db/stores/purge.test.ts > expired answers go in parts, and only those",
        ],
      },
    ],
  },
];
