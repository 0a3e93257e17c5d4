/** Sends a test, and says what became of it. */

import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { answer } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { queries } from "../../../api/queries.ts";
import { Notice } from "../../../parts/notice.tsx";
import { useWords } from "../../../words/words.tsx";
import { useFailure } from "./failure.ts";
import type { Delivery } from "./webhook.ts";

export function TestButton({ webhookId }: { readonly webhookId: string }) {
  const { t } = useWords();
  const test = useMutation({
    mutationFn: () =>
      answer(
        api.POST("/api/v1/org/webhooks/{webhookId}/test", { params: { path: { webhookId } } }),
      ),
    onSuccess: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey: [path] }) => String(path).startsWith("/api/v1/org/webhooks"),
      }),
  });
  return (
    <>
      <div>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          {t("webhooks.test")}
        </Button>
      </div>
      {test.isError && <Notice mood="bad" text={t("webhooks.testFailed")} />}
      {test.data !== undefined && !test.isPending && <Outcome delivery={test.data.delivery} />}
    </>
  );
}

function Outcome({ delivery }: { readonly delivery: Delivery }) {
  const { t } = useWords();
  const failure = useFailure()(delivery);
  if (failure !== undefined) return <Notice mood="bad" text={failure} />;
  const status = String(delivery.httpStatus);
  return <Notice mood="good" text={t("webhooks.testArrived", { status })} />;
}
