import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { signatureHeaders } from "./signature.ts";

/** The example of the Standard Webhooks libraries. */
const MESSAGE = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  at: 1_614_265_330_999,
  body: '{"test": 2432232314}',
};

test("the signature of Standard Webhooks is that of its published example", () => {
  expect(signatureHeaders(MESSAGE)).toMatchObject({
    "webhook-id": MESSAGE.id,
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("the service's own signature has the whole text of the secret as its key", () => {
  const hmac = createHmac("sha256", MESSAGE.secret).update(`1614265330.${MESSAGE.body}`);
  expect(signatureHeaders(MESSAGE)["x-service-signature"]).toBe(
    `t=1614265330,v1=${hmac.digest("hex")}`,
  );
});
