/** A message ready to be sent. */
interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
}

/** Further options of a message that project code may set, in the form of nodemailer. */
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
 * Called with the file of a message that was stored instead of sent. The message is secret: its link lets
 * anybody choose a new password.
 */
export type MessageSavedListener = (message: {
  readonly to: string;
  readonly subject: string;
  readonly file: string;
}) => void;
