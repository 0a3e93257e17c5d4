/** The way out: here, or wherever one is signed in. */

import { Button, Group } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { logOut } from "../../../api/session.ts";
import { Confirm } from "../../../parts/confirm.tsx";
import { Section } from "../../../parts/section.tsx";
import { LeaveButton } from "../../../shell/preferences.tsx";
import { useWords } from "../../../words/words.tsx";

export function Leaving() {
  const { t } = useWords();
  const [isAsked, setAsked] = useState(false);
  const leave = useMutation({ mutationFn: () => logOut(true) });
  return (
    <Section title={t("shell.leave")} text={t("account.leaveText")}>
      <Group>
        <LeaveButton />
        <Button variant="default" onClick={() => setAsked(true)}>
          {t("account.leaveAll")}
        </Button>
      </Group>
      <Confirm
        isOpen={isAsked}
        title={t("account.leaveAllTitle")}
        text={t("account.leaveAllText")}
        action={t("account.leaveAll")}
        isBusy={leave.isPending}
        onConfirm={() => leave.mutate()}
        onClose={() => setAsked(false)}
      />
    </Section>
  );
}
