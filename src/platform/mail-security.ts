/** How the connection to a mail server is protected; apart, because the table of settings names them. */

export const MAIL_SECURITIES = ["starttls", "tls", "none"] as const;
export type MailSecurity = (typeof MAIL_SECURITIES)[number];
