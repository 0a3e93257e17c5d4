/** What nobody knows of whether it was printed: not stored as receipts until somebody has said. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { type Body, read } from "../../api/queries.ts";
import { useDoubtfulText } from "../../parts/doubtful-text.ts";
import { Notice } from "../../parts/notice.tsx";
import { isBooked } from "../../parts/outcome-words.ts";
import { Empty, PageStates } from "../../parts/page-states.tsx";
import { PracticeNote } from "../../parts/practice.tsx";
import { useWords } from "../../words/words.tsx";
import styles from "./receipts.module.css";

export function DoubtfulList() {
  const today = useQuery(read("/api/v1/today"));
  return (
    <PageStates
      query={today}
      isEmpty={({ doubtful }) => doubtful.length === 0}
      empty={<NoDoubt devices={today.data?.devices ?? []} />}
    >
      {({ doubtful }) => (
        <ul className={styles.doubtful}>
          {doubtful.map((one) => (
            <li key={one.commandId}>
              <Asked one={one} />
            </li>
          ))}
        </ul>
      )}
    </PageStates>
  );
}

/** What is at a printer that does not answer may yet become doubtful. */
function NoDoubt({ devices }: Pick<Body<"/api/v1/today">, "devices">) {
  const { t } = useWords();
  const silent = devices.filter(
    ({ device, doing }) => doing && isBooked(doing) && device.effectiveStatus === "offline",
  );
  const printers = silent.map(({ device }) => device.name).join(", ");
  return (
    <Empty
      title={t("receipts.noDoubt")}
      text={
        silent.length === 0 ? t("receipts.noDoubtText") : t("receipts.notYetKnown", { printers })
      }
    >
      {silent.map(({ device }) => (
        <Button key={device.id} component={Link} variant="default" href={`/printers/${device.id}`}>
          <span translate="no">{device.name}</span>
        </Button>
      ))}
    </Empty>
  );
}

function Asked({ one }: { readonly one: Body<"/api/v1/today">["doubtful"][number] }) {
  const { t } = useWords();
  return (
    <Notice mood="bad" text={useDoubtfulText(one)}>
      <PracticeNote of={one} />
      <Button component={Link} href={`/doubtful/${one.commandId}`}>
        {t("doubtful.settle")}
      </Button>
    </Notice>
  );
}
