import { sql } from 'kysely';
import { FILE_UID } from '../../../model/content-types/builtin/registry.js';
import { getOrCreate } from '../../../lib/memoize.js';
import { typeOf } from '../../../model/lookup.js';
import { MEDIA_KINDS, mediaKindOf } from '../../../model/media-kind.js';
import type { LinkAttribute, MediaAttribute } from '../../../model/model.js';
import type { LinkOperation, LinkRef, ParsedInput } from '../../validation/input.js';
import type { Issue } from '../../validation/issues.js';
import {
  integerColumn,
  mapPrefetch,
  nullableTextColumn,
  resolvedPrefetch,
  prefetchRows,
  textColumn,
} from '../../write/prefetch.js';
import type { Prefetch, PrefetchRow } from '../../write/prefetch.js';
import type { WriteContext } from '../../write/write-context.js';
import { linkedRefs } from './resolve-links.js';
import { matchesAnyRef } from './target-lookup.js';

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

/** Returns the keys by which a file can be named: its document id and its `id`. */
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
