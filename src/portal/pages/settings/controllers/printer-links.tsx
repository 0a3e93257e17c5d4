/** Printers by name, each leading to its page. */

import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { read } from "../../../api/queries.ts";
import { Icon } from "../../../parts/icon.tsx";
import { useWords } from "../../../words/words.tsx";
import styles from "../cards.module.css";

interface PrinterLinksProps {
  readonly ids: readonly string[];
  /** In place of an empty list. */
  readonly none: string;
}

export function PrinterLinks({ ids, none }: PrinterLinksProps) {
  const { t } = useWords();
  const { data: devices = [] } = useQuery(read("/api/v1/devices"));
  const printers = devices.filter(({ id }) => ids.includes(id));
  if (printers.length === 0) return <p className="aside">{none}</p>;
  return (
    <ul className={styles.links} aria-label={t("controllers.serves")}>
      {printers.map(({ id, name }) => (
        <li key={id}>
          <Anchor component={Link} href={`/printers/${id}`}>
            <Icon name="printer" size={18} />
            {name}
          </Anchor>
        </li>
      ))}
    </ul>
  );
}
