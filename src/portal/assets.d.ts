/** Styles that the bundler puts into the page. */
declare module "*.module.css" {
  const names: Readonly<Record<string, string>>;
  export default names;
}
declare module "*.css";

/** Where browsers have them, strings become markup by a policy only. */
interface Window {
  readonly trustedTypes?: {
    createPolicy(name: string, rules: { createHTML(text: string): string | null }): void;
  };
}
