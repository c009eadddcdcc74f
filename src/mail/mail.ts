/** A message ready to be sent. */
interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
}

/** What project code may say about a message besides, as nodemailer takes it. */
interface MessageOptions {
  /** Default: the sender of the project's settings. */
  readonly from?: string;
  readonly replyTo?: string;
  readonly cc?: string;
  readonly bcc?: string;
  readonly attachments?: object[];
}

/** A way of sending messages. */
export interface MailTransport {
  /** Throws `mail/transport-not-configured`, `mail/send-failed`. */
  readonly send: (message: Message & MessageOptions) => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Is called with the file of a message that was stored instead of sent. What the message says is secret: its
 * link lets anybody choose a new password.
 */
export type MessageSavedListener = (message: {
  readonly to: string;
  readonly subject: string;
  readonly file: string;
}) => void;
