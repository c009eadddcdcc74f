import { fail } from '../../errors/catalogue.js';
import { createDocumentId } from '../../lib/document-id.js';
import { localeName } from '../../lib/locale-name.js';
import type { Transaction } from '../../database/database.js';
import type { AccessContext, ChangeOptions, LocaleRecord } from '../access.js';
import { change } from '../change.js';
import { localeOf } from '../rows.js';

export interface NewLocale {
  /** `fr`, `pt-BR`; written in its usual case. */
  readonly code: string;
  /** Unset: the language's English name, `French (fr)`. */
  readonly name?: string;
  /** Takes over from the present default. A locale that is there already may be named to make it the default. */
  readonly isDefault?: boolean;
}

const MAX_LENGTH = 35;

/** The code in its usual case, and the language's name. */
const describeLocale = (input: NewLocale): { readonly code: string; readonly name: string } => {
  const invalid = () => fail('access/invalid-locale', { code: input.code });
  if (!/^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(input.code) || input.code.length > MAX_LENGTH) throw invalid();
  let code = input.code;
  try {
    code = Intl.getCanonicalLocales(input.code)[0] ?? input.code;
  } catch {
    throw invalid();
  }
  const name = input.name ?? localeName(code);
  if (name === undefined || name.trim() === '') throw invalid();
  return { code, name };
};

const makeDefault = async (tx: Transaction, code: string): Promise<void> => {
  await tx.model('Locale').updateMany({ where: { isDefault: true, code: { not: code } }, data: { isDefault: false } });
  await tx.model('Locale').updateMany({ where: { code }, data: { isDefault: true } });
};

/**
 * Configures a language, or makes a configured one the default. Running servers accept content in it within a second.
 *
 * @throws `access/invalid-locale`, `access/locale-exists`
 */
export async function addLocale({ database }: AccessContext, input: NewLocale, options: ChangeOptions = {}): Promise<LocaleRecord> {
  const { code, name } = describeLocale(input);
  return change(
    database,
    async (tx) => {
      const existing = await tx.model('Locale').findUnique({ where: { code } });
      if (existing !== null && input.isDefault !== true) throw fail('access/locale-exists', { code });
      if (existing === null) await tx.model('Locale').create({ data: { documentId: createDocumentId(), code, name, isDefault: false } });
      if (input.isDefault === true) await makeDefault(tx, code);
      const row = await tx.model('Locale').findUnique({ where: { code } });
      if (row === null) throw new TypeError(`The locale ${code} is gone right after it was written.`);
      return localeOf(row);
    },
    options,
  );
}
