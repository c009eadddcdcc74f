import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import { hasErrorCode } from '../../lib/error-code.js';
import { assertPlaceholders } from './template.js';
import type { Template } from './template.js';

/** The placeholders of messages about an account. */
const PLACEHOLDERS = ['URL', 'CODE', 'USERNAME', 'EMAIL'] as const;

const TEMPLATE_FOLDER = 'src/extensions/users-permissions/email-templates';

const lines = (...texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');

/** The templates of projects without their own. */
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
  /** True if files of the project say something of it. */
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
  if (defaultTemplate === undefined) throw new TypeError(`There is no message ${name}.`);
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
