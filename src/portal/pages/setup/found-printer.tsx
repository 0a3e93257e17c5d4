/** A printer that answered: what it is, and the button that makes it the shop's. */

import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answer, GatewayError } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import type { Find } from "../../api/detect.ts";
import { addressText } from "../../parts/address-text.ts";
import { Notice } from "../../parts/notice.tsx";
import { useWords, type Word } from "../../words/words.tsx";
import styles from "./setup.module.css";

/** Until the shop has places of its own. */
const LOCATION = "shop";

interface FoundPrinterProps {
  readonly find: Find;
  /** Of its name, where it is given none. */
  readonly number: number;
}

export function FoundPrinter({ find, number }: FoundPrinterProps) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [name, setName] = useState(() => t("setup.printer.defaultName", { number }));
  const { driver, transport, connectionParams, model, serialNumber } = find;
  const add = useMutation({
    mutationFn: () =>
      answer(
        api.POST("/api/v1/devices", {
          body: { name, driver, transport, connectionParams, locationId: LOCATION },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["/api/v1/devices"] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <li>
      <form className={styles.find} onSubmit={submit}>
        <span className={styles.names}>
          <strong translate="no">{model ?? t("setup.printer.unnamed")}</strong>
          <span className="aside" translate="no">
            {[serialNumber, addressText(connectionParams)].filter(Boolean).join(" · ")}
          </span>
        </span>
        <TextInput
          aria-label={t("setup.printer.name")}
          required
          maxLength={255}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <Button type="submit" loading={add.isPending}>
          {t("setup.printer.add")}
        </Button>
      </form>
      {add.isError && <Notice mood="bad" text={t(reasonOf(add.error))} />}
    </li>
  );
}

function reasonOf(error: Error): Word {
  if (!(error instanceof GatewayError)) return "setup.printer.addFailed";
  if (error.code === "TIER_LIMIT_EXCEEDED") return "setup.printer.planFull";
  return error.status === 409 ? "setup.printer.taken" : "setup.printer.addFailed";
}
