/** A message ready to be sent. */
export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** One way of sending messages. */
export interface MailTransport {
  /** Throws `mail/no-transport`, `mail/not-sent`. */
  readonly send: (message: Message) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Told where a message went that was not sent but kept: its file, and the link that it asks to follow. */
export type OnKept = (kept: { readonly to: string; readonly subject: string; readonly link: string | null; readonly file: string }) => void;
