import { sql } from 'kysely';
import { getOrCreate } from '../../lib/collections.js';
import { FILE_UID, USER_UID } from '../../model/content-types/builtin-types.js';
import { typeOf } from '../../model/lookup.js';
import { MEDIA_KINDS, mediaKindOf } from '../../model/model.js';
import type { LinkAttribute, MediaAttribute, Uid } from '../../model/model.js';
import type { FilterNode } from '../../query/query.js';
import type { LinkOperation, LinkRef, ParsedInput } from '../validation/input.js';
import type { Issue } from '../validation/issues.js';
import {
  integerColumn,
  mapPrefetch,
  nullableTextColumn,
  prefetchRows,
  resolvedPrefetch,
  textColumn,
} from '../write/prefetch.js';
import type { Prefetch, PrefetchRow } from '../write/prefetch.js';
import type { WriteContext } from '../write/write-context.js';
import { linkedAndPositionRefs, linkedRefs, matchesAnyRef } from './resolve-targets.js';
import type { TargetLookup } from './resolve-targets.js';

/** Returns the documents with a version that the filter matches. */
const loadVisibleIds = async (
  { model, records, tx }: WriteContext,
  uid: Uid,
  filter: FilterNode,
  documentIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  const byDocumentId: FilterNode = {
    kind: 'compare',
    field: 'documentId',
    operator: '$in',
    operand: documentIds,
  };
  const query = {
    type: uid,
    filter: { kind: 'and', items: [byDocumentId, filter] },
    locale: '*',
    hasPublishedVersion: null,
  } as const;
  const published = await records.documentIdsIn(tx, { ...query, status: 'published' });
  const drafts = typeOf(model, uid).draftAndPublish
    ? await records.documentIdsIn(tx, { ...query, status: 'draft' })
    : [];
  return new Set([...published, ...drafts]);
};

/**
 * Returns the lookup without the documents that the caller may not find. Linking one of them, or using it as
 * a position, then fails as if the document did not exist, so that the caller does not learn of it. A user
 * may always link itself.
 */
export async function hideInvisibleTargets(
  context: WriteContext,
  parsed: ParsedInput,
  lookup: TargetLookup,
): Promise<TargetLookup> {
  const accessScopeOf = context.access?.scopeOf;
  if (accessScopeOf === undefined) return lookup;
  const operations = [...parsed.links.values(), ...parsed.componentLinks.map(({ operation }) => operation)];
  const refs = operations.flatMap(linkedAndPositionRefs);
  const callerId = context.access?.caller?.documentId;
  const hidden = new Map<Uid, ReadonlySet<string>>();
  for (const uid of new Set(refs.map(({ type }) => type))) {
    const filter = accessScopeOf(uid, 'find')?.filter ?? null;
    if (filter === null) continue;
    const documentIds = refs.flatMap((ref) => (ref.type === uid ? (lookup.find(uid, ref) ?? []) : []));
    const visible = await loadVisibleIds(context, uid, filter, documentIds);
    const isSelf = (documentId: string): boolean => uid === USER_UID && documentId === callerId;
    hidden.set(uid, new Set(documentIds.filter((each) => !visible.has(each) && !isSelf(each))));
  }
  return lookup.hide(hidden);
}

/** Files that a write links by an attribute that does not allow all kinds of files. */
interface FileLink {
  readonly attribute: MediaAttribute;
  readonly refs: readonly LinkRef[];
  readonly path: readonly string[];
}

const restrictedFileLinks = (
  attribute: LinkAttribute,
  operation: LinkOperation,
  path: readonly string[],
): readonly FileLink[] => {
  const refs = linkedRefs(operation);
  const isRestricted =
    attribute.family === 'media' &&
    attribute.allowedTypes.length > 0 &&
    attribute.allowedTypes.length < MEDIA_KINDS.length;
  return isRestricted && refs.length > 0 ? [{ attribute, refs, path }] : [];
};

const findFileLinks = (
  context: WriteContext,
  { links, componentLinks }: ParsedInput,
): readonly FileLink[] => [
  ...context.relationsOf(context.type).flatMap(({ attribute }) => {
    const operation = links.get(attribute.name);
    return operation === undefined ? [] : restrictedFileLinks(attribute, operation, [attribute.name]);
  }),
  ...componentLinks.flatMap(({ attribute, operation, path }) =>
    restrictedFileLinks(attribute, operation, path),
  ),
];

/** Returns the keys by which requests identify a file: its document id and its `id`. */
const fileKeys = ({ documentId, id }: Pick<LinkRef, 'documentId' | 'id'>): readonly string[] => [
  ...(documentId === null ? [] : [`document ${documentId}`]),
  ...(id === null ? [] : [`id ${id}`]),
];

const groupByFile = (links: readonly FileLink[]): ReadonlyMap<string, ReadonlySet<FileLink>> => {
  const byFile = new Map<string, Set<FileLink>>();
  for (const link of links)
    for (const key of link.refs.flatMap(fileKeys)) getOrCreate(byFile, key, () => new Set()).add(link);
  return byFile;
};

const FILE_COLUMNS = {
  id: integerColumn(sql`id`),
  documentId: textColumn(sql`document_id`),
  mime: nullableTextColumn(sql`mime`),
  name: nullableTextColumn(sql`name`),
};

const findIssues = (
  linksByFile: ReadonlyMap<string, ReadonlySet<FileLink>>,
  file: PrefetchRow<typeof FILE_COLUMNS>,
): readonly Issue[] => {
  const links = new Set(fileKeys(file).flatMap((key) => [...(linksByFile.get(key) ?? [])]));
  // A file without a MIME type is of the kind `files`.
  const kind = mediaKindOf(file.mime ?? '');
  return [...links]
    .filter(({ attribute }) => !attribute.allowedTypes.includes(kind))
    .map(({ attribute, path }) => {
      const allowed = attribute.allowedTypes.join(' or ');
      return {
        path,
        message: `must be of the kind ${allowed}: the file "${file.name}" is of type ${file.mime}`,
      };
    });
};

/** Finds linked files of a kind that the attribute does not allow. */
export function prefetchDisallowedFiles(
  context: WriteContext,
  parsed: ParsedInput,
): Prefetch<readonly Issue[]> {
  const links = findFileLinks(context, parsed);
  if (links.length === 0) return resolvedPrefetch([]);
  const type = typeOf(context.model, FILE_UID);
  const refs = links.flatMap((link) => link.refs);
  const isLinked = matchesAnyRef(context.database.dialect.expressions, type, sql`document_id`, refs);
  const files = prefetchRows(FILE_COLUMNS, sql`${sql.id(type.storage.version.table)} where ${isLinked}`);
  const linksByFile = groupByFile(links);
  return mapPrefetch(files, (found) => found.flatMap((file) => findIssues(linksByFile, file)));
}
