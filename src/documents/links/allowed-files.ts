import { sql } from 'kysely';
import { FILE_UID } from '../../content-types/builtin/registry.js';
import { MEDIA_KINDS, mediaKindOf } from '../../model/media-kind.js';
import type { LinkAttribute, MediaAttribute } from '../../model/model.js';
import { typeOf } from '../../query/read-context.js';
import type { FaultList } from '../../validation/faults.js';
import type { LinkOperation, LinkRef, ParsedInput } from '../../validation/input.js';
import type { Probe } from '../probe.js';
import type { WriteScope } from '../write-scope.js';
import { linkedRefs } from './resolve-links.js';
import { namesOneOf } from './target-book.js';

/** Files that are to be linked where not all may be. */
interface FileLink {
  readonly attribute: MediaAttribute;
  readonly refs: readonly LinkRef[];
  readonly path: readonly string[];
}

const fileLink = (attribute: LinkAttribute, operation: LinkOperation, path: readonly string[]): readonly FileLink[] => {
  const refs = linkedRefs(operation);
  const isPicky = attribute.family === 'media' && attribute.allowedTypes.length > 0 && attribute.allowedTypes.length < MEDIA_KINDS.length;
  return isPicky && refs.length > 0 ? [{ attribute, refs, path }] : [];
};

const fileLinksOf = ({ type, context }: WriteScope, { links, componentLinks }: ParsedInput): readonly FileLink[] => [
  ...context.linksOf(type).flatMap(({ attribute }) => {
    const operation = links.get(attribute.name);
    return operation === undefined ? [] : fileLink(attribute, operation, [attribute.name]);
  }),
  ...componentLinks.flatMap(({ attribute, operation, path }) => fileLink(attribute, operation, path)),
];

const keysOf = ({ documentId, id }: Pick<LinkRef, 'documentId' | 'id'>): readonly string[] =>
  [...(documentId === null ? [] : [`document ${documentId}`]), ...(id === null ? [] : [`id ${id}`])];

const linksByFile = (links: readonly FileLink[]): ReadonlyMap<string, ReadonlySet<FileLink>> => {
  const byFile = new Map<string, Set<FileLink>>();
  for (const link of links) {
    for (const key of link.refs.flatMap(keysOf)) byFile.set(key, (byFile.get(key) ?? new Set()).add(link));
  }
  return byFile;
};

/** Asks what kinds the files are that are to be linked; takes down as faults those that their attribute does not take. */
export function askAllowedFiles(probe: Probe, scope: WriteScope, parsed: ParsedInput, faults: FaultList): void {
  const links = fileLinksOf(scope, parsed);
  if (links.length === 0) return;
  const byFile = linksByFile(links);
  const file = typeOf(scope.context.model, FILE_UID);
  probe.add({
    select: { text1: sql`document_id`, text2: sql`mime`, text3: sql`name`, number1: sql`id` },
    from: sql`${sql.id(file.storage.version.table)} where ${namesOneOf(probe, file, sql`document_id`, links.flatMap(({ refs }) => refs))}`,
    onRow: ({ text1: documentId, text2: mime, text3: name, number1: id }) => {
      for (const link of new Set(keysOf({ documentId, id }).flatMap((key) => [...(byFile.get(key) ?? [])]))) {
        if (link.attribute.allowedTypes.includes(mediaKindOf(mime ?? ''))) continue;
        faults.add(link.path, `must be of the kind ${link.attribute.allowedTypes.join(' or ')}: the file "${name}" is of type ${mime}`);
      }
    },
  });
}
