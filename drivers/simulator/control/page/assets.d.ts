/** Files of the page, embedded as text. */
declare module "#drivers/simulator/control/page/page.html" {
  const text: string;
  export default text;
}
declare module "#drivers/simulator/control/page/page.css" {
  const text: string;
  export default text;
}
declare module "#drivers/simulator/control/page/page.js" {
  const text: string;
  export default text;
}
