import type { ContentModel } from '../../model/model.js';

export interface NameCandidates {
  readonly candidates: readonly string[];
  /** What of them is typed already. */
  readonly prefix: string;
}

/** What every document has besides the attributes of its type. */
const DOCUMENT_FIELDS = ['documentId', 'createdAt', 'updatedAt', 'publishedAt', 'locale'] as const;

const UNFINISHED_TYPE = /\b(?:documents|query|service|controller)\(\s*['"`](?<prefix>[\w:.-]*)$/;
const LAST_TYPE =
  /\b(?:documents|query)\(\s*['"`](?<uid>[\w:.-]+)['"`]\s*\)\s*\.\s*\w+\((?<parameters>[^;]*)$/;
/** A key of an object, or a text, where a name may stand. */
const UNFINISHED_NAME = /(?:[{,[]\s*|['"`])(?<prefix>\w*)$/;

/**
 * Returns the names that may follow at the end of a line: uids within `documents('…')`, and attributes within
 * the parameters of its methods. Null where others may follow.
 */
export function completeNames(
  { types, typesByUid }: Pick<ContentModel, 'types' | 'typesByUid'>,
  line: string,
): NameCandidates | null {
  const typed = UNFINISHED_TYPE.exec(line)?.groups?.['prefix'];
  if (typed !== undefined)
    return matching(
      types.map(({ uid }) => uid),
      typed,
    );
  const { uid = '', parameters = '' } = LAST_TYPE.exec(line)?.groups ?? {};
  const type = typesByUid[uid];
  const prefix = UNFINISHED_NAME.exec(parameters)?.groups?.['prefix'];
  if (type === undefined || prefix === undefined) return null;
  const found = matching([...Object.keys(type.attributes), ...DOCUMENT_FIELDS], prefix);
  return found.candidates.length === 0 ? null : found;
}

const matching = (names: readonly string[], prefix: string): NameCandidates => ({
  candidates: names.filter((name) => name.startsWith(prefix)).toSorted(),
  prefix,
});
