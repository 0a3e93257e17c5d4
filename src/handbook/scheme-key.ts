/** Where the portal's component library keeps the reader's choice of light or dark. */
export const SCHEME_KEY = "mantine-color-scheme-value";
