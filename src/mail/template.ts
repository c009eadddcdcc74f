import { fail } from '../errors/catalogue.js';

/** What a template says of a message: its subject, its text, and the same as HTML. */
export interface Template {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const PLACEHOLDER = /\{\{\s*([\w.]*)\s*\}\}/g;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (value: string): string => value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

/** No value may begin a line of its own in a header, nor hide what a text says. */
const plain = (value: string): string => [...value].filter((character) => character >= ' ' && character !== '\u007F').join('');

/** Throws `mail/broken-template` where a template names something a message has not. */
export function assertPlaceholders(file: string, text: string, known: readonly string[]): void {
  for (const [whole, name = ''] of text.matchAll(PLACEHOLDER)) {
    if (!known.includes(name)) throw fail('mail/broken-template', { file, reason: `${whole} stands for nothing; known are ${known.map((each) => `{{${each}}}`).join(', ')}` });
  }
}

/**
 * Puts values in the place of `{{name}}`. Nothing else in a template means anything, and a value is only ever text: it is not looked at
 * for placeholders again.
 */
export function fillTemplate({ subject, text, html }: Template, values: Readonly<Record<string, string>>): Template {
  const fill = (template: string, show: (value: string) => string): string =>
    template.replace(PLACEHOLDER, (whole, name: string) => (Object.hasOwn(values, name) ? show(values[name] ?? '') : whole));
  return { subject: fill(subject, plain).trim(), text: fill(text, plain), html: fill(html, (value) => escapeHtml(plain(value))) };
}
