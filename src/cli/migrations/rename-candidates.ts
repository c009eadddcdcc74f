import { createError } from '../../errors/catalogue.js';
import { snakeCase } from '../../lib/casing.js';
import { didYouMean } from '../../lib/nearest.js';
import type { Rename } from '../../migrations/schema/rename-in-schema.js';
import type { ContentModel } from '../../model/model.js';
import { pluralOf } from '../../scaffold/type-names.js';
import { storageOf } from './attribute-storage.js';

/** A possible rename, named as in the content-types: `article.title=headline`, `article=post`. */
export interface RenameCandidate {
  readonly rename: Rename;
  readonly flag: string;
  /** Other accepted spellings of the flag, such as one with the table's name. */
  readonly aliases: readonly string[];
}

const findAttribute = (
  model: ContentModel,
  table: string,
  column: string,
): { readonly type: string; readonly attribute: string } => {
  const type = model.types.find(({ storage }) => storage.version.table === table);
  const attribute = Object.values(type?.attributes ?? {}).find((candidate) =>
    storageOf(candidate).columns.includes(column),
  );
  return { type: type?.singularName ?? table, attribute: attribute?.name ?? column };
};

const nameColumnRename = (
  model: ContentModel,
  rename: Extract<Rename, { kind: 'column' }>,
): RenameCandidate => {
  const { type, attribute } = findAttribute(model, rename.table, rename.to);
  return {
    rename,
    flag: `${type}.${rename.from}=${attribute}`,
    aliases: [`${rename.table}.${rename.from}=${rename.to}`],
  };
};

const nameTableRename = (
  model: ContentModel,
  rename: Extract<Rename, { kind: 'table' }>,
): RenameCandidate => {
  const type = model.types.find(({ storage }) => storage.version.table === rename.to);
  const tableFlag = `${rename.from}=${rename.to}`;
  return {
    rename,
    flag: type === undefined ? tableFlag : `${rename.from}=${type.pluralName}`,
    aliases: [tableFlag],
  };
};

/** Returns each rename with the flag that selects it. */
export function nameRenames(model: ContentModel, candidates: readonly Rename[]): readonly RenameCandidate[] {
  return candidates.map((rename) =>
    rename.kind === 'column' ? nameColumnRename(model, rename) : nameTableRename(model, rename),
  );
}

/**
 * Returns the spellings under which the database may know the old name: `metaTitle` is `meta_title` there,
 * `article` is `articles`.
 */
const flagSpellings = (flag: string): readonly string[] => {
  const [from = '', to = ''] = flag.split('=');
  const [type = '', attribute] = from.split('.');
  return attribute === undefined
    ? [flag, `${snakeCase(pluralOf(type))}=${to}`, `${snakeCase(pluralOf(type))}=${snakeCase(pluralOf(to))}`]
    : [flag, `${type}.${snakeCase(attribute)}=${to}`];
};

const matchesFlag = (candidate: RenameCandidate, flag: string): boolean => {
  const acceptedFlags = [candidate.flag, ...candidate.aliases];
  return flagSpellings(flag).some((spelling) => acceptedFlags.includes(spelling));
};

/**
 * Returns the renames that the flags select.
 *
 * @throws `cli/unknown-name` with the nearest candidate
 */
export function selectRenames(
  candidates: readonly RenameCandidate[],
  flags: readonly string[],
): readonly Rename[] {
  const selected = flags.map((flag) => {
    const match = candidates.find((candidate) => matchesFlag(candidate, flag));
    if (match !== undefined) return match.rename;
    const candidateFlags = candidates.map((candidate) => candidate.flag);
    const fallbackRemedy =
      candidateFlags.length === 0
        ? 'Nothing looks like a rename.'
        : `Possible are ${candidateFlags.join(', ')}.`;
    throw createError('cli/unknown-name', {
      kind: 'rename',
      name: flag,
      remedy: didYouMean(flag, candidateFlags, fallbackRemedy),
    });
  });
  return withRelatedTables(selected, candidates);
}

/** Adds the other tables of each renamed type: `articles_documents` for `articles`. */
function withRelatedTables(
  selected: readonly Rename[],
  candidates: readonly RenameCandidate[],
): readonly Rename[] {
  const renamedTables = selected.filter((rename) => rename.kind === 'table');
  const relatedTables = candidates
    .map(({ rename }) => rename)
    .filter(
      (rename) =>
        rename.kind === 'table' &&
        !selected.includes(rename) &&
        renamedTables.some(
          (renamedTable) =>
            rename.from.startsWith(`${renamedTable.from}_`) &&
            rename.to === renamedTable.to + rename.from.slice(renamedTable.from.length),
        ),
    );
  return [...selected, ...relatedTables];
}

/** Asks about each candidate, except those that conflict with a rename already chosen. */
export async function promptRenames(
  candidates: readonly RenameCandidate[],
  confirm: (question: string) => Promise<boolean>,
): Promise<readonly Rename[]> {
  let selected: readonly Rename[] = [];
  const qualifiedName = (rename: Rename, name: string): string =>
    `${rename.kind === 'column' ? rename.table : ''} ${name}`;
  for (const { rename, flag } of candidates) {
    const isConflicting = selected.some(
      (other) =>
        other.kind === rename.kind &&
        (qualifiedName(other, other.from) === qualifiedName(rename, rename.from) ||
          qualifiedName(other, other.to) === qualifiedName(rename, rename.to)),
    );
    if (isConflicting) continue;
    if (await confirm(`Was ${flag.replace('=', ' renamed to ')}?`))
      selected = withRelatedTables([...selected, rename], candidates);
  }
  return selected;
}
