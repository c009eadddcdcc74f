import type { Transaction } from '../database/database.js';
import type { JsonValue, StoredScalar } from '../lib/stored-value.js';
import type { ContentType } from '../model/model.js';
import type { LinkOperation, LinkRef, ParsedInput } from '../validation/input.js';
import type { DocumentContext } from './document-context.js';
import { byPosition } from './links/link-entry.js';
import type { LinkEntry } from './links/link-entry.js';
import type { LinkView } from './links/link-view.js';
import { askEntriesOfRows } from './links/probe-entries.js';
import { createProbe } from './probe.js';
import { storedValues } from './version-fields.js';
import type { VersionRow } from './version-row.js';

const refTo = (type: string, documentId: string, locale: string | null = null): LinkRef => ({ type, documentId, id: null, locale });

/** Where the version's columns point. */
const columnTargets = ({ link, ends }: LinkView, { values }: VersionRow): readonly LinkRef[] => {
  const documentId = link.kind === 'column' ? values[link.field] : null;
  const [end] = ends;
  return typeof documentId === 'string' && end !== undefined ? [refTo(end.type.uid, documentId)] : [];
};

const listTargets = (entries: readonly LinkEntry[]): readonly LinkRef[] =>
  entries.toSorted(byPosition).map(({ targetType, targetDocumentId, targetLocale }) => refTo(targetType, targetDocumentId, targetLocale));

/** The links that the version's own rows hold, as if a client asked to set them. */
const linksOf = async (context: DocumentContext, tx: Transaction, type: ContentType, row: VersionRow): Promise<ReadonlyMap<string, LinkOperation>> => {
  const probe = createProbe(context.database.dialect);
  const asked = context.linksOf(type).filter(({ attribute }) => attribute.side === 'owner').map((view) => {
    const entries: LinkEntry[] = [];
    askEntriesOfRows(probe, view, [row.id], (entry) => entries.push(entry));
    return { view, entries };
  });
  await probe.run(tx);
  return new Map(asked.map(({ view, entries }) => {
    const targets = view.link.kind === 'column' ? columnTargets(view, row) : listTargets(entries);
    return [view.attribute.name, { kind: 'set', targets }];
  }));
};

/** A stored version's content as the input of another write. */
export async function inputFromVersion(context: DocumentContext, tx: Transaction, type: ContentType, row: VersionRow): Promise<ParsedInput> {
  const scalars = new Map<string, StoredScalar>();
  const components = new Map<string, JsonValue>();
  for (const [name, value] of storedValues(type, row, 'all')) {
    if (type.attributes[name]?.family === 'scalar') scalars.set(name, value);
    else components.set(name, value as JsonValue);
  }
  return { scalars, components, links: await linksOf(context, tx, type, row), componentLinks: [], componentUniques: [] };
}
