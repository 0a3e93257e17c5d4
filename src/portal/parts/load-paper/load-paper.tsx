/** The button that shows how paper is loaded; its panel is loaded when somebody asks for it. */

import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useWords } from "../../words/words.tsx";
import type { Driver } from "../drivers.ts";

/** The steps in a panel, for where an address opens it. */
export const LoadPaperPanel = lazy(() => import("./panel.tsx"));

interface LoadPaperProps {
  readonly driver: Driver;
  readonly printer: string;
}

export function LoadPaper(props: LoadPaperProps) {
  const { t } = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t("loadPaper.open")}
      </Button>
      {isOpen && (
        <Suspense>
          <LoadPaperPanel {...props} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
