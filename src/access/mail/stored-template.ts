import { escapeHtml } from '../../lib/escape-html.js';
import { interpolate } from '../../lib/interpolate.js';
import { isRecord } from '../../lib/is-record.js';
import { stripControlCharacters } from './template.js';

/** A message about an account, as Strapi's store has it in the setting `email` of users-permissions. */
export interface StoredTemplate {
  readonly subject: string;
  /** HTML with placeholders such as `<%= URL %>` and `<%= USER.username %>`. */
  readonly message: string;
  /** Undefined: the sender of the project. */
  readonly from: string | undefined;
  readonly replyTo: string | undefined;
}

/** The sender that Strapi stores where nobody has chosen one. No mail server would take it. */
const UNCHOSEN_SENDER = 'no-reply@strapi.io';

const textAt = (values: unknown, key: string): string => {
  const value = isRecord(values) ? values[key] : undefined;
  return typeof value === 'string' ? stripControlCharacters(value).trim() : '';
};

const senderOf = (from: unknown): string | undefined => {
  const [name, address] = [textAt(from, 'name'), textAt(from, 'email')];
  if (address === '' || address === UNCHOSEN_SENDER) return undefined;
  return name === '' ? address : `${name.replaceAll(/["<>]/g, '')} <${address}>`;
};

/** Returns a template of the setting `email`, such as `reset_password`. Null: it has none. */
export function readStoredTemplate(setting: unknown, name: string): StoredTemplate | null {
  const template = isRecord(setting) ? setting[name] : undefined;
  const options: unknown = isRecord(template) ? template['options'] : undefined;
  const message: unknown = isRecord(options) ? options['message'] : undefined;
  if (!isRecord(options) || typeof message !== 'string' || message.trim() === '') return null;
  const replyTo = textAt(options, 'response_email');
  return {
    subject: textAt(options, 'object'),
    message,
    from: senderOf(options['from']),
    replyTo: replyTo === '' ? undefined : replyTo,
  };
}

type Values = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

const mapValues = (values: Values, change: (value: string) => string): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string'
        ? change(value)
        : Object.fromEntries(Object.entries(value).map(([key, text]) => [key, change(text)])),
    ]),
  );

/** Fills a stored template. The parts that name a sender are left out where it does not. */
export function fillStoredTemplate({ subject, message, from, replyTo }: StoredTemplate, values: Values) {
  const plain = mapValues(values, stripControlCharacters);
  return {
    subject: interpolate(subject, plain),
    text: interpolate(message, plain),
    html: interpolate(message, mapValues(plain, escapeHtml)),
    ...(from === undefined ? {} : { from }),
    ...(replyTo === undefined ? {} : { replyTo }),
  };
}
