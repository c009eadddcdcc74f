/** A message ready to be sent. */
interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A way of sending messages. */
export interface MailTransport {
  /** Throws `mail/transport-not-configured`, `mail/send-failed`. */
  readonly send: (message: Message) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Is called with the file of a message that was stored instead of sent, and the link in the message. */
export type MessageSavedListener = (message: {
  readonly to: string;
  readonly subject: string;
  readonly link: string | null;
  readonly file: string;
}) => void;
