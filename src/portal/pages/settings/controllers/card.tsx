/** One computer or phone that serves printers, whether it is there or not. */

import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answer } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { type Body, queries, read } from "../../../api/queries.ts";
import { Confirm } from "../../../parts/confirm.tsx";
import { dotted } from "../../../parts/dotted.ts";
import { useDraft } from "../../../parts/draft.ts";
import { Form } from "../../../parts/form.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { SaveRow } from "../../../parts/save-row.tsx";
import { StateMark } from "../../../parts/state-mark.tsx";
import { useFormat, useWords } from "../../../words/words.tsx";
import styles from "../cards.module.css";
import { PrinterLinks } from "./printer-links.tsx";

type Listed = Body<"/api/v1/controllers">;
type Known = Listed["known"][number];
type Live = Listed["instances"][number];

interface CardProps {
  readonly controller: Known;
  /** While it is connected. */
  readonly live: Live | undefined;
}

export function ControllerCard({ controller, live }: CardProps) {
  const { t } = useWords();
  const { controllerId, controllerName, deviceIds, canBeWoken } = controller;
  const isOn = live !== undefined;
  return (
    <li className={`box ${styles.card}`}>
      <div className={styles.head}>
        <strong>{controllerName ?? controllerId}</strong>
        <StateMark
          mood={isOn ? "good" : deviceIds.length > 0 ? "warn" : "idle"}
          word={t(isOn ? "controllers.on" : "controllers.off")}
        />
      </div>
      <p className="aside">{useFacts(controller, live)}</p>
      <PrinterLinks ids={deviceIds} none={t("controllers.none")} />
      {!isOn && deviceIds.length > 0 && (
        <Notice
          mood="warn"
          text={t(canBeWoken ? "controllers.offWakes" : "controllers.offWaits")}
        />
      )}
      <p className="aside">{t(canBeWoken ? "controllers.wakes" : "controllers.stays")}</p>
      <Details key={controllerId} controller={controller} />
      <Remove controller={controller} isOn={isOn} />
    </li>
  );
}

/** What it is, and when it was heard of. */
function useFacts({ appVersion, deviceModel, osVersion, lastSeenAt }: Known, live?: Live): string {
  const { t } = useWords();
  const format = useFormat();
  const version = live?.appVersion ?? appVersion;
  const seen =
    live !== undefined
      ? t("controllers.since", { time: format.dateTime(live.connectedAt) })
      : lastSeenAt === null
        ? t("controllers.never")
        : t("controllers.lastSeen", { time: format.dateTime(lastSeenAt) });
  const model = live?.deviceModel ?? deviceModel;
  const parts = [
    seen,
    model,
    live?.osVersion ?? osVersion,
    version ? t("controllers.version", { version }) : undefined,
  ];
  return dotted(parts);
}

/** How it is called here, and where it stands. */
function Details({ controller }: { readonly controller: Known }) {
  const { t } = useWords();
  const { controllerId, controllerName, locationId } = controller;
  const { data: { locations = [] } = {} } = useQuery(read("/api/v1/org/locations"));
  const params = { path: { controllerId } };
  const draft = useDraft(
    { name: controllerName ?? controllerId, place: locationId ?? "" },
    {
      send: (changed) => {
        const body = {
          ...(changed.name === undefined ? {} : { controllerName: changed.name.trim() }),
          // There is no way back to none.
          ...(changed.place ? { locationId: changed.place } : {}),
        };
        return answer(api.PATCH("/api/v1/controllers/{controllerId}", { params, body }));
      },
      stored: () => queries.invalidateQueries({ queryKey: ["/api/v1/controllers"] }),
    },
  );
  const { shown, change } = draft;
  const { name, place } = shown;
  const isKnown = locations.some(({ id }) => id === place);
  return (
    <Form className={styles.form} onSubmit={draft.submit}>
      <div className={styles.pair}>
        <TextInput
          label={t("controllers.name")}
          required
          withAsterisk={false}
          maxLength={255}
          value={name}
          onChange={({ currentTarget: { value } }) => change({ name: value })}
        />
        <NativeSelect
          label={t("controllers.place")}
          value={place}
          onChange={({ currentTarget: { value } }) => change({ place: value })}
          data={[
            ...(locationId === null ? [{ value: "", label: t("controllers.noPlace") }] : []),
            // Apps may call a place as they like.
            ...(place === "" || isKnown ? [] : [{ value: place, label: place }]),
            ...locations.map(({ id, name: label }) => ({ value: id, label })),
          ]}
        />
      </div>
      <SaveRow
        saving={draft.saving}
        variant="default"
        isChanged={draft.isChanged}
        isDisabled={name.trim() === ""}
      />
    </Form>
  );
}

function Remove({ controller, isOn }: { readonly controller: Known; readonly isOn: boolean }) {
  const { t } = useWords();
  const { controllerId, controllerName } = controller;
  const name = controllerName ?? controllerId;
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () =>
      answer(
        api.DELETE("/api/v1/controllers/{controllerId}", { params: { path: { controllerId } } }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["/api/v1/controllers"] }),
    onSettled: () => setAsking(false),
  });
  if (isOn) return <p className="aside">{t("controllers.stopFirst")}</p>;
  return (
    <div className={styles.apart}>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t("controllers.remove")}
      </Button>
      {remove.isError && <Notice mood="bad" text={t("controllers.removeFailed")} />}
      <Confirm
        isOpen={isAsking}
        title={t("controllers.removeAsk", { name })}
        text={t("controllers.removeText")}
        action={t("controllers.remove")}
        isDanger
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
