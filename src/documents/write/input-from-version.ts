import type { Transaction } from '../../database/database.js';
import type { JsonValue, StoredScalar } from '../../lib/stored-value.js';
import type { ContentType } from '../../model/model.js';
import type { LinkOperation, LinkRef, ParsedInput } from '../validation/input.js';
import type { DocumentContext } from '../document-context.js';
import { byPosition, groupBySource } from '../links/link-entry.js';
import type { LinkEntry } from '../links/link-entry.js';
import { prefetchEntriesOfRows } from '../links/prefetch/prefetch-entries.js';
import { singleTarget } from '../links/relation-mapping.js';
import type { RelationMapping } from '../links/relation-mapping.js';
import { combineList, mapPrefetch, runPrefetch } from './prefetch.js';
import type { VersionRow } from '../rows/version-statements.js';
import { storedValues } from '../version-fields.js';

const createRef = (type: string, documentId: string, locale: string | null = null): LinkRef => ({
  type,
  documentId,
  id: null,
  locale,
});

/** Returns the documents that a version links, given its entries in the link table. */
const linkedTargets = (
  mapping: RelationMapping,
  { values }: VersionRow,
  entries: readonly LinkEntry[],
): readonly LinkRef[] => {
  if (mapping.link.kind !== 'column')
    return entries
      .toSorted(byPosition)
      .map(({ targetType, targetDocumentId, targetLocale }) =>
        createRef(targetType, targetDocumentId, targetLocale),
      );
  const documentId = values[mapping.link.field];
  return typeof documentId === 'string' ? [createRef(singleTarget(mapping).type.uid, documentId)] : [];
};

type LinkOperations = ReadonlyMap<string, LinkOperation>;

/** Loads the links that belong to each version's own rows, as operations that set them. */
const loadLinks = async (
  context: DocumentContext,
  tx: Transaction,
  type: ContentType,
  rows: readonly VersionRow[],
): Promise<(row: VersionRow) => LinkOperations> => {
  const { expressions } = context.database.dialect;
  const ids = rows.map(({ id }) => id);
  const mappings = context.relationsOf(type).filter(({ attribute }) => attribute.side === 'owner');
  const links = mappings.map((mapping) =>
    mapPrefetch(prefetchEntriesOfRows(expressions, mapping, ids), (entries) => ({
      mapping,
      bySource: groupBySource(entries),
    })),
  );
  const loaded = await runPrefetch(tx, expressions, combineList(links));
  return (row) =>
    new Map(
      loaded.map(({ mapping, bySource }): readonly [string, LinkOperation] => [
        mapping.attribute.name,
        { kind: 'set', targets: linkedTargets(mapping, row, bySource.get(row.id) ?? []) },
      ]),
    );
};

const toInput = (type: ContentType, row: VersionRow, links: LinkOperations): ParsedInput => {
  const scalars = new Map<string, StoredScalar>();
  const components = new Map<string, JsonValue>();
  const stored = storedValues(type, row, 'all');
  for (const { name, family } of Object.values(type.attributes)) {
    const value = stored.get(name);
    if (value === undefined) continue;
    if (family === 'scalar') scalars.set(name, value);
    else components.set(name, value as JsonValue);
  }
  return {
    scalars,
    components,
    links,
    requiredLinks: new Set(),
    componentLinks: [],
    componentUniques: [],
  };
};

/** Returns the content of stored versions of one type as the input of other writes, in the same order. */
export async function inputsFromVersions(
  context: DocumentContext,
  tx: Transaction,
  type: ContentType,
  rows: readonly VersionRow[],
): Promise<readonly ParsedInput[]> {
  const linksOf = await loadLinks(context, tx, type, rows);
  return rows.map((row) => toInput(type, row, linksOf(row)));
}
