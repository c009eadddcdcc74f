import slugify from '@sindresorhus/slugify';
import { sql } from 'kysely';
import { SHORT_TEXT_CHARACTERS } from '../../model/fields/text-value.js';
import { memoizeWeakly } from '../../lib/memoize.js';
import type { ContentType, ScalarAttribute } from '../../model/model.js';
import type { PreparedInput } from '../validation/input.js';
import { localesToCheck } from './unique-values.js';
import { baseRow, siblingRow } from './write-context.js';
import type { WriteContext } from './write-context.js';

/** Room for the number that makes a value unique. */
const SUFFIX_LENGTH = 8;

const generatedAttributesOf = memoizeWeakly((type: ContentType): readonly ScalarAttribute[] =>
  Object.values(type.attributes).filter(
    (attribute): attribute is ScalarAttribute =>
      attribute.family === 'scalar' && attribute.constraints.generate === true,
  ),
);

/** The attributes to generate: left out of a new version, and not shared with its other locales. */
const missingUids = (context: WriteContext, { data }: PreparedInput): readonly ScalarAttribute[] => {
  const generated = generatedAttributesOf(context.type);
  if (generated.length === 0 || baseRow(context) !== undefined) return [];
  const isShared = siblingRow(context) !== undefined;
  return generated.filter(
    (attribute) => data[attribute.name] === undefined && (attribute.localized || !isShared),
  );
};

/** The value of the target field after the write, as far as it is text. */
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
 * Returns the values of other documents, drafts included, from the slug to the last that begins with it and a
 * hyphen. Compares as the index of the attribute does.
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
 * Fills in the uids that are left out on creating and that the schema file says to generate: from the target
 * field, with a number where another document has the value. A draft without a target field gets none.
 *
 * @param isReserved whether a document that is about to be written will have the value
 */
export async function fillGeneratedUids(
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
