import { stringify } from 'yaml';
import { printBlocks } from '../store/blocks/print-blocks.js';
import { BLOCKS_KEY, bodyAttribute } from '../store/parse-document-text.js';
import type { Attribute, ContentType } from '../../model/model.js';
import type { Data } from './version-data.js';

const YAML_OPTIONS = { lineWidth: 0, aliasDuplicateObjects: false, schema: 'core' } as const;

interface Body {
  readonly text: string;
  /** Notes on the text for the front matter. */
  readonly notes: Data;
}

/** Returns a value as the text below front matter. Null: such a text cannot say it. */
const printBody = (attribute: Attribute, value: unknown): Body | null => {
  const printed = attribute.type === 'blocks' ? printBlocks(value) : { markdown: value, notes: {} };
  const text = printed?.markdown;
  // Parsing takes line ends away that such texts would need.
  if (typeof text !== 'string' || text.trim() === '' || text.includes('\r')) return null;
  const notes = printed?.notes ?? {};
  return { text, notes: Object.keys(notes).length === 0 ? {} : { [BLOCKS_KEY]: notes } };
};

/**
 * Prints one version: Markdown where the type has one rich text or blocks, otherwise YAML. `head` comes
 * before the values.
 */
export function printVersion(type: ContentType, head: Data, values: Data): string {
  const attribute = bodyAttribute(type);
  if (attribute === null) return stringify({ ...head, ...values }, YAML_OPTIONS);
  const { [attribute.name]: value, ...rest } = values;
  const body = printBody(attribute, value);
  if (body === null) return `---\n${stringify({ ...head, ...values }, YAML_OPTIONS)}---\n`;
  return `---\n${stringify({ ...head, ...rest, ...body.notes }, YAML_OPTIONS)}---\n\n${body.text}\n`;
}

/** Returns the ending of files with versions of a type. */
export function versionExtension(type: ContentType): 'md' | 'yaml' {
  return bodyAttribute(type) === null ? 'yaml' : 'md';
}
