import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import type { AccessContext, ChangeOptions, LocaleRecord } from '../access.js';
import { changeAccess } from '../change-access.js';
import { readLocales } from './find-locales.js';
import { unknownLocale } from './require-locales.js';
import { countNoun } from '../../lib/count-noun.js';

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

/** Deletes the versions in one locale, and the documents that had no other. */
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

/** Links from types without locales name the locale of their target. */
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
  { database, model }: AccessContext,
  removal: LocaleRemoval,
  options: ChangeOptions = {},
): Promise<RemovedLocale> {
  const types = model.types.filter((type) => type.localized);
  return changeAccess(
    database,
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
      for (const kept of ['CmsSchedule', 'CmsVersion'])
        await tx.model(kept).deleteMany({ where: { locale: locale.code } });
      await tx.model('Locale').delete({ where: { id: locale.id } });
      return { locale, losses };
    },
    options,
  );
}
