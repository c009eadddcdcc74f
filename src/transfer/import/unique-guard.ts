import { sql } from 'kysely';
import { USER_UID } from '../../model/content-types/builtin/registry.js';
import { isNoValue, isUnique } from '../../documents/validation/parse-scalar.js';
import type { ContentType, ScalarAttribute } from '../../model/model.js';
import { getOrCreate } from '../../lib/memoize.js';
import type { Tally } from './tally.js';
import type { ExistingDocuments, ImportTarget } from './target.js';
import type { RowIndex } from './row-index.js';

type Values = Readonly<Record<string, unknown>>;

const uniqueAttributes = (type: ContentType): readonly ScalarAttribute[] =>
  Object.values(type.attributes).filter(
    (attribute): attribute is ScalarAttribute =>
      attribute.family === 'scalar' && isUnique(attribute) && attribute.column.kind !== 'json',
  );

const SAME_VALUE = 'another published document has the same value, which';
const LOST = `${SAME_VALUE} is left out of the published version`;
const CHANGED = `${SAME_VALUE} gets a number`;
const SHARED_ADDRESS =
  'another user has the same address, which only the first keeps; the others sign in by their names';

const keyOf = (locale: string, value: unknown): string =>
  `${locale} ${value instanceof Date ? value.toISOString() : String(value)}`;

/**
 * Keeps the published values of unique attributes apart, which the database demands and Strapi's need not be.
 * The first document keeps the value. Another one loses it, or gets one like it if it is a uid.
 */
export class UniqueGuard {
  readonly #taken = new Map<string, Set<string>>();
  readonly #tally: Tally;

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  #takenOf(type: ContentType, attribute: ScalarAttribute): Set<string> {
    return getOrCreate(this.#taken, `${type.uid} ${attribute.name}`, () => new Set<string>());
  }

  /** Notes the values of documents that stay as they are. */
  async loadStored(
    { database }: ImportTarget,
    type: ContentType,
    stays: (documentId: string) => boolean,
  ): Promise<void> {
    const { kysely } = database.dialect.expressions;
    for (const attribute of uniqueAttributes(type)) {
      const [table, column] = [sql.id(type.storage.version.table), sql.id(attribute.column.name)];
      const statement = sql`select document_id, locale, ${column} as value from ${table}
        where status = 'published' and ${column} is not null`;
      const rows = await database.transact((tx) => tx.query(statement.compile(kysely).sql, []));
      for (const row of rows)
        if (stays(String(row['document_id'])))
          this.#takenOf(type, attribute).add(keyOf(String(row['locale']), row['value']));
    }
  }

  /** Returns the values of a version as they can be stored. */
  admit(type: ContentType, values: Values): Values {
    if (values['status'] !== 'published') return values;
    const changes: Record<string, unknown> = {};
    for (const attribute of uniqueAttributes(type)) {
      const value = values[attribute.column.field] ?? null;
      if (isNoValue(attribute, value)) changes[attribute.column.field] = null;
      if (value === null || isNoValue(attribute, value)) continue;
      const taken = this.#takenOf(type, attribute);
      const locale = String(values['locale']);
      const isTaken = taken.has(keyOf(locale, value));
      const kept = isTaken ? this.#substitute(attribute, taken, locale, value) : value;
      if (isTaken) this.#tell(type, attribute, kept);
      if (isTaken) changes[attribute.column.field] = kept;
      if (kept !== null) taken.add(keyOf(locale, kept));
    }
    return { ...values, ...changes };
  }

  #substitute(
    attribute: ScalarAttribute,
    taken: ReadonlySet<string>,
    locale: string,
    value: unknown,
  ): string | null {
    if (attribute.type !== 'uid') return null;
    let count = 1;
    while (taken.has(keyOf(locale, `${String(value)}-${count}`))) count += 1;
    return `${String(value)}-${count}`;
  }

  #tell(type: ContentType, attribute: ScalarAttribute, kept: unknown): void {
    const isAddress = type.uid === USER_UID && attribute.name === 'email';
    const reason = isAddress ? SHARED_ADDRESS : kept === null ? LOST : CHANGED;
    this.#tally.add({ what: `${type.uid} ${attribute.name}`, reason, isLoss: true });
  }
}

/** Returns a predicate that is true for documents of a type that the import does not write. */
export function staysStored(
  uid: string,
  index: RowIndex | undefined,
  existing: ExistingDocuments,
  isWritten: (uid: string, documentId: string) => boolean,
): (documentId: string) => boolean {
  return (documentId) =>
    index?.has(documentId) !== true ||
    (existing.get(uid)?.has(documentId) === true && !isWritten(uid, documentId));
}
