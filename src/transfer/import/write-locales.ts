import { setDefaultLocale } from '../../access/locales/add-locale.js';
import { readLocales } from '../../access/locales/find-locales.js';
import type { Transaction } from '../../database/database.js';
import { createDocumentId } from '../../lib/document-id.js';
import { localeName } from '../../lib/locale-name.js';
import type { ImportRun } from './import-run.js';
import type { ImportedLocale, Survey } from './survey.js';

/** Locales that content is written in, though Strapi's list lacks them. */
const unlistedLocales = ({ rows, selected, locales }: Survey): readonly ImportedLocale[] => {
  const codes = new Set<string>();
  for (const [uid, index] of rows)
    if (selected(uid)?.localized === true) for (const locale of index.locales) codes.add(locale);
  for (const { code } of locales) codes.delete(code);
  return [...codes].map((code) => ({
    id: 0,
    documentId: null,
    code,
    name: null,
    createdAt: null,
    updatedAt: null,
    publishedAt: null,
  }));
};

/** Returns the locales that the import adds, or takes over as Strapi has them. */
export function localesToWrite(survey: Survey): readonly ImportedLocale[] {
  return [...survey.locales, ...unlistedLocales(survey)];
}

const createLocale = async (
  tx: Transaction,
  { id, documentId, code, name, createdAt, updatedAt, publishedAt }: ImportedLocale,
  isDefault: boolean,
): Promise<void> => {
  const isFree = id > 0 && (await tx.model('Locale').findUnique({ where: { id } })) === null;
  await tx.model('Locale').create({
    data: {
      ...(isFree ? { id } : {}),
      documentId: documentId ?? createDocumentId(),
      code,
      name: name ?? localeName(code) ?? code,
      isDefault,
      publishedAt,
      ...(createdAt === null ? {} : { createdAt }),
      ...(updatedAt === null ? {} : { updatedAt }),
    },
  });
};

/**
 * Writes the locales of the export, and makes Strapi's default locale the default where settings are
 * imported.
 */
export async function writeLocales({ target, survey, options, save }: ImportRun): Promise<void> {
  await target.database.transact(async (tx) => {
    const former = await readLocales(tx);
    const formerDefault = former.find(({ isDefault }) => isDefault)?.code;
    const known = options.parts.has('content') ? localesToWrite(survey) : [];
    const codes = new Set([...known, ...former].map(({ code }) => code));
    const takesDefault = options.parts.has('config') && codes.has(survey.defaultLocale);
    const defaultCode = takesDefault ? survey.defaultLocale : formerDefault;
    const replaced = known.filter(
      ({ documentId, code }) => documentId !== null || !former.some((locale) => locale.code === code),
    );
    const codesOfImport = known.map(({ code }) => code);
    const goes = options.existing === 'clear' && known.length > 0;
    const where = goes
      ? { code: { notIn: codesOfImport.filter((code) => !replaced.some((locale) => locale.code === code)) } }
      : { code: { in: replaced.map(({ code }) => code) } };
    await tx.model('Locale').deleteMany({ where });
    for (const locale of replaced) await createLocale(tx, locale, locale.code === defaultCode);
    if (defaultCode !== undefined && defaultCode !== formerDefault) await setDefaultLocale(tx, defaultCode);
    await save(tx, {});
  });
}
