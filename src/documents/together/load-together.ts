import { getOrCreate } from '../../lib/memoize.js';
import type { ParsedInput } from '../../validation/input.js';
import { prefetchLinksTogether } from '../links/prefetch/prefetch-links-together.js';
import type { LinksTogether, OwnerWrite } from '../links/prefetch/prefetch-links-together.js';
import { linkingRowIds } from '../links/prefetch/prefetch-links.js';
import type { RelationMapping } from '../links/relation-mapping.js';
import type { LoadedRelationWrite, RelationWrite } from '../links/relation-write.js';
import { prefetchDisallowedFiles } from '../links/targets/allowed-files.js';
import { prefetchTargets } from '../links/targets/target-lookup.js';
import type { TargetLookup } from '../links/targets/target-lookup.js';
import { combine, combineList, mapPrefetch, runPrefetch } from '../prefetch.js';
import type { Prefetch } from '../prefetch.js';
import { findRelationWrites, targetRequests } from '../prepare-document.js';
import type { FieldValues } from '../rows/table-statements.js';
import { prefetchTakenComponentValues } from '../unique-components.js';
import { prefetchAnyTaken, uniqueAttributesOf } from '../unique-values.js';
import { parsedFields } from '../version-fields.js';
import type { ContentField } from '../version-fields.js';
import { publishedRow, primaryRow } from '../write-context.js';
import type { WriteContext } from '../write-context.js';
import { finalContent } from '../write-versions.js';
import { DependentWrites } from './dependent-writes.js';

/** One locale of a locked or new document, and what is written to it. */
export interface DocumentWrite {
  readonly context: WriteContext;
  readonly parsed: ParsedInput;
}

export interface PreparedWrite extends DocumentWrite {
  /** The scalars and components that are sent. */
  readonly fields: FieldValues;
  readonly writes: readonly RelationWrite[];
}

/** What several writes know of other rows. */
export interface LoadedTogether {
  readonly lookup: TargetLookup;
  readonly links: ReadonlyMap<RelationMapping, LinksTogether>;
}

export function prepareWrite({ context, parsed }: DocumentWrite): PreparedWrite {
  return {
    context,
    parsed,
    fields: parsedFields(context.type, parsed),
    writes: findRelationWrites(context, parsed, context.relationsOf(context.type)),
  };
}

const prefetchLinks = (
  prepared: readonly PreparedWrite[],
): Prefetch<ReadonlyMap<RelationMapping, LinksTogether>> => {
  const byMapping = new Map<RelationMapping, OwnerWrite[]>();
  for (const { context, writes } of prepared)
    for (const write of writes) getOrCreate(byMapping, write.mapping, () => []).push({ context, write });
  const parts = [...byMapping].flatMap(([mapping, [first, ...others]]) =>
    first === undefined
      ? []
      : [
          mapPrefetch(
            prefetchLinksTogether(mapping, [first, ...others]),
            (links): readonly [RelationMapping, LinksTogether] => [mapping, links],
          ),
        ],
  );
  return mapPrefetch(combineList(parts), (found) => new Map(found));
};

const uniqueFieldsOf = ({ type, contentFieldsOf }: WriteContext): readonly ContentField[] => {
  const names = new Set(uniqueAttributesOf(type).map(({ column }) => column.name));
  return contentFieldsOf(type).filter(({ name }) => names.has(name));
};

/** Whether anything may be wrong with the values. What exactly is found when they are written alone. */
const prefetchAnyIssue = (prepared: readonly PreparedWrite[]): Prefetch<boolean> => {
  const uniqueFields = prepared.slice(0, 1).flatMap(({ context }) => uniqueFieldsOf(context));
  const contents =
    uniqueFields.length === 0
      ? []
      : prepared.map(({ context, fields }) => ({
          context,
          content: finalContent(context, fields, uniqueFields),
        }));
  const others = prepared.flatMap(({ context, parsed }) => [
    prefetchTakenComponentValues(context, parsed.componentUniques),
    prefetchDisallowedFiles(context, parsed),
  ]);
  const parts = combine({ isTaken: prefetchAnyTaken(contents), issues: combineList(others) });
  return mapPrefetch(parts, ({ isTaken, issues }) => isTaken || issues.flat().length > 0);
};

/** Whether two of the documents link the same target, which can have one owner only. */
const shareTargets = (
  prepared: readonly PreparedWrite[],
  mapping: RelationMapping,
  { entries }: LinksTogether,
): boolean => {
  if (!mapping.link.exclusive) return false;
  const owners = new Map<string, string>();
  for (const { context } of prepared)
    for (const target of linkedTargets(context, mapping, entries)) {
      if (getOrCreate(owners, target, () => context.documentId) !== context.documentId) return true;
    }
  return false;
};

const linkedTargets = (
  context: WriteContext,
  mapping: RelationMapping,
  entries: LinksTogether['entries'],
): readonly string[] => {
  const { link } = mapping;
  if (link.kind !== 'column')
    return linkingRowIds(context, mapping).flatMap((id) =>
      (entries.get(id) ?? []).map(({ targetDocumentId }) => targetDocumentId),
    );
  return [primaryRow(context), publishedRow(context)].flatMap((row) => {
    const target = row?.values[link.field];
    return typeof target === 'string' ? [target] : [];
  });
};

/**
 * Loads what the writes of one type have to know, with as few statements as possible.
 *
 * @throws DependentWrites if anything is wrong, or if their targets may have another owner
 */
export async function loadTogether(
  context: WriteContext,
  prepared: readonly PreparedWrite[],
): Promise<LoadedTogether> {
  const { expressions } = context.database.dialect;
  const requests = prepared.flatMap((each) => targetRequests(each.context, each.writes, each.parsed));
  const parts = combine({
    lookup: prefetchTargets(expressions, requests),
    links: prefetchLinks(prepared),
    hasIssue: prefetchAnyIssue(prepared),
  });
  const { lookup, links, hasIssue } = await runPrefetch(context.tx, expressions, parts);
  if (hasIssue) throw new DependentWrites();
  for (const [mapping, found] of links)
    if (found.hasConflicts || shareTargets(prepared, mapping, found)) throw new DependentWrites();
  return { lookup, links };
}

const NO_POSITIONS: ReadonlyMap<never, number> = new Map<never, number>();

const NOTHING_STORED: LoadedRelationWrite['stored'] = {
  entries: [],
  conflictingLinks: [],
  lastPositionByTarget: NO_POSITIONS,
  lastPositionByOwner: NO_POSITIONS,
  lastPosition: 0,
};

/** Returns one document's write of a relation with what is stored of its links. */
export function withStoredLinks(
  context: WriteContext,
  write: RelationWrite,
  links: LoadedTogether['links'],
): LoadedRelationWrite {
  const { mapping, operation } = write;
  const entries = links.get(mapping)?.entries;
  if (entries === undefined || entries.size === 0) return { mapping, operation, stored: NOTHING_STORED };
  const found = linkingRowIds(context, mapping).flatMap((id) => entries.get(id) ?? []);
  return { mapping, operation, stored: { ...NOTHING_STORED, entries: found } };
}
