/** A backup at once: to the usual place, or to a stick that is plugged in. */

import { Button, NativeSelect } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { answer, GatewayError } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { useBoxNow } from "../../../api/hooks.ts";
import { type Body, queries } from "../../../api/queries.ts";
import formStyles from "../../../parts/form.module.css";
import { Notice } from "../../../parts/notice.tsx";
import { useFormat, useWords } from "../../../words/words.tsx";

type Backups = Body<"/api/v1/backups">;

export function MakeNow({ backups }: { readonly backups: Backups }) {
  const { t } = useWords();
  const { settings, startedAt, sticks } = backups;
  const [to, setTo] = useState("");
  const make = useMutation({
    mutationFn: () => answer(api.POST("/api/v1/backups", { body: to === "" ? {} : { to } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["/api/v1/backups"] }),
  });
  const mounted = sticks.filter(({ mounted: isMounted }) => isMounted);
  const choices = mounted.map(({ name }) => ({
    value: `usb:${name}`,
    label: t("backup.placeStick", { name }),
  }));
  const isBusy = make.error instanceof GatewayError && make.error.code === "CONFLICT";
  return (
    <>
      <div className={formStyles.row}>
        <NativeSelect
          label={t("backup.nowTo")}
          value={choices.some(({ value }) => value === to) ? to : ""}
          data={[
            { value: "", label: t("backup.usualPlace") },
            ...choices.filter(({ value }) => value !== settings.to),
          ]}
          onChange={({ currentTarget: { value } }) => setTo(value)}
        />
        <Button loading={make.isPending || startedAt !== null} onClick={() => make.mutate()}>
          {t("backup.make")}
        </Button>
      </div>
      {startedAt !== null && <UnderWay since={startedAt} />}
      {make.isError && startedAt === null && (
        <Notice mood="bad" text={t(isBusy ? "backup.alreadyRuns" : "backup.notBegun")} />
      )}
      {sticks
        .filter(({ mounted: isMounted }) => !isMounted)
        .map(({ name }) => (
          <Notice key={name} mood="idle" text={t("backup.notMounted", { name })} />
        ))}
    </>
  );
}

function UnderWay({ since }: { readonly since: string }) {
  const { t } = useWords();
  const format = useFormat();
  const now = useBoxNow(1_000);
  const time = format.duration(Math.max(0, now - Date.parse(since)));
  return <Notice mood="work" text={t("backup.working", { time })} />;
}
