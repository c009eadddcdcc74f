import { createError } from '../../errors/catalogue.js';
import { escapeHtml } from '../../lib/escape-html.js';

/** The subject and the two bodies of a message, with placeholders. */
export interface Template {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const PLACEHOLDER = /\{\{\s*([\w.]*)\s*\}\}/g;

const printPlaceholder = (name: string): string => `{{${name}}}`;

/** Line breaks would add headers, and other control characters could hide parts of the text. */
export const stripControlCharacters = (value: string): string =>
  [...value].filter((character) => character >= ' ' && character !== '\u007F').join('');

/** Throws `mail/invalid-template` for a placeholder that the message has no value for. */
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
