declare module "*/systemd/steps.sh" {
  const text: string;
  export default text;
}
