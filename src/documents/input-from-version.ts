import type { Transaction } from '../database/database.js';
import type { JsonValue, StoredScalar } from '../lib/stored-value.js';
import type { ContentType } from '../model/model.js';
import type { LinkOperation, LinkRef, ParsedInput } from '../validation/input.js';
import type { DocumentContext } from './document-context.js';
import { byPosition } from './links/link-entry.js';
import type { LinkEntry } from './links/link-entry.js';
import { prefetchEntriesOfRows } from './links/prefetch/prefetch-entries.js';
import { singleTarget } from './links/relation-mapping.js';
import type { RelationMapping } from './links/relation-mapping.js';
import { combineList, mapPrefetch, runPrefetch } from './prefetch.js';
import type { VersionRow } from './rows/version-statements.js';
import { storedValues } from './version-fields.js';

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

/** Loads the links that belong to the version's own rows, as operations that set them. */
const loadLinks = async (
  context: DocumentContext,
  tx: Transaction,
  type: ContentType,
  row: VersionRow,
): Promise<ReadonlyMap<string, LinkOperation>> => {
  const { expressions } = context.database.dialect;
  const mappings = context.relationsOf(type).filter(({ attribute }) => attribute.side === 'owner');
  const operations = mappings.map((mapping) =>
    mapPrefetch(
      prefetchEntriesOfRows(expressions, mapping, [row.id]),
      (entries): readonly [string, LinkOperation] => [
        mapping.attribute.name,
        { kind: 'set', targets: linkedTargets(mapping, row, entries) },
      ],
    ),
  );
  return new Map(await runPrefetch(tx, expressions, combineList(operations)));
};

/** Returns the content of a stored version as the input of another write. */
export async function inputFromVersion(
  context: DocumentContext,
  tx: Transaction,
  type: ContentType,
  row: VersionRow,
): Promise<ParsedInput> {
  const scalars = new Map<string, StoredScalar>();
  const components = new Map<string, JsonValue>();
  for (const [name, value] of storedValues(type, row, 'all')) {
    if (type.attributes[name]?.family === 'scalar') scalars.set(name, value);
    else components.set(name, value as JsonValue);
  }
  return {
    scalars,
    components,
    links: await loadLinks(context, tx, type, row),
    componentLinks: [],
    componentUniques: [],
  };
}
