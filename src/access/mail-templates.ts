import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createError } from '../errors/catalogue.js';
import { hasErrorCode } from '../lib/caught-errors.js';
import { escapeHtml, interpolate } from '../lib/text.js';
import { isRecord } from '../lib/records.js';

/** The subject and the two bodies of a message, with placeholders. */
interface Template {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const PLACEHOLDER = /\{\{\s*([\w.]*)\s*\}\}/g;

const printPlaceholder = (name: string): string => `{{${name}}}`;

/** Removes line breaks, which would add headers, and other control characters, which could hide text. */
const stripControlCharacters = (value: string): string =>
  [...value].filter((character) => character >= ' ' && character !== '\u007F').join('');

/** Throws `mail/invalid-template` for an unknown placeholder. */
export function assertPlaceholders(file: string, text: string, known: readonly string[]): void {
  for (const [placeholder, name = ''] of text.matchAll(PLACEHOLDER)) {
    if (!known.includes(name))
      throw createError('mail/invalid-template', {
        file,
        reason: `${placeholder} is unknown; the placeholders are ${known.map(printPlaceholder).join(', ')}`,
      });
  }
}

/** Replaces `{{name}}` by values. There is no other syntax, and placeholders in values are kept. */
export function fillTemplate(
  { subject, text, html }: Template,
  values: Readonly<Record<string, string>>,
): Template {
  const fill = (template: string, encode: (value: string) => string): string =>
    template.replace(PLACEHOLDER, (placeholder, name: string) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      return value === undefined ? placeholder : encode(value);
    });
  return {
    subject: fill(subject, stripControlCharacters).trim(),
    text: fill(text, stripControlCharacters),
    html: fill(html, (value) => escapeHtml(stripControlCharacters(value))),
  };
}

/** A message about an account in Strapi's setting `email` of users-permissions. */
interface StoredTemplate {
  readonly subject: string;
  /** HTML with placeholders such as `<%= URL %>` and `<%= USER.username %>`. */
  readonly message: string;
  /** Undefined for the sender of the project. */
  readonly from: string | undefined;
  readonly replyTo: string | undefined;
}

/** The sender that Strapi stores by default. Mail servers would reject it. */
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

/** Returns a template of the setting `email`, such as `reset_password`; null if there is none. */
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

type TemplateValues = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

const mapValues = (values: TemplateValues, change: (value: string) => string): TemplateValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string'
        ? change(value)
        : Object.fromEntries(Object.entries(value).map(([key, text]) => [key, change(text)])),
    ]),
  );

/** Fills a stored template. Omits senders that it does not set. */
export function fillStoredTemplate(
  { subject, message, from, replyTo }: StoredTemplate,
  values: TemplateValues,
) {
  const plain = mapValues(values, stripControlCharacters);
  return {
    subject: interpolate(subject, plain),
    text: interpolate(message, plain),
    html: interpolate(message, mapValues(plain, escapeHtml)),
    ...(from === undefined ? {} : { from }),
    ...(replyTo === undefined ? {} : { replyTo }),
  };
}

/** The placeholders of messages about an account. */
const PLACEHOLDERS = ['URL', 'CODE', 'USERNAME', 'EMAIL'] as const;

const TEMPLATE_FOLDER = 'src/extensions/users-permissions/email-templates';

const lines = (...texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');

/** The default templates, which projects may replace. */
const DEFAULT_TEMPLATES: Readonly<Record<string, Template>> = {
  'reset-password': {
    subject: 'Choose a new password',
    text: lines(
      'Hello {{USERNAME}},',
      '',
      'Somebody, probably you, asked for a new password. Choose one here within the next hour:',
      '',
      '{{URL}}',
      '',
      'If it was not you, nothing has changed and nothing needs to be done.',
    ),
    html: lines(
      '<p>Hello {{USERNAME}},</p>',
      '<p>Somebody, probably you, asked for a new password. Choose one within the next hour:</p>',
      '<p><a href="{{URL}}">{{URL}}</a></p>',
      '<p>If it was not you, nothing has changed and nothing needs to be done.</p>',
    ),
  },
  'email-confirmation': {
    subject: 'Confirm your e-mail address',
    text: lines('Hello {{USERNAME}},', '', 'Confirm that this is your address:', '', '{{URL}}'),
    html: lines(
      '<p>Hello {{USERNAME}},</p>',
      '<p>Confirm that this is your address:</p>',
      '<p><a href="{{URL}}">{{URL}}</a></p>',
    ),
  },
};

interface LoadedTemplate {
  readonly template: Template;
  /** True if files of the project replace parts of it. */
  readonly isOwn: boolean;
}

const readOptional = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
};

/** The subject is in the first line of the text, `Subject: …`, followed by an empty line. */
const parseTextTemplate = (file: string, content: string): Pick<Template, 'subject' | 'text'> => {
  const [, subject, text] = /^Subject: *([^\r\n]+)\r?\n\r?\n([^]*)$/.exec(content) ?? [];
  if (subject === undefined || text === undefined)
    throw createError('mail/invalid-template', {
      file,
      reason: 'it must begin with a line "Subject: …" and an empty line',
    });
  return { subject, text };
};

/**
 * Loads the template of a message. A project replaces parts of it with `reset-password.txt` and `.html` in
 * {@link TEMPLATE_FOLDER}.
 *
 * @throws `mail/invalid-template`
 */
export async function loadTemplate(root: string, name: string): Promise<LoadedTemplate> {
  const defaultTemplate = DEFAULT_TEMPLATES[name];
  if (defaultTemplate === undefined) throw new TypeError(`Unknown message ${name}.`);
  const [text, html] = await Promise.all(
    ['txt', 'html'].map((extension) => readOptional(join(root, TEMPLATE_FOLDER, `${name}.${extension}`))),
  );
  const template = {
    ...defaultTemplate,
    ...(typeof text === 'string' ? parseTextTemplate(`${name}.txt`, text) : {}),
    ...(typeof html === 'string' ? { html } : {}),
  };
  for (const [part, content] of Object.entries(template))
    assertPlaceholders(`${name} (${part})`, content, PLACEHOLDERS);
  return { template: Object.freeze(template), isOwn: text !== null || html !== null };
}
