/** The shop's logo: a picture, shown in the printer's black and white before it is sent. */

import { Button, Checkbox, FileButton } from "@mantine/core";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import type { Body } from "../../../api/queries.ts";
import { Confirm } from "../../../parts/confirm.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { useFormat, useWords } from "../../../words/words.tsx";
import type { Printer, TabProps } from "../tab.ts";
import { usePrinterRead } from "./live-read.ts";
import { base64Of, bitmapFile, type Dots, dotsOf, sizeOnPaper } from "./logo-dots.ts";
import { Part } from "./part.tsx";
import { SettingState, useSetting } from "./setting.tsx";
import styles from "./setup.module.css";

type Limits = Body<"/api/v1/devices/{deviceId}/logo-capabilities">["capabilities"];

export function Logo({ printer }: Pick<TabProps, "printer">) {
  const { t } = useWords();
  const limits = usePrinterRead("/api/v1/devices/{deviceId}/logo-capabilities", printer);
  return (
    <Part
      printer={printer}
      title={t("setting.logo")}
      text={t("setting.logoText")}
      reads={[limits]}
      cannot={t("setting.logoCannot")}
    >
      {() =>
        limits.data !== undefined && (
          <LogoForm printer={printer} limits={limits.data.capabilities} />
        )
      }
    </Part>
  );
}

interface LogoFormProps {
  readonly printer: Printer;
  readonly limits: Limits;
}

function LogoForm({ printer, limits }: LogoFormProps) {
  const { t } = useWords();
  const [picture, setPicture] = useState<ImageBitmap>();
  const [isWrong, setWrong] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const setting = useSetting(printer, {
    ...{ name: "logo", changed: [] },
    saved: () => setPicture(undefined),
  });
  const choose = async (file: File | null) => {
    if (file === null) return;
    setting.order.reset();
    const read = await readPicture(file).catch(() => undefined);
    setWrong(read === undefined);
    setPicture(read);
  };
  const remove = () => {
    setting.order.mutate({ type: "delete_logo", payload: {} });
    setRemoving(false);
  };
  const remover = (
    <Button variant="default" disabled={setting.isBusy} onClick={() => setRemoving(true)}>
      {t("setting.logoRemove")}
    </Button>
  );
  return (
    <>
      {picture !== undefined && (
        <Conversion picture={picture} limits={limits}>
          {(dots) => (
            <Button
              loading={setting.isBusy}
              onClick={() =>
                setting.order.mutate({
                  type: "set_logo",
                  payload: { logo: base64Of(bitmapFile(dots)) },
                })
              }
            >
              {t("setting.logoSend")}
            </Button>
          )}
        </Conversion>
      )}
      {isWrong && <Notice mood="bad" text={t("setting.logoUnread")} />}
      <div className={styles.ends}>
        <FileButton accept="image/*" onChange={(file) => void choose(file)}>
          {(props) => (
            <Button variant="default" disabled={setting.isBusy} {...props}>
              {t(picture === undefined ? "setting.logoChoose" : "setting.logoOther")}
            </Button>
          )}
        </FileButton>
        {picture === undefined && remover}
        <SettingState {...setting} />
      </div>
      {/* Beside the choice of another picture it would seem to remove the one that was chosen. */}
      {picture !== undefined && <div className={`${styles.ends} ${styles.apart}`}>{remover}</div>}
      <Confirm
        isOpen={isRemoving}
        isDanger
        title={t("setting.logoRemoveTitle", { printer: printer.name })}
        text={t("setting.logoRemoveText")}
        action={t("setting.logoRemove")}
        onConfirm={remove}
        onClose={() => setRemoving(false)}
      />
    </>
  );
}

/** Also of drawings (SVG), which have no size in dots and are read by an image alone. */
async function readPicture(file: File): Promise<ImageBitmap> {
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    return await createImageBitmap(image);
  } finally {
    URL.revokeObjectURL(url);
  }
}

interface ConversionProps {
  readonly picture: ImageBitmap;
  readonly limits: Limits;
  /** The button that sends it. */
  readonly children: (dots: Dots) => ReactNode;
}

const THRESHOLD = 128;

function Conversion({ picture, limits, children }: ConversionProps) {
  const { t } = useWords();
  const format = useFormat();
  const [share, setShare] = useState(1);
  const [threshold, setThreshold] = useState(THRESHOLD);
  const [isScattered, setScattered] = useState(false);
  const dots = useMemo(() => {
    const size = sizeOnPaper(picture, limits, share);
    return dotsOf(pixelsOf(picture, size), { threshold, isScattered });
  }, [picture, limits, share, threshold, isScattered]);
  return (
    <div className={styles.sides}>
      <div className={styles.logo}>
        <DotsPicture dots={dots} />
        <span className="aside">
          {t("setting.logoSize", {
            width: format.number(dots.width),
            height: format.number(dots.height),
          })}
        </span>
      </div>
      <div className={styles.fields}>
        <Range
          label={t("setting.logoWidth")}
          {...{ min: 20, max: 100 }}
          value={share * 100}
          onChange={(percent) => setShare(percent / 100)}
        />
        <Range
          label={t("setting.logoDark")}
          {...{ min: 20, max: 235 }}
          value={threshold}
          onChange={setThreshold}
        />
        <Checkbox
          label={t("setting.logoPhoto")}
          checked={isScattered}
          onChange={({ currentTarget: { checked } }) => setScattered(checked)}
        />
        <div className={styles.ends}>{children(dots)}</div>
      </div>
    </div>
  );
}

interface RangeProps {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function Range({ label, min, max, value, onChange }: RangeProps) {
  return (
    <label className={styles.range}>
      <span>{label}</span>
      <input
        type="range"
        {...{ min, max, value }}
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
    </label>
  );
}

/** The picture on white, as large as it will be printed. */
function pixelsOf(picture: ImageBitmap, { width, height }: { width: number; height: number }) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("this browser draws no pictures");
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, width, height);
  return context.getImageData(0, 0, width, height);
}

function DotsPicture({ dots }: { readonly dots: Dots }) {
  const { t } = useWords();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    const image = context.createImageData(dots.width, dots.height);
    for (const [at, isBlack] of dots.black.entries()) {
      image.data.fill(isBlack ? 0 : 255, at * 4, at * 4 + 3);
      image.data[at * 4 + 3] = 255;
    }
    context.putImageData(image, 0, 0);
  }, [dots]);
  return (
    <canvas
      ref={canvas}
      className={styles.dots}
      width={dots.width}
      height={dots.height}
      role="img"
      aria-label={t("setting.logoPreview")}
    />
  );
}
