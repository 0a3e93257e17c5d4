/** A printer that answered: what it is, and the button that makes it the shop's. */

import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { answer } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import type { Find } from "../../api/detect.ts";
import { useWords } from "../../words/words.tsx";
import { addressText } from "../address-text.ts";
import { dotted } from "../dotted.ts";
import { Form } from "../form.tsx";
import { Notice } from "../notice.tsx";
import { SHOP } from "../place-select.tsx";
import { reasonFor } from "../reason-for.ts";
import { ADDING, type AddingProps, useAdding } from "./adding.ts";
import styles from "./printer-search.module.css";

interface FoundPrinterProps extends AddingProps {
  readonly find: Find;
  /** Of its name, where it is given none. */
  readonly number: number;
}

export function FoundPrinter({ find, number, onAdded, ...place }: FoundPrinterProps) {
  const { t } = useWords();
  const [name, setName] = useState(() => t("setup.printer.defaultName", { number }));
  const { locationId = SHOP } = place;
  const { driver, transport, connectionParams, model, serialNumber } = find;
  const add = useAdding(() => {
    const body = { name, driver, transport, connectionParams, locationId };
    return answer(api.POST("/api/v1/devices", { body }));
  }, onAdded);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <li>
      <Form className={styles.find} onSubmit={submit}>
        <span className={styles.names}>
          <strong translate="no">{model ?? t("setup.printer.unnamed")}</strong>
          <span className="aside" translate="no">
            {dotted([serialNumber, addressText(connectionParams)])}
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
      </Form>
      {add.isError && <Notice mood="bad" text={t(reasonFor(add.error, ADDING))} />}
    </li>
  );
}
