import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import type { ContentStore } from '../../transfer/store/content-store.js';
import { resolveData } from '../../transfer/store/resolve-data.js';
import { parseDocumentText } from '../../transfer/store/parse-document-text.js';
import type { ContentType } from '../../model/model.js';
import { readStdin } from '../prompts/secret.js';
import type { Terminal } from '../terminal/terminal.js';
import { parseAssignments } from './parse-set.js';

/** The flags that give the values of a document. */
export const dataFlags = {
  set: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    description:
      'A value: title=Lamp, tags=red,blue, author=ada-lovelace, seo.metaTitle=Lamp, ' +
      "or JSON: 'price:=null'. " +
      'Documents are named by documentId, or by a uid or a unique value. May be repeated.',
    helpValue: '<attribute=value>',
  }),
  from: Flags.string({
    description: 'A file with values: JSON, YAML, or Markdown with front matter. "-" is standard input.',
    helpValue: '<file|->',
  }),
};

interface DataFlagValues {
  readonly set?: readonly string[] | undefined;
  readonly from?: string | undefined;
}

/**
 * Returns the values of a document that flags give, those of `--set` over those of `--from`, with the
 * documentIds of what they refer to.
 *
 * @throws `cli/invalid-usage`, `cli/unknown-name`, `content/invalid-file`, `content/unknown-reference`
 */
export async function readData(
  store: ContentStore,
  type: ContentType,
  { set = [], from }: DataFlagValues,
  terminal: Terminal,
): Promise<Readonly<Record<string, unknown>>> {
  const data = { ...(await readFrom(type, from, terminal)), ...parseAssignments(store.model, type, set) };
  return resolveData(store, type, data);
}

const readFrom = async (
  type: ContentType,
  from: string | undefined,
  terminal: Terminal,
): Promise<Readonly<Record<string, unknown>>> => {
  if (from === undefined) return {};
  if (from === '-')
    return parseDocumentText(type, { file: 'standard input', text: await readStdin(terminal) });
  const path = resolve(terminal.cwd, from);
  return parseDocumentText(type, { file: basename(path), text: await readFile(path, 'utf8') });
};
