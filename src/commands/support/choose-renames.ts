import { fail } from '../../errors/catalogue.js';
import { snakeCase } from '../../lib/casing.js';
import { nearest } from '../../lib/nearest.js';
import type { Rename } from '../../migrations/rename-in-schema.js';
import type { ContentModel } from '../../model/model.js';
import { pluralOf } from '../../scaffold/type-names.js';
import { columnsOf } from './describe-loss.js';

/** A rename that may be meant, in the words of the content-types: `article.title=headline`, `article=post`. */
export interface NamedRename {
  readonly rename: Rename;
  readonly flag: string;
  /** Other spellings of the flag: with the table's name, say. */
  readonly aliases: readonly string[];
}

const attributeAt = (model: ContentModel, table: string, column: string): { readonly type: string; readonly attribute: string } => {
  const type = model.types.find(({ storage }) => storage.version.table === table);
  const attribute = Object.values(type?.attributes ?? {}).find((candidate) => columnsOf(candidate).includes(column));
  return { type: type?.singularName ?? table, attribute: attribute?.name ?? column };
};

const nameColumn = (model: ContentModel, rename: Extract<Rename, { kind: 'column' }>): NamedRename => {
  const { type, attribute } = attributeAt(model, rename.table, rename.to);
  return { rename, flag: `${type}.${rename.from}=${attribute}`, aliases: [`${rename.table}.${rename.from}=${rename.to}`] };
};

const nameTable = (model: ContentModel, rename: Extract<Rename, { kind: 'table' }>): NamedRename => {
  const type = model.types.find(({ storage }) => storage.version.table === rename.to);
  const plain = `${rename.from}=${rename.to}`;
  return { rename, flag: type === undefined ? plain : `${rename.from}=${type.pluralName}`, aliases: [plain] };
};

/** The candidates in words. */
export function nameRenames(model: ContentModel, candidates: readonly Rename[]): readonly NamedRename[] {
  return candidates.map((rename) => (rename.kind === 'column' ? nameColumn(model, rename) : nameTable(model, rename)));
}

/** Old names are known to the database alone, in its spelling: `metaTitle` was `meta_title`, `article` was `articles`. */
const spellings = (flag: string): readonly string[] => {
  const [from = '', to = ''] = flag.split('=');
  const [type = '', attribute] = from.split('.');
  return attribute === undefined ? [flag, `${snakeCase(pluralOf(type))}=${to}`, `${snakeCase(pluralOf(type))}=${snakeCase(pluralOf(to))}`] : [flag, `${type}.${snakeCase(attribute)}=${to}`];
};

const isMeant = (candidate: NamedRename, flag: string): boolean => {
  const known = [candidate.flag, ...candidate.aliases];
  return spellings(flag).some((spelling) => known.includes(spelling));
};

/** The renames the flags name. @throws `cli/unknown-name` for one that is none, with the nearest */
export function pickRenames(candidates: readonly NamedRename[], flags: readonly string[]): readonly Rename[] {
  const picked = flags.map((flag) => {
    const found = candidates.find((candidate) => isMeant(candidate, flag));
    if (found !== undefined) return found.rename;
    const known = candidates.map((candidate) => candidate.flag);
    const close = nearest(flag, known);
    const listed = known.length === 0 ? 'Nothing looks like a rename.' : `Possible are ${known.join(', ')}.`;
    throw fail('cli/unknown-name', { what: 'rename', name: flag, remedy: close === undefined ? listed : `Did you mean ${close}?` });
  });
  return withCompanions(picked, candidates);
}

/** The other tables of a renamed type go with it: `articles_documents` with `articles`. */
export function withCompanions(picked: readonly Rename[], candidates: readonly NamedRename[]): readonly Rename[] {
  const stems = picked.filter((rename) => rename.kind === 'table');
  const companions = candidates.map(({ rename }) => rename).filter((rename) =>
    rename.kind === 'table' && !picked.includes(rename) && stems.some((stem) => rename.from.startsWith(`${stem.from}_`) && rename.to === stem.to + rename.from.slice(stem.from.length)));
  return [...picked, ...companions];
}

/** Asks about each candidate that is still possible: what has been renamed cannot be renamed again. */
export async function askRenames(candidates: readonly NamedRename[], confirm: (question: string) => Promise<boolean>): Promise<readonly Rename[]> {
  let picked: readonly Rename[] = [];
  const place = (rename: Rename, name: string): string => `${rename.kind === 'column' ? rename.table : ''} ${name}`;
  for (const { rename, flag } of candidates) {
    const isTaken = picked.some((other) => other.kind === rename.kind && (place(other, other.from) === place(rename, rename.from) || place(other, other.to) === place(rename, rename.to)));
    if (isTaken) continue;
    const [from, to] = flag.split('=');
    if (await confirm(`Was ${from ?? ''} renamed to ${to ?? ''}?`)) picked = withCompanions([...picked, rename], candidates);
  }
  return picked;
}
