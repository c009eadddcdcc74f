import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Row, Transaction } from '../database/database.js';
import type { SqlExpressions, SqlJson } from '../database/dialect/sql-expressions.js';
import { defineTable } from '../database/table.js';
import { documentTable, linkTable, versionTable } from '../documents/write/version-statements.js';
import { createError } from '../errors/catalogue.js';
import { defined } from '../lib/assert.js';
import { countNoun } from '../lib/text.js';
import { createDocumentId } from '../lib/ids.js';
import { isRecord } from '../lib/records.js';
import { localeName } from '../lib/names.js';
import type { ColumnKind } from '../lib/stored-value.js';
import type { ContentModel, ContentType } from '../model/model.js';
import { changeAccess, unknownLocale } from './access.js';
import type { AccessContext, ChangeOptions, LocaleRecord } from './access.js';
import { LOCALES, toLocaleRecord } from './records.js';

/** Changes the name of a configured locale. */
export async function renameLocale(
  context: Pick<AccessContext, 'database' | 'log'>,
  { id, name }: Pick<LocaleRecord, 'id' | 'name'>,
): Promise<LocaleRecord> {
  return changeAccess(context, { action: 'locales.rename', target: name }, async (tx) => {
    await tx.table(LOCALES).update({ id }, { name });
    return toLocaleRecord(defined(await tx.table(LOCALES).findFirst({ id }), 'the renamed locale'));
  });
}

interface NewLocale {
  /** `fr`, `pt-BR`; stored in its canonical case. */
  readonly code: string;
  /** Default: the English name of the language, `French (fr)`. */
  readonly name?: string;
  /** Makes this the default locale, even if it is configured already. */
  readonly isDefault?: boolean;
}

type LocaleNames = Pick<LocaleRecord, 'code' | 'name'>;

const MAX_CODE_LENGTH = 35;

/**
 * Returns the code in its canonical case, and the name.
 *
 * @throws `access/invalid-locale`
 */
export function parseLocale(input: Pick<NewLocale, 'code' | 'name'>): LocaleNames {
  const invalidLocale = () => createError('access/invalid-locale', { code: input.code });
  if (!/^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(input.code) || input.code.length > MAX_CODE_LENGTH)
    throw invalidLocale();
  let code = input.code;
  try {
    code = Intl.getCanonicalLocales(input.code)[0] ?? input.code;
  } catch {
    throw invalidLocale();
  }
  const name = input.name ?? localeName(code);
  if (name === undefined || name.trim() === '') throw invalidLocale();
  return { code, name };
}

/** Makes a configured locale the default. */
export async function setDefaultLocale(tx: Transaction, code: string): Promise<void> {
  const defaults = await tx.table(LOCALES).find({ isDefault: true });
  const others = defaults.map((row) => String(row['code'])).filter((other) => other !== code);
  await tx.table(LOCALES).update({ code: others }, { isDefault: false });
  await tx.table(LOCALES).update({ code, isDefault: false }, { isDefault: true });
}

/** Returns a locale that was just written. */
const requireLocaleRecord = async (tx: Transaction, code: string): Promise<LocaleRecord> =>
  toLocaleRecord(defined(await tx.table(LOCALES).findFirst({ code }), 'the written locale'));

/** Configures a locale that is not configured yet. */
export async function insertLocale(tx: Transaction, locale: LocaleNames): Promise<void> {
  await tx.table(LOCALES).insert([{ documentId: createDocumentId(), ...locale, isDefault: false }]);
}

/**
 * Configures a locale, or makes a configured one the default. Running servers accept content in it within a
 * second.
 *
 * @throws `access/invalid-locale`, `access/locale-exists`
 */
export async function addLocale(
  context: AccessContext,
  input: NewLocale,
  options: ChangeOptions = {},
): Promise<LocaleRecord> {
  const locale = parseLocale(input);
  const { code } = locale;
  return changeAccess(
    context,
    { action: 'locales.add', target: code, details: { isDefault: input.isDefault === true } },
    async (tx) => {
      const existing = await tx.table(LOCALES).findFirst({ code });
      if (existing !== null && input.isDefault !== true) throw createError('access/locale-exists', { code });
      if (existing === null) await insertLocale(tx, locale);
      if (input.isDefault === true) await setDefaultLocale(tx, code);
      return requireLocaleRecord(tx, code);
    },
    options,
  );
}

/** Returns the configured locales in the order in which they were created. */
export async function readLocales(tx: Transaction): Promise<readonly LocaleRecord[]> {
  return (await tx.table(LOCALES).find({}, { orderBy: 'id' })).map(toLocaleRecord);
}

/** Returns SQL of a JSON object with the values of a locale's row. */
export function localeObject({ json }: SqlExpressions): RawBuilder<SqlJson> {
  const value = (kind: ColumnKind, column: string): RawBuilder<SqlJson> => json.value(kind, sql.ref(column));
  return json.object([
    ['id', value('integer', 'id')],
    ['documentId', value('text', 'document_id')],
    ['code', value('text', 'code')],
    ['name', value('text', 'name')],
    ['isDefault', value('boolean', 'is_default')],
    ['createdAt', value('datetime', 'created_at')],
    ['updatedAt', value('datetime', 'updated_at')],
    ['publishedAt', value('datetime', 'published_at')],
  ]);
}

/** Returns the configured locales without loading Prisma Client, which takes long. */
export async function listLocales({
  database,
}: Pick<AccessContext, 'database'>): Promise<readonly LocaleRecord[]> {
  const { expressions } = database.dialect;
  const record = expressions.json.text(localeObject(expressions));
  const statement = sql`select ${record} from cms_locales order by id`.compile(expressions.kysely);
  const texts = await database.readTexts(statement.sql, []);
  return texts
    .map((text): unknown => JSON.parse(text ?? 'null'))
    .filter(isRecord)
    .map(toLocaleRecord);
}

export interface LocaleRemoval {
  readonly code: string;
  /** Also removes the content written in that locale. */
  readonly acceptDataLoss?: boolean;
}

/** Number of versions of a type that are deleted with the locale. */
interface LocaleLoss {
  readonly type: string;
  readonly versions: number;
}

export interface RemovedLocale {
  readonly locale: LocaleRecord;
  readonly losses: readonly LocaleLoss[];
}

const CHUNK_SIZE = 500;

/** The tables with schedules, published versions and changes in releases. */
const EDITORIAL_TABLES = ['cms_schedules', 'cms_versions', 'cms_release_items'].map((name) =>
  defineTable(name, { locale: 'text' }),
);

const requireRemovableLocale = async (tx: Transaction, code: string): Promise<LocaleRecord> => {
  const locales = await readLocales(tx);
  const codes = locales.map((locale) => locale.code);
  const found = locales.find((locale) => locale.code === code);
  if (found === undefined) throw unknownLocale(code, codes);
  if (found.isDefault) throw createError('access/default-locale-not-removable', { code });
  return found;
};

const countLosses = async (
  tx: Transaction,
  types: readonly ContentType[],
  locale: string,
): Promise<readonly LocaleLoss[]> => {
  const losses: LocaleLoss[] = [];
  for (const type of types) {
    const versions = await tx.table(versionTable(type)).count({ locale });
    if (versions > 0) losses.push({ type: type.uid, versions });
  }
  return losses;
};

const documentIdsOf = (rows: readonly Row[]): readonly string[] => [
  ...new Set(rows.map((row) => String(row['documentId']))),
];

/** Deletes the versions in one locale, and documents without versions in other locales. */
const removeVersions = async (tx: Transaction, type: ContentType, locale: string): Promise<void> => {
  const versions = tx.table(versionTable(type));
  const documentIds = documentIdsOf(await versions.find({ locale }, { fields: ['documentId'] }));
  await versions.delete({ locale });
  for (let start = 0; start < documentIds.length; start += CHUNK_SIZE) {
    const chunk = documentIds.slice(start, start + CHUNK_SIZE);
    const remainingIds = new Set(
      documentIdsOf(await versions.find({ documentId: chunk }, { fields: ['documentId'] })),
    );
    await tx.table(documentTable(type)).delete({ documentId: chunk.filter((id) => !remainingIds.has(id)) });
  }
};

/** Deletes the links to versions in the locale from types without locales. */
const removeLinks = async (tx: Transaction, model: ContentModel, locale: string): Promise<void> => {
  for (const type of model.types) {
    for (const attribute of Object.values(type.attributes)) {
      const link = 'link' in attribute && attribute.side === 'owner' ? attribute.link : null;
      if (link?.kind === 'table' && link.hasTargetLocale)
        await tx.table(linkTable(link)).delete({ targetLocale: locale });
    }
  }
};

/**
 * Removes a locale with its content in a transaction.
 *
 * @throws `access/unknown-locale`, `access/default-locale-not-removable`, `access/locale-in-use` (with the
 *   losses in its details)
 */
export async function deleteLocale(
  tx: Transaction,
  model: ContentModel,
  { code, acceptDataLoss = false }: LocaleRemoval,
): Promise<RemovedLocale> {
  const types = model.types.filter((type) => type.localized);
  const locale = await requireRemovableLocale(tx, code);
  const losses = await countLosses(tx, types, locale.code);
  if (losses.length > 0 && !acceptDataLoss) {
    const printed = losses
      .map(({ type, versions }) => `${type} (${countNoun(versions, 'version')})`)
      .join(', ');
    throw createError(
      'access/locale-in-use',
      { code: locale.code, losses: printed },
      { details: { losses } },
    );
  }
  for (const type of types) await removeVersions(tx, type, locale.code);
  await removeLinks(tx, model, locale.code);
  for (const table of EDITORIAL_TABLES) await tx.table(table).delete({ locale: locale.code });
  await tx.table(LOCALES).delete({ id: locale.id });
  return { locale, losses };
}

/**
 * Removes a locale. If there is content in it, throws an error with the number of versions, unless
 * `acceptDataLoss` is set.
 *
 * @throws the errors of `deleteLocale`
 */
export async function removeLocale(
  context: AccessContext,
  removal: LocaleRemoval,
  options: ChangeOptions = {},
): Promise<RemovedLocale> {
  const entry = { action: 'locales.remove', target: removal.code };
  return changeAccess(context, entry, (tx) => deleteLocale(tx, context.model, removal), options);
}
