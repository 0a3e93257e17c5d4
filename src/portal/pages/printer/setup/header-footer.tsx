/** What stands above and below every receipt, beside the paper on which it will stand. */

import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { useOrganization } from "../../../api/hooks.ts";
import type { Body } from "../../../api/queries.ts";
import { Paper } from "../../../parts/paper.tsx";
import type { PaperLine } from "../../../parts/paper-lines.ts";
import { useFormat, useWords } from "../../../words/words.tsx";
import type { Printer, TabProps } from "../tab.ts";
import { usePrinterRead } from "./live-read.ts";
import { Part } from "./part.tsx";
import { SettingState, useSetting } from "./setting.tsx";
import styles from "./setup.module.css";
import { centred, linesOf, tooLong } from "./texts.ts";

type Limits = Body<"/api/v1/devices/{deviceId}/header-footer-capabilities">["capabilities"];
type Lines = Pick<Body<"/api/v1/devices/{deviceId}/header-footer">, "header" | "footer">;

export function HeaderFooter({ printer }: Pick<TabProps, "printer">) {
  const { t } = useWords();
  const limits = usePrinterRead("/api/v1/devices/{deviceId}/header-footer-capabilities", printer);
  const lines = usePrinterRead("/api/v1/devices/{deviceId}/header-footer", printer);
  return (
    <Part
      printer={printer}
      title={t("setting.lines")}
      text={t("setting.linesText")}
      reads={[limits, lines]}
      cannot={t("setting.linesCannot")}
    >
      {() =>
        limits.data !== undefined &&
        lines.data !== undefined && (
          <Editor printer={printer} limits={limits.data.capabilities} now={lines.data} />
        )
      }
    </Part>
  );
}

interface EditorProps {
  readonly printer: Printer;
  readonly limits: Limits;
  /** As the printer has them. */
  readonly now: Lines;
}

function Editor({ printer, limits, now }: EditorProps) {
  const { t } = useWords();
  const { maxHeaderLines, maxFooterLines, maxCharsPerLine } = limits;
  const [draft, setDraft] = useState<{ readonly header: string; readonly footer: string }>();
  const stored = { header: textOf(now.header), footer: textOf(now.footer) };
  const { header, footer } = draft ?? stored;
  const setting = useSetting(printer, {
    ...{ name: "header-footer", changed: ["/api/v1/devices/{deviceId}/header-footer"] },
    saved: () => setDraft(undefined),
  });
  const wish = { header: linesOf(header), footer: linesOf(footer) };
  const isSame = textOf(wish.header) === stored.header && textOf(wish.footer) === stored.footer;
  const isWrong =
    [header, footer].some((text) => tooLong(text, maxCharsPerLine) !== undefined) ||
    wish.header.length > maxHeaderLines ||
    wish.footer.length > maxFooterLines;
  const change = (field: "header" | "footer") => (text: string) => {
    setting.order.reset();
    setDraft({ header, footer, [field]: text });
  };
  return (
    <>
      <div className={styles.sides}>
        <fieldset className={styles.fields} disabled={setting.isBusy}>
          <LinesField
            label={t("setting.header")}
            text={header}
            linesMax={maxHeaderLines}
            columns={maxCharsPerLine}
            isCentred={printer.simulated}
            onChange={change("header")}
          />
          {maxFooterLines > 0 && (
            <LinesField
              label={t("setting.footer")}
              text={footer}
              linesMax={maxFooterLines}
              columns={maxCharsPerLine}
              isCentred={printer.simulated}
              onChange={change("footer")}
            />
          )}
        </fieldset>
        <Preview {...wish} columns={maxCharsPerLine} isCentred={printer.simulated} />
      </div>
      <div className={styles.ends}>
        <Button
          disabled={isSame || isWrong}
          loading={setting.isBusy}
          onClick={() => setting.order.mutate({ type: "set_header_footer", payload: wish })}
        >
          {t("save.save")}
        </Button>
        {draft !== undefined && !isSame && !setting.isBusy && (
          <Button variant="default" onClick={() => setDraft(undefined)}>
            {t("setting.undo")}
          </Button>
        )}
        <SettingState {...setting} />
      </div>
    </>
  );
}

const textOf = (lines: readonly string[]): string => linesOf(lines.join("\n")).join("\n");

interface LinesFieldProps {
  readonly label: string;
  readonly text: string;
  readonly linesMax: number;
  readonly columns: number;
  /** The printer puts each line in the middle itself. */
  readonly isCentred: boolean;
  readonly onChange: (text: string) => void;
}

function LinesField(props: LinesFieldProps) {
  const { label, text, linesMax, columns, isCentred, onChange } = props;
  const { t } = useWords();
  const count = linesOf(text).length;
  const line = tooLong(text, columns);
  const error =
    count > linesMax
      ? t("setting.tooMany", { max: linesMax })
      : line === undefined
        ? undefined
        : t("setting.tooLong", { line, max: columns });
  return (
    <div className={styles.lines}>
      <Textarea
        label={label}
        description={t("setting.room", { count, max: linesMax, columns })}
        rows={Math.min(linesMax, 6)}
        wrap="off"
        spellCheck={false}
        classNames={{ input: styles.typed ?? "" }}
        value={text}
        error={error}
        onChange={({ currentTarget: { value } }) => onChange(value)}
      />
      {!isCentred && (
        <Button
          variant="subtle"
          px={4}
          disabled={count === 0}
          onClick={() => onChange(centred(text, columns))}
        >
          {t("setting.centre")}
        </Button>
      )}
    </div>
  );
}

type PreviewProps = Lines & Pick<LinesFieldProps, "columns" | "isCentred">;

/**
 * A receipt of nothing in particular between the lines. Simulated printers put them in the middle, and
 * use no paper for blank ones; of others nobody tells whether they do.
 */
function Preview({ header, footer, columns, isCentred }: PreviewProps) {
  const { t } = useWords();
  const format = useFormat();
  const currency = useOrganization()?.currency ?? "";
  const placed = (text: string): PaperLine => {
    // Blanks in front say where it stands.
    const before =
      isCentred && !text.startsWith(" ") ? Math.max(0, Math.floor((columns - text.length) / 2)) : 0;
    return { kind: "exact", text: " ".repeat(before) + text };
  };
  const printed = (lines: readonly string[]) =>
    lines.filter((text) => !isCentred || text.trim() !== "").map(placed);
  return (
    <Paper
      label={t("setting.preview")}
      columns={columns}
      note={t(isCentred ? "setting.previewCentred" : "setting.previewNote")}
      lines={[
        ...printed(header),
        { kind: "space" },
        { kind: "pair", left: t("setting.sample"), right: format.amount(3) },
        { kind: "rule" },
        {
          kind: "pair",
          left: t("paper.total", { currency: format.currency(currency).toUpperCase() }),
          right: format.amount(3),
          isStrong: true,
        },
        { kind: "space" },
        ...printed(footer),
      ]}
    />
  );
}
