import { stringify } from 'yaml';
import { bodyAttribute } from '../content-store/parse-document-text.js';
import type { ContentType } from '../model/model.js';
import type { Data } from './version-data.js';

const YAML_OPTIONS = { lineWidth: 0, aliasDuplicateObjects: false, schema: 'core' } as const;

/**
 * Prints one version: Markdown where the type has one rich text, otherwise YAML. `head` comes before the
 * values.
 */
export function printVersion(type: ContentType, head: Data, values: Data): string {
  const attribute = bodyAttribute(type);
  if (attribute === null) return stringify({ ...head, ...values }, YAML_OPTIONS);
  const { [attribute]: body, ...rest } = values;
  // Parsing takes line ends away that such texts would need.
  const isBody = typeof body === 'string' && body.trim() !== '' && !body.includes('\r');
  const front = stringify({ ...head, ...(isBody ? rest : values) }, YAML_OPTIONS);
  return isBody ? `---\n${front}---\n\n${body}\n` : `---\n${front}---\n`;
}

/** Returns the ending of files with versions of a type. */
export function versionExtension(type: ContentType): 'md' | 'yaml' {
  return bodyAttribute(type) === null ? 'yaml' : 'md';
}
