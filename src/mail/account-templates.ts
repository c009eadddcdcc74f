import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../errors/catalogue.js';
import { assertPlaceholders } from './template.js';
import type { Template } from './template.js';

/** What a message about an account may say. */
export const PLACEHOLDERS = ['URL', 'CODE', 'USERNAME', 'EMAIL'] as const;

export const TEMPLATE_FOLDER = 'src/extensions/users-permissions/email-templates';

/** What is sent where a project has no template of its own. */
const OWN: Readonly<Record<string, Template>> = {
  'reset-password': {
    subject: 'Choose a new password',
    text: 'Hello {{USERNAME}},\n\nsomebody, probably you, asked for a new password. Choose one here within the next hour:\n\n{{URL}}\n\nIf it was not you, nothing has changed and nothing needs to be done.\n',
    html: '<p>Hello {{USERNAME}},</p>\n<p>somebody, probably you, asked for a new password. Choose one within the next hour:</p>\n<p><a href="{{URL}}">{{URL}}</a></p>\n<p>If it was not you, nothing has changed and nothing needs to be done.</p>\n',
  },
  'email-confirmation': {
    subject: 'Confirm your e-mail address',
    text: 'Hello {{USERNAME}},\n\nconfirm that this is your address:\n\n{{URL}}\n',
    html: '<p>Hello {{USERNAME}},</p>\n<p>confirm that this is your address:</p>\n<p><a href="{{URL}}">{{URL}}</a></p>\n',
  },
};

const readOptional = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'ENOENT') return null;
    throw error;
  }
};

/** The subject stands in the text's first line: `Subject: …`, then an empty line. */
const readText = (file: string, content: string): Pick<Template, 'subject' | 'text'> => {
  const [, subject, text] = /^Subject: *([^\r\n]+)\r?\n\r?\n([^]*)$/.exec(content) ?? [];
  if (subject === undefined || text === undefined) throw fail('mail/broken-template', { file, reason: 'it must begin with a line "Subject: …" and an empty line' });
  return { subject, text };
};

/**
 * The template of a message, with what a project puts in its place: `reset-password.txt` and `.html` in {@link TEMPLATE_FOLDER}.
 *
 * @throws `mail/broken-template`
 */
export async function loadTemplate(root: string, name: string): Promise<Template> {
  const own = OWN[name];
  if (own === undefined) throw new TypeError(`There is no message ${name}.`);
  const [text, html] = await Promise.all(['txt', 'html'].map((extension) => readOptional(join(root, TEMPLATE_FOLDER, `${name}.${extension}`))));
  const template = { ...own, ...(typeof text === 'string' ? readText(`${name}.txt`, text) : {}), ...(typeof html === 'string' ? { html } : {}) };
  for (const [part, content] of Object.entries(template)) assertPlaceholders(`${name} (${part})`, content, PLACEHOLDERS);
  return Object.freeze(template);
}
