import { randomFillSync } from 'node:crypto';
import slugify from '@sindresorhus/slugify';
import { sql } from 'kysely';
import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import { defined } from '../../lib/assert.js';
import { memoizeWeakly } from '../../lib/collections.js';
import type { JsonValue, StoredScalar } from '../../lib/stored-value.js';
import { SHORT_TEXT_CHARACTERS } from '../../model/fields/text-value.js';
import type { ContentType, ScalarAttribute } from '../../model/model.js';
import type { DocumentContext } from '../document-context.js';
import { prefetchEntriesOfRows } from '../links/prefetch-entries.js';
import { byPosition, groupBySource, singleTarget } from '../links/relation-mapping.js';
import type { LinkEntry, RelationMapping } from '../links/relation-mapping.js';
import { assertMetadata } from '../validation/assert-shape.js';
import type {
  LinkOperation,
  LinkRef,
  ParseContext,
  ParsedInput,
  PreparedInput,
} from '../validation/input.js';
import { withCaller } from './caller-links.js';
import { combineList, mapPrefetch, runPrefetch } from './prefetch.js';
import { createClaims, localesToCheck } from './unique-values.js';
import type { Claims } from './unique-values.js';
import { storedValues } from './version-statements.js';
import type { VersionRow } from './version-statements.js';
import { baseRow, findRow, inTurns, openWriteContext, primaryRow, siblingRow } from './write-context.js';
import type { LockedWrite, WriteContext } from './write-context.js';

const COMPONENT_ID_BYTES = 6;
/**
 * Number of ids from one call to the system's random source. One call per id would cost more than all other
 * work on a component.
 */
const POOL_SIZE = 256;

const pool = Buffer.alloc(COMPONENT_ID_BYTES * POOL_SIZE);
let offset = pool.length;

/** Returns a new component's id: a positive number that JavaScript represents exactly. */
function createComponentId(): number {
  if (offset === pool.length) {
    randomFillSync(pool);
    offset = 0;
  }
  const id = pool.readUIntBE(offset, COMPONENT_ID_BYTES) + 1;
  offset += COMPONENT_ID_BYTES;
  return id;
}

const containsId = (value: unknown, id: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (!Array.isArray(value) && Reflect.get(value, 'id') === id) return true;
  return Object.values(value).some((child) => containsId(child, id));
};

/** True if a version contains the component with that id, at any depth. */
function containsComponent(type: ContentType, row: VersionRow, id: number): boolean {
  return Object.values(type.attributes).some((attribute) => {
    const isComponent = attribute.family === 'component' || attribute.family === 'dynamiczone';
    return isComponent && containsId(row.values[attribute.column.field], id);
  });
}

/** Characters reserved for the number that makes a value unique. */
const SUFFIX_LENGTH = 8;

const generatedAttributesOf = memoizeWeakly((type: ContentType): readonly ScalarAttribute[] =>
  Object.values(type.attributes).filter(
    (attribute): attribute is ScalarAttribute =>
      attribute.family === 'scalar' && attribute.constraints.generate === true,
  ),
);

/** Returns the attributes to generate: missing in a new version, and not shared with its other locales. */
const missingUids = (context: WriteContext, { data }: PreparedInput): readonly ScalarAttribute[] => {
  const generated = generatedAttributesOf(context.type);
  if (generated.length === 0 || baseRow(context) !== undefined) return [];
  const isShared = siblingRow(context) !== undefined;
  return generated.filter(
    (attribute) => data[attribute.name] === undefined && (attribute.localized || !isShared),
  );
};

/** Returns the value of the target field after the write; null if it is not text or is blank. */
const targetText = (context: WriteContext, { data }: PreparedInput, targetField: string): string | null => {
  const target = context.type.attributes[targetField];
  if (target?.family !== 'scalar') return null;
  const shared = target.localized ? undefined : siblingRow(context)?.values[target.column.field];
  const value = data[targetField] === undefined ? (shared ?? target.default) : data[targetField];
  return typeof value === 'string' && value.trim() !== '' ? value : null;
};

const firstFree = (slug: string, isTaken: (value: string) => boolean): string => {
  let value = slug;
  for (let number = 1; isTaken(value); number += 1) value = `${slug}-${number}`;
  return value;
};

/**
 * Returns the values of other documents, including drafts, from the slug to the last that begins with it and
 * a hyphen. The comparison is that of the attribute's index.
 */
const takenValues = async (
  context: WriteContext,
  attribute: ScalarAttribute,
  slug: string,
): Promise<ReadonlySet<string>> => {
  const { expressions } = context.database.dialect;
  const column = sql.id(attribute.column.name);
  const value = expressions.byCodePoint(column);
  const locales = expressions.encodeList('text', localesToCheck(context, attribute.localized));
  const after = expressions.afterPrefix(expressions.parameter('text', `${slug}-`));
  const statement = sql`select distinct ${column} as value from ${sql.id(context.type.storage.version.table)}
    where status in ('draft', 'published')
    and ${expressions.inList(sql`locale`, 'text', locales)}
    and ${value} >= ${expressions.parameter('text', slug)} and ${value} < ${after}
    and document_id <> ${expressions.parameter('text', context.documentId)}`.compile(expressions.kysely);
  const rows = await context.tx.query(statement.sql, statement.parameters);
  return new Set(rows.map((row) => String(row['value'])));
};

/**
 * Generates missing uids of a new version, if the schema file requests it: from the target field, with a
 * number if another document has the value. A draft without a target field gets none.
 *
 * @param isReserved returns true if another document of the batch will have the value
 */
async function fillGeneratedUids(
  context: WriteContext,
  input: PreparedInput,
  isReserved: (attribute: string, value: string) => boolean = () => false,
): Promise<PreparedInput> {
  const generated: Record<string, string> = {};
  for (const attribute of missingUids(context, input)) {
    const { targetField = '', maxLength = SHORT_TEXT_CHARACTERS } = attribute.constraints;
    const text = targetText(context, input, targetField);
    if (text === null) continue;
    const length = Math.max(1, Math.min(maxLength, SHORT_TEXT_CHARACTERS) - SUFFIX_LENGTH);
    const slug = (slugify(text) || context.type.singularName).slice(0, length).replace(/-$/, '');
    // Otherwise another transaction could take the same number between this read and the write.
    await context.tx.lock(`uid ${context.type.uid} ${attribute.name} ${slug}`);
    const taken = await takenValues(context, attribute, slug);
    generated[attribute.name] = firstFree(
      slug,
      (value) => taken.has(value) || isReserved(attribute.name, value),
    );
  }
  return Object.keys(generated).length === 0 ? input : { ...input, data: { ...input.data, ...generated } };
}

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

/** Loads the links of each version row, as operations that set them. */
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
async function inputsFromVersions(
  context: DocumentContext,
  tx: Transaction,
  type: ContentType,
  rows: readonly VersionRow[],
): Promise<readonly ParsedInput[]> {
  const linksOf = await loadLinks(context, tx, type, rows);
  return rows.map((row) => toInput(type, row, linksOf(row)));
}

/** One locale of a locked document, and the validated content to write to it. */
export interface ParsedWrite {
  readonly context: WriteContext;
  readonly parsed: ParsedInput;
}

/** Creates the validator's context with the versions before the write. */
const createParseContext = (
  context: WriteContext,
  strictness: ParseContext['strictness'] = context.publish ? 'full' : 'draft',
): ParseContext => {
  const { type, rows } = context;
  const base = baseRow(context);
  return {
    strictness,
    stored:
      base === undefined
        ? storedValues(type, siblingRow(context), 'shared')
        : storedValues(type, base, 'all'),
    isNew: base === undefined,
    sharesLinks: siblingRow(context) !== undefined,
    isKnownComponent: (id) => rows.some((row) => containsComponent(type, row, id)),
    newComponentId: createComponentId,
  };
};

/**
 * Returns the time of the write. It is later than every earlier write of the document, even if the clocks of
 * the machines that wrote them differ.
 */
const timeAfter = (clock: () => Date, rows: readonly VersionRow[]): Date =>
  new Date(Math.max(clock().getTime(), ...rows.map(({ updatedAt }) => updatedAt.getTime() + 1)));

const openWrite = (
  context: DocumentContext,
  tx: Transaction,
  { write, document: { documentId, rows } }: LockedWrite,
  { now, access }: Pick<WriteContext, 'now' | 'access'>,
): WriteContext =>
  openWriteContext(context, {
    tx,
    type: write.type,
    documentId,
    locale: defined(write.locale, 'The locale of a write'),
    publish: write.status === 'published',
    rows,
    now,
    times: write.times,
    access,
    scope: write.permission.accessScope,
  });

/** Asserts that metadata in the data matches the written version. */
const assertWrittenMetadata = (
  { type, rows, locale, publish }: WriteContext,
  { write }: LockedWrite,
): void => {
  const publishedAt = findRow({ rows }, locale, 'published')?.publishedAt ?? null;
  assertMetadata(type, write.input.data, { isNew: rows.length === 0, locale, publish, publishedAt });
};

const parseWrite = async (
  context: DocumentContext,
  tx: Transaction,
  locked: LockedWrite,
  claims: Claims,
): Promise<ParsedWrite> => {
  const { write, document } = locked;
  const writeContext = openWrite(context, tx, locked, {
    now: timeAfter(context.clock, document.rows),
    access: write.permission.access,
  });
  if (write.createsMissing !== true) assertWrittenMetadata(writeContext, locked);
  const generated = await fillGeneratedUids(writeContext, write.input, (name, value) =>
    claims.has(writeContext, name, value),
  );
  const input = withCaller(writeContext, generated);
  const parsed = context
    .validatorOf(write.type)
    .parse(input, createParseContext(writeContext, write.strictness));
  claims.add(writeContext, parsed, primaryRow(writeContext)?.values);
  return { context: writeContext, parsed };
};

/** Returns the content of the published versions for resetting the drafts, with the published times. */
const parseDiscards = async (
  context: DocumentContext,
  tx: Transaction,
  writes: readonly LockedWrite[],
): Promise<readonly ParsedWrite[]> => {
  const published = writes.map(({ write, document }) => {
    const row = findRow(document, write.locale ?? '', 'published');
    if (row !== undefined) return row;
    throw createError('request/invalid-parameter', {
      parameter: 'status',
      reason: 'the document is not published, so its draft cannot be reset to the published version.',
    });
  });
  const { type } = defined(writes[0], 'A write').write;
  const inputs = await inputsFromVersions(context, tx, type, published);
  return writes.map((locked, index) => ({
    context: openWrite(context, tx, locked, { now: defined(published[index], 'A version').updatedAt }),
    parsed: defined(inputs[index], 'The content of a version'),
  }));
};

/**
 * Validates the data of writes of one type and action against the stored versions.
 *
 * @throws `request/invalid-values`, `request/invalid-relation`, `request/invalid-key`; BatchConflict if two
 *   documents have the same unique value
 */
export async function parseWrites(
  context: DocumentContext,
  tx: Transaction,
  writes: readonly LockedWrite[],
): Promise<readonly ParsedWrite[]> {
  if (writes[0]?.write.action === 'discardDraft') return parseDiscards(context, tx, writes);
  const claims = createClaims();
  return inTurns(writes, (locked) => parseWrite(context, tx, locked, claims));
}
