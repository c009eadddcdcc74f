import { assertMetadata } from '../validation/assert-metadata.js';
import type { ParseContext, PreparedInput } from '../validation/input.js';
import { containsComponent, createComponentId } from './component-ids.js';
import { fillGeneratedUids } from './generated-uids.js';
import type { DocumentContext } from './document-context.js';
import type { VersionRow } from './rows/version-statements.js';
import { storedValues } from './version-fields.js';
import { baseRow, findRow, openWriteContext, siblingRow } from './write-context.js';
import type { WriteContext } from './write-context.js';
import { writeDocument } from './write-document.js';

export type LocaleWrite = Pick<
  WriteContext,
  'tx' | 'type' | 'documentId' | 'locale' | 'publish' | 'rows' | 'access'
> & {
  readonly input: PreparedInput;
  /** Whether the version may lack what a published one needs. Default: where it is not published. */
  readonly strictness?: ParseContext['strictness'];
};

/** That of a write which takes no data. */
export const NO_INPUT: PreparedInput = Object.freeze({ data: {}, hashed: new Map() });

/** Returns what the validator has to know about the versions before the write. */
export function createParseContext(context: WriteContext): ParseContext {
  const { type, rows, publish } = context;
  const base = baseRow(context);
  return {
    strictness: publish ? 'full' : 'draft',
    stored:
      base === undefined
        ? storedValues(type, siblingRow(context), 'shared')
        : storedValues(type, base, 'all'),
    isNew: base === undefined,
    isKnownComponent: (id) => rows.some((row) => containsComponent(type, row, id)),
    newComponentId: createComponentId,
  };
}

/**
 * Checks that the data ask for no other version than the one that is written.
 *
 * @throws `request/invalid-key`
 */
export function assertWrittenMetadata(
  { data }: PreparedInput,
  { type, rows, locale, publish }: Pick<WriteContext, 'type' | 'rows' | 'locale' | 'publish'>,
): void {
  const publishedAt = findRow({ rows }, locale, 'published')?.publishedAt ?? null;
  assertMetadata(type, data, { isNew: rows.length === 0, locale, publish, publishedAt });
}

/**
 * Returns the time of the write. It is later than every earlier write of the document, even if the clocks of
 * the machines that wrote them differ.
 */
export const timeAfter = (clock: () => Date, rows: readonly VersionRow[]): Date =>
  new Date(Math.max(clock().getTime(), ...rows.map(({ updatedAt }) => updatedAt.getTime() + 1)));

/**
 * Parses the data against what is stored and writes it: a new document, another locale of a document, or an
 * existing version.
 */
export async function writeLocale(
  context: DocumentContext,
  { input, strictness, ...write }: LocaleWrite,
): Promise<void> {
  const writeContext = openWriteContext(context, { now: timeAfter(context.clock, write.rows), ...write });
  const validator = context.validatorOf(write.type);
  const completeInput = await fillGeneratedUids(writeContext, input);
  const parseContext = createParseContext(writeContext);
  await writeDocument(
    writeContext,
    validator.parse(completeInput, {
      ...parseContext,
      strictness: strictness ?? parseContext.strictness,
    }),
  );
}
