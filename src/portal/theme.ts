/** The look, in one place; colours of states and paper stand in look.css. */

import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

/** Deep green, from paper white to almost black; 7 on white and white on 6 pass contrast. */
const green: MantineColorsTuple = [
  "#eefaf4",
  "#d7f1e4",
  "#ace2c7",
  "#7dcfa6",
  "#4fb985",
  "#2c9c6a",
  "#187f55",
  "#12694a",
  "#0f5a41",
  "#0a4231",
];

/** Greys of the dark look, cool as its surfaces in look.css; text is 0, fields 6, dialogs 7. */
const dark: MantineColorsTuple = [
  "#d5d9dc",
  "#b8bec3",
  "#8a9299",
  "#6a7279",
  "#454c52",
  "#3a4046",
  "#2b3035",
  "#1e2225",
  "#191c1f",
  "#121416",
];

const SYSTEM_FONTS =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';
const FIXED_FONTS =
  'ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", "DejaVu Sans Mono", monospace';

/** Targets that a finger meets. */
const TOUCH = { defaultProps: { size: "md" } };

const DIALOG_TITLE = { fontSize: 18, fontWeight: 650, lineHeight: 1.3 };

export const theme = createTheme({
  colors: { green, dark },
  primaryColor: "green",
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 8,
  radius: { xs: "4px", sm: "6px", md: "8px", lg: "12px", xl: "16px" },
  spacing: { xs: "8px", sm: "12px", md: "16px", lg: "24px", xl: "32px" },
  fontFamily: SYSTEM_FONTS,
  fontFamilyMonospace: FIXED_FONTS,
  headings: { fontFamily: SYSTEM_FONTS, fontWeight: "650" },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Button: TOUCH,
    TextInput: TOUCH,
    PasswordInput: TOUCH,
    NativeSelect: TOUCH,
    Textarea: TOUCH,
    Checkbox: TOUCH,
    CheckboxGroup: TOUCH,
    Radio: TOUCH,
    RadioGroup: TOUCH,
    Modal: {
      defaultProps: { centered: true, transitionProps: { duration: 100 } },
      // The head of a question that scrolls covers no mark around its first field.
      styles: { title: DIALOG_TITLE, body: { paddingTop: 4 } },
    },
    Drawer: {
      defaultProps: { transitionProps: { duration: 100 } },
      styles: { title: DIALOG_TITLE },
    },
  },
});

/** Where the library's own greys are too pale to be read, and its buttons of words no links. */
export const variables: CSSVariablesResolver = () => ({
  variables: {
    "--mantine-color-dimmed": "var(--quiet)",
    "--mantine-color-placeholder": "var(--quiet)",
  },
  light: {
    "--mantine-color-green-light-color": "var(--state-good)",
    "--mantine-color-error": "var(--state-bad)",
    "--mantine-color-disabled-color": "#747c83",
  },
  dark: {
    "--mantine-color-green-light-color": "var(--state-good)",
    "--mantine-color-error": "var(--state-bad)",
    "--mantine-color-disabled-color": "#8a9299",
  },
});
