import { createError } from '../../errors/catalogue.js';
import { createDocumentId } from '../../lib/document-id.js';
import { localeName } from '../../lib/locale-name.js';
import type { Transaction } from '../../database/database.js';
import type { AccessContext, ChangeOptions, LocaleRecord } from '../access.js';
import { changeAccess } from '../change-access.js';
import { toLocaleRecord } from '../rows.js';

export interface NewLocale {
  /** `fr`, `pt-BR`; stored in its canonical case. */
  readonly code: string;
  /** Default: the English name of the language, `French (fr)`. */
  readonly name?: string;
  /** Makes this the default locale, also if it is configured already. */
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
  { database }: AccessContext,
  input: NewLocale,
  options: ChangeOptions = {},
): Promise<LocaleRecord> {
  const { code, name } = parseLocale(input);
  return changeAccess(
    database,
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
