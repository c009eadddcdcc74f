import type { Transaction } from '../database/database.js';
import { createError } from '../errors/catalogue.js';
import type { GalleyError } from '../errors/galley-error.js';
import { isRecord } from '../lib/records.js';
import { changeAccess } from './access.js';
import type { AccessContext, ChangeOptions, LocaleRecord } from './access.js';
import { deleteLocale, insertLocale, parseLocale, readLocales, setDefaultLocale } from './locales.js';
import type { RemovedLocale } from './locales.js';
import { parseYamlMapping, printSortedYaml } from './permissions/permission-file.js';
import { LOCALES } from './records.js';

/** The locales of a locales file. */
export interface LocaleDefinitions {
  readonly defaultCode: string;
  /** Names by code. Null: the name of a configured locale stays, and a new one gets its English name. */
  readonly names: ReadonlyMap<string, string | null>;
}

const HEADER = '# Locales of content. Written by: cms locale export. Applied by: cms locale apply.\n';

/** Prints locales as YAML. The same locales always yield the same bytes, in any order. */
export function printLocaleFile(locales: readonly LocaleRecord[]): string {
  const file = {
    default: locales.find(({ isDefault }) => isDefault)?.code ?? null,
    locales: Object.fromEntries(locales.map(({ code, name }) => [code, name])),
  };
  return HEADER + printSortedYaml(file);
}

/**
 * Parses the YAML of a locales file.
 *
 * @param file the file's path, for error messages
 * @throws `access/invalid-locales-file`
 */
export function parseLocaleFile(text: string, file: string): LocaleDefinitions {
  const invalid = (reason: string, cause?: unknown): GalleyError =>
    createError('access/invalid-locales-file', { file, reason }, { cause });
  const { default: defaultCode, locales } = parseYamlMapping(text, ['default', 'locales'], invalid);
  if (!isRecord(locales)) throw invalid('locales is not a mapping of codes to names.');
  const names = new Map<string, string | null>();
  const seen = new Set<string>();
  for (const [code, name] of Object.entries(locales)) {
    if (seen.has(code.toLowerCase())) throw invalid(`${code} is listed twice.`);
    seen.add(code.toLowerCase());
    if (name !== null && (typeof name !== 'string' || name.trim() === ''))
      throw invalid(`the name of ${code} is not text.`);
    names.set(code, name);
  }
  if (typeof defaultCode !== 'string' || !names.has(defaultCode))
    throw invalid('default is not the code of one of its locales.');
  return { defaultCode, names };
}

/** The locales before and after the change, and the removed ones with their content. */
export interface AppliedLocales {
  readonly before: readonly LocaleRecord[];
  readonly after: readonly LocaleRecord[];
  readonly removed: readonly RemovedLocale[];
}

interface ApplyOptions extends ChangeOptions {
  /** Also removes the content of locales that the file lacks. */
  readonly acceptDataLoss?: boolean;
  /** Keeps locales that the file lacks. */
  readonly keepsOthers?: boolean;
}

/** Adds or renames a locale. Returns its code in the canonical case. */
const applyLocale = async (
  tx: Transaction,
  configured: readonly LocaleRecord[],
  { code, name }: { readonly code: string; readonly name: string | null },
): Promise<string> => {
  const isSame = (locale: LocaleRecord): boolean => locale.code.toLowerCase() === code.toLowerCase();
  const existing = configured.find(isSame);
  if (existing === undefined) {
    const locale = parseLocale({ code, ...(name === null ? {} : { name }) });
    await insertLocale(tx, locale);
    return locale.code;
  }
  if (name !== null && name !== existing.name) await tx.table(LOCALES).update({ id: existing.id }, { name });
  return existing.code;
};

/**
 * Makes the locales of a file the configured ones: adds and renames locales, sets the default, and removes
 * all others.
 *
 * @throws `access/invalid-locale`, `access/locale-in-use`
 */
export async function applyLocales(
  context: AccessContext,
  { defaultCode, names }: LocaleDefinitions,
  { acceptDataLoss = false, keepsOthers = false, ...options }: ApplyOptions = {},
): Promise<AppliedLocales> {
  return changeAccess(
    context,
    { action: 'locales.apply', details: { locales: [...names.keys()], default: defaultCode } },
    async (tx) => {
      // Servers that start at the same time apply the same file.
      await tx.lock('locales.apply');
      const before = await readLocales(tx);
      const codes = new Map<string, string>();
      for (const [code, name] of names) codes.set(code, await applyLocale(tx, before, { code, name }));
      await setDefaultLocale(tx, codes.get(defaultCode) ?? defaultCode);
      const kept = new Set(codes.values());
      const removed: RemovedLocale[] = [];
      for (const { code } of keepsOthers ? [] : before.filter((locale) => !kept.has(locale.code)))
        removed.push(await deleteLocale(tx, context.model, { code, acceptDataLoss }));
      return { before, after: await readLocales(tx), removed };
    },
    options,
  );
}
