import type { ContentModel, Uid } from '../../model/model.js';

export interface NameCandidates {
  readonly candidates: readonly string[];
  /** The part of the name that is already typed. */
  readonly prefix: string;
}

/** The fields of every document besides the attributes of its type. */
const DOCUMENT_FIELDS = ['documentId', 'createdAt', 'updatedAt', 'publishedAt', 'locale'] as const;

const UNFINISHED_TYPE = /\b(?:documents|query|service|controller)\(\s*['"`](?<prefix>[\w:.-]*)$/;
const LAST_TYPE =
  /\b(?:documents|query)\(\s*['"`](?<uid>[\w:.-]+)['"`]\s*\)\s*\.\s*\w+\((?<parameters>[^;]*)$/;
/** A method of a type's documents, or the beginning of one. */
const UNFINISHED_METHOD = /\bdocuments\(\s*['"`](?<uid>[\w:.-]+)['"`]\s*\)\s*\.\s*(?<prefix>\w*)$/;
/** A key of an object, or a text, where a name may stand. */
const UNFINISHED_NAME = /(?:[{,[]\s*|['"`])(?<prefix>\w*)$/;

/**
 * Returns the names that may follow at the end of a line: uids within `documents('…')`, its methods behind
 * it, and attributes within their parameters. Null where others may follow.
 */
export function completeNames(
  { types, typesByUid }: Pick<ContentModel, 'types' | 'typesByUid'>,
  line: string,
  methodsOf: (uid: Uid) => readonly string[],
): NameCandidates | null {
  const typed = UNFINISHED_TYPE.exec(line)?.groups?.['prefix'];
  if (typed !== undefined)
    return matching(
      types.map(({ uid }) => uid),
      typed,
    );
  const method = UNFINISHED_METHOD.exec(line)?.groups ?? {};
  const owner = typesByUid[method['uid'] ?? ''];
  if (owner !== undefined) return matching(methodsOf(owner.uid), method['prefix'] ?? '');
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
