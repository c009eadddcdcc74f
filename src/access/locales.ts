import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Transaction } from '../database/database.js';
import type { SqlExpressions, SqlJson } from '../database/dialect/sql-expressions.js';
import { createError } from '../errors/catalogue.js';
import { countNoun } from '../lib/text.js';
import { createDocumentId } from '../lib/ids.js';
import { isRecord } from '../lib/records.js';
import { localeName } from '../lib/names.js';
import type { ColumnKind } from '../lib/stored-value.js';
import type { ContentModel, ContentType } from '../model/model.js';
import { changeAccess, unknownLocale } from './access.js';
import type { AccessContext, ChangeOptions, LocaleRecord } from './access.js';
import { toLocaleRecord } from './records.js';

/** Changes the name of a configured locale. */
export async function renameLocale(
  context: Pick<AccessContext, 'database' | 'log'>,
  { id, name }: Pick<LocaleRecord, 'id' | 'name'>,
): Promise<LocaleRecord> {
  return changeAccess(context, { action: 'locales.rename', target: name }, async (tx) =>
    toLocaleRecord(await tx.model('Locale').update({ where: { id }, data: { name } })),
  );
}

interface NewLocale {
  /** `fr`, `pt-BR`; stored in its canonical case. */
  readonly code: string;
  /** Default: the English name of the language, `French (fr)`. */
  readonly name?: string;
  /** Makes this the default locale, even if it is configured already. */
  readonly isDefault?: boolean;
}

const MAX_CODE_LENGTH = 35;

/** Returns the code in its canonical case, and the name. */
const parseLocale = (input: NewLocale): { readonly code: string; readonly name: string } => {
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
};

/** Makes a configured locale the default. */
export async function setDefaultLocale(tx: Transaction, code: string): Promise<void> {
  await tx
    .model('Locale')
    .updateMany({ where: { isDefault: true, code: { not: code } }, data: { isDefault: false } });
  await tx.model('Locale').updateMany({ where: { code, isDefault: false }, data: { isDefault: true } });
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
  const { code, name } = parseLocale(input);
  return changeAccess(
    context,
    { action: 'locales.add', target: code, details: { isDefault: input.isDefault === true } },
    async (tx) => {
      const existing = await tx.model('Locale').findUnique({ where: { code } });
      if (existing !== null && input.isDefault !== true) throw createError('access/locale-exists', { code });
      if (existing === null)
        await tx
          .model('Locale')
          .create({ data: { documentId: createDocumentId(), code, name, isDefault: false } });
      if (input.isDefault === true) await setDefaultLocale(tx, code);
      const row = await tx.model('Locale').findUnique({ where: { code } });
      if (row === null) throw new TypeError(`The locale ${code} was not found after it was written`);
      return toLocaleRecord(row);
    },
    options,
  );
}

/** Returns the configured locales in the order in which they were created. */
export async function readLocales(tx: Transaction): Promise<readonly LocaleRecord[]> {
  return (await tx.model('Locale').findMany({ orderBy: { id: 'asc' } })).map(toLocaleRecord);
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
    const versions = await tx.model(type.storage.version.model).count({ where: { locale } });
    if (versions > 0) losses.push({ type: type.uid, versions });
  }
  return losses;
};

const documentIdsOf = (rows: readonly Readonly<Record<string, unknown>>[]): readonly unknown[] => [
  ...new Set(rows.map((row) => row['documentId'])),
];

/** Deletes the versions in one locale, and documents without versions in other locales. */
const removeVersions = async (tx: Transaction, type: ContentType, locale: string): Promise<void> => {
  const versions = tx.model(type.storage.version.model);
  const documentIds = documentIdsOf(
    await versions.findMany({ where: { locale }, select: { documentId: true } }),
  );
  await versions.deleteMany({ where: { locale } });
  for (let start = 0; start < documentIds.length; start += CHUNK_SIZE) {
    const chunk = documentIds.slice(start, start + CHUNK_SIZE);
    const remainingIds = new Set(
      documentIdsOf(
        await versions.findMany({ where: { documentId: { in: chunk } }, select: { documentId: true } }),
      ),
    );
    await tx
      .model(type.storage.document.model)
      .deleteMany({ where: { documentId: { in: chunk.filter((id) => !remainingIds.has(id)) } } });
  }
};

/** Deletes the links to versions in the locale from types without locales. */
const removeLinks = async (tx: Transaction, model: ContentModel, locale: string): Promise<void> => {
  for (const type of model.types) {
    for (const attribute of Object.values(type.attributes)) {
      const link = 'link' in attribute && attribute.side === 'owner' ? attribute.link : null;
      if (link?.kind === 'table' && link.hasTargetLocale)
        await tx.model(link.model).deleteMany({ where: { targetLocale: locale } });
    }
  }
};

/**
 * Removes a locale. If there is content in it, throws an error with the number of versions, unless
 * `acceptDataLoss` is set.
 *
 * @throws `access/unknown-locale`, `access/default-locale-not-removable`, `access/locale-in-use` (with the
 *   losses in its details)
 */
export async function removeLocale(
  context: AccessContext,
  removal: LocaleRemoval,
  options: ChangeOptions = {},
): Promise<RemovedLocale> {
  const { model } = context;
  const types = model.types.filter((type) => type.localized);
  return changeAccess(
    context,
    { action: 'locales.remove', target: removal.code },
    async (tx) => {
      const locale = await requireRemovableLocale(tx, removal.code);
      const losses = await countLosses(tx, types, locale.code);
      if (losses.length > 0 && removal.acceptDataLoss !== true) {
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
      for (const name of ['CmsSchedule', 'CmsVersion', 'CmsReleaseItem'])
        await tx.model(name).deleteMany({ where: { locale: locale.code } });
      await tx.model('Locale').delete({ where: { id: locale.id } });
      return { locale, losses };
    },
    options,
  );
}
