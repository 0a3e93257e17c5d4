/** The portal's start. */

import "@mantine/core/styles.layer.css";
import "./look.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "./api/queries.ts";
import { accessToken } from "./api/session.ts";
import { keepPressed } from "./parts/focus-back.ts";
import { Portal } from "./routes.tsx";
import { ignoreHeldKeys } from "./shell/held-keys.ts";
import { theme, variables } from "./theme.ts";
import { WordsProvider } from "./words/words.tsx";

// The library writes its style sheets as text. What has no `<` makes no element, and so no script.
window.trustedTypes?.createPolicy("default", {
  createHTML: (text) => (text.includes("<") ? null : text),
});

ignoreHeldKeys(document);
keepPressed(document);

// Asked while words and page are still on their way; who it is, the session tells then.
accessToken().catch(() => undefined);

const place = document.getElementById("portal");
if (place === null) throw new Error("the page has no place for the portal");
createRoot(place).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <WordsProvider>
          <Portal />
        </WordsProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
