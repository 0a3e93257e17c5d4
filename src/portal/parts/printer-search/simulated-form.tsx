/** A printer that is not there: for training and for trying, and nothing that it prints counts. */

import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answer } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { useOrganization } from "../../api/hooks.ts";
import { read } from "../../api/queries.ts";
import { useWords } from "../../words/words.tsx";
import { DRIVER_CHOICES, type Driver, isDriver, simulatedAs } from "../drivers.ts";
import { Form } from "../form.tsx";
import { Notice } from "../notice.tsx";
import { SHOP } from "../place-select.tsx";
import { reasonFor } from "../reason-for.ts";
import { type AddingProps, useAdding } from "./adding.ts";
import styles from "./printer-search.module.css";

export function SimulatedForm({ locationId = SHOP, onAdded }: AddingProps) {
  const { t } = useWords();
  const { data: devices = [] } = useQuery(read("/api/v1/devices"));
  const [typed, setTyped] = useState<string>();
  const name = typed ?? freeName(t("simulated.defaultName"), devices);
  const [driver, setDriver] = useState<Driver>("vendorA.isl");
  const currency = useOrganization()?.currency;
  const add = useAdding(
    () => {
      const body = { name, locationId, ...simulatedAs(driver, currency) };
      return answer(api.POST("/api/v1/devices/simulated", { body }));
    },
    (device) => {
      setTyped(undefined);
      onAdded?.(device);
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <>
      <Form className={styles.search} onSubmit={submit}>
        <TextInput
          label={t("simulated.name")}
          required
          withAsterisk={false}
          maxLength={255}
          value={name}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        <NativeSelect
          label={t("simulated.like")}
          value={driver}
          data={DRIVER_CHOICES}
          onChange={({ currentTarget: { value } }) => {
            if (isDriver(value)) setDriver(value);
          }}
        />
        <Button type="submit" variant="default" loading={add.isPending}>
          {t("simulated.add")}
        </Button>
      </Form>
      {add.isError && (
        <Notice mood="bad" text={t(reasonFor(add.error, { CONFLICT: "simulated.full" }))} />
      )}
    </>
  );
}

/** The first of "Training", "Training 2", ... that no printer has. */
function freeName(name: string, devices: readonly { readonly name: string }[]): string {
  const taken = new Set(devices.map((device) => device.name));
  for (let number = 1; ; number += 1) {
    const one = number === 1 ? name : `${name} ${number}`;
    if (!taken.has(one)) return one;
  }
}
