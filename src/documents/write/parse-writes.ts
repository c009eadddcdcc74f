import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import { defined } from '../../lib/defined.js';
import { assertMetadata } from '../validation/assert-metadata.js';
import type { ParseContext, ParsedInput } from '../validation/input.js';
import type { DocumentContext } from '../document-context.js';
import type { VersionRow } from '../rows/version-statements.js';
import { storedValues } from '../version-fields.js';
import { createClaims } from './claims.js';
import type { Claims } from './claims.js';
import { containsComponent, createComponentId } from './component-ids.js';
import { fillGeneratedUids } from './generated-uids.js';
import { inputsFromVersions } from './input-from-version.js';
import { inTurns } from './document-write.js';
import { baseRow, findRow, openWriteContext, primaryRow, siblingRow } from './write-context.js';
import type { LockedWrite } from './document-write.js';
import type { WriteContext } from './write-context.js';

/** One locale of a locked document, and the validated content to write to it. */
export interface ParsedWrite {
  readonly context: WriteContext;
  readonly parsed: ParsedInput;
}

/** Returns the versions before the write as the validator needs them. */
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
  });

/** Checks that the data ask for no other version than the one that is written. */
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
  const input = await fillGeneratedUids(writeContext, write.input, (name, value) =>
    claims.has(writeContext, name, value),
  );
  const parsed = context
    .validatorOf(write.type)
    .parse(input, createParseContext(writeContext, write.strictness));
  claims.add(writeContext, parsed, primaryRow(writeContext)?.values);
  return { context: writeContext, parsed };
};

/** Returns the content of the published versions, which drafts are reset to. They get its time, too. */
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
