/** The way out: here, or wherever one is signed in. */

import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { logOut } from "../../../api/session.ts";
import { Confirm } from "../../../parts/confirm.tsx";
import { Section } from "../../../parts/section.tsx";
import { LeaveButton } from "../../../shell/preferences.tsx";
import { useWords } from "../../../words/words.tsx";

export function Leaving() {
  const { t } = useWords();
  const [isAsked, setAsked] = useState(false);
  return (
    <Section title={t("shell.leave")} text={t("account.leaveText")}>
      <Group>
        <LeaveButton variant="default" />
        <Button variant="default" onClick={() => setAsked(true)}>
          {t("account.leaveAll")}
        </Button>
      </Group>
      <Confirm
        isOpen={isAsked}
        title={t("account.leaveAllTitle")}
        text={t("account.leaveAllText")}
        action={t("account.leaveAll")}
        onConfirm={() => logOut(true)}
        onClose={() => setAsked(false)}
      />
    </Section>
  );
}
