/** How another computer comes to serve printers, with its line filled in; and where app makers read on. */

import { Anchor, TextInput } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { CopyText } from "../../../parts/copy-text.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { Section } from "../../../parts/section.tsx";
import { useWords } from "../../../words/words.tsx";
import styles from "../cards.module.css";

/** What the gateway takes for a name. */
const NAME = /^[A-Za-z0-9._-]{1,128}$/;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export function AddController() {
  const { t } = useWords();
  const [name, setName] = useState("bar-1");
  const isWrong = !NAME.test(name);
  const { origin, hostname, protocol } = location;
  const isHere = LOOPBACK.test(hostname);
  const url = isHere ? origin.replace(hostname, t("controllers.addressOfBox")) : origin;
  return (
    <Section title={t("controllers.add")} text={t("controllers.addText")}>
      <ol className={styles.steps}>
        <li>
          <Anchor className="reach" href="/docs/install.html">
            {t("controllers.stepInstall")}
          </Anchor>
        </li>
        <li>
          <Anchor className="reach" component={Link} href="/settings/keys">
            {t("controllers.stepKey")}
          </Anchor>
        </li>
        <li>
          <TextInput
            label={t("controllers.stepName")}
            description={t("controllers.stepNameText")}
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
            error={isWrong ? t("controllers.badName") : undefined}
          />
        </li>
        <li>
          <span>{t("controllers.stepRun")}</span>
          <CopyText
            isBlock
            text={`fiscald controller --url ${url} --key-file key --id ${isWrong ? "bar-1" : name}`}
          />
          {isHere && <Notice mood="idle" text={t("controllers.hereText")} />}
          {protocol === "https:" && <p className="aside">{t("controllers.secureText")}</p>}
        </li>
        <li>{t("controllers.stepPrinters")}</li>
      </ol>
      <p>
        {t("controllers.apps")}{" "}
        <Anchor href="/docs/controller-protocol.html" underline="always">
          {t("controllers.protocol")}
        </Anchor>
      </p>
    </Section>
  );
}
