import { isDeepStrictEqual } from 'node:util';
import type { ProjectRename } from '../../app/project-renames.js';
import { createError } from '../../errors/catalogue.js';
import { snakeCase } from '../../lib/casing.js';
import { didYouMean } from '../../lib/nearest.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { pluralOf } from '../../scaffold/type-names.js';
import { storageOf } from './attribute-storage.js';
import { findMovedSchemas, readRename } from './explicit-renames.js';
import type { MigrationModels } from './explicit-renames.js';

/** A possible rename, named as in the content-types: `article.title=headline`, `article=post`. */
export interface RenameCandidate {
  /** All that is renamed with it, such as the link tables of a type. */
  readonly renames: readonly ProjectRename[];
  readonly flag: string;
  /** Other accepted spellings of the flag, such as one with the table's name. */
  readonly aliases: readonly string[];
}

type RenameOf<K extends ProjectRename['kind']> = Extract<ProjectRename, { readonly kind: K }>;

const typeOfTable = (model: ContentModel | null, table: string): ContentType | undefined =>
  model?.types.find(({ storage }) => storage.version.table === table);

const attributeOfColumn = (type: ContentType | undefined, column: string): string =>
  Object.values(type?.attributes ?? {}).find((attribute) => storageOf(attribute).columns.includes(column))
    ?.name ?? column;

const columnFlag = ({ before, after }: MigrationModels, { table, from, to }: RenameOf<'column'>): string => {
  const type = typeOfTable(after, table);
  const oldName = attributeOfColumn(typeOfTable(before, table), from);
  return `${type?.singularName ?? table}.${oldName}=${attributeOfColumn(type, to)}`;
};

/** The attribute whose link table has the name: `article.tags`. */
const attributeOfLinkTable = (model: ContentModel | null, table: string): string | undefined =>
  model?.types
    .flatMap(({ singularName, attributes }) =>
      Object.values(attributes)
        .filter((attribute) => storageOf(attribute).linkTable === table)
        .map(({ name }) => `${singularName}.${name}`),
    )
    .at(0);

const tableFlag = ({ before, after }: MigrationModels, { from, to }: RenameOf<'table'>): string => {
  const type = typeOfTable(after, to);
  if (type !== undefined) return `${from}=${type.pluralName}`;
  const [old, current] = [attributeOfLinkTable(before, from), attributeOfLinkTable(after, to)];
  return old === undefined || current === undefined
    ? `${from}=${to}`
    : `${old}=${current.slice(current.indexOf('.') + 1)}`;
};

const flagOf = (models: MigrationModels, rename: ProjectRename): string => {
  switch (rename.kind) {
    case 'column':
      return columnFlag(models, rename);
    case 'table':
      return tableFlag(models, rename);
    case 'component':
      return `${rename.from}=${rename.to}`;
    case 'component-attribute':
      return `${rename.component}.${rename.from}=${rename.to}`;
  }
};

const aliasesOf = (rename: ProjectRename): readonly string[] => {
  if (rename.kind === 'column') return [`${rename.table}.${rename.from}=${rename.to}`];
  return rename.kind === 'table' ? [`${rename.from}=${rename.to}`] : [];
};

const isPartOf = (rename: ProjectRename, { renames }: RenameCandidate): boolean =>
  renames.some((other) => isDeepStrictEqual(rename, other));

/** Leaves out what another candidate renames anyway: the link tables of a renamed type. */
const withoutParts = (candidates: readonly RenameCandidate[]): readonly RenameCandidate[] =>
  candidates.filter(
    (candidate, index) =>
      !candidates.some(
        (other, otherIndex) =>
          otherIndex !== index &&
          candidate.renames.every((rename) => isPartOf(rename, other)) &&
          (other.renames.length > candidate.renames.length || otherIndex < index),
      ),
  );

/** Returns each rename with the flag that selects it. */
export function nameRenames(
  models: MigrationModels,
  renames: readonly ProjectRename[],
): readonly RenameCandidate[] {
  const candidates = renames.map((rename): RenameCandidate => {
    const flag = flagOf(models, rename);
    const stated = readRename(models, flag, findMovedSchemas(models, [flag])) ?? [];
    const isWhole = stated.some((other) => isDeepStrictEqual(rename, other));
    return { renames: isWhole ? stated : [rename], flag, aliases: aliasesOf(rename) };
  });
  return withoutParts(candidates);
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

const unknownRename = (candidates: readonly RenameCandidate[], flag: string): Error => {
  const flags = candidates.map((candidate) => candidate.flag);
  const remedy = flags.length === 0 ? 'Nothing looks like a rename.' : `Possible are ${flags.join(', ')}.`;
  return createError('cli/unknown-name', {
    kind: 'rename',
    name: flag,
    remedy: didYouMean(flag, flags, remedy),
  });
};

/** Adds the other tables of each renamed type: `articles_documents` for `articles`. */
const withRelatedTables = (
  selected: readonly ProjectRename[],
  candidates: readonly RenameCandidate[],
): readonly ProjectRename[] => {
  const renamedTables = selected.filter((rename) => rename.kind === 'table');
  const relatedTables = candidates
    .flatMap(({ renames }) => renames)
    .filter(
      (rename) =>
        rename.kind === 'table' &&
        !selected.some((other) => isDeepStrictEqual(rename, other)) &&
        renamedTables.some(
          (renamedTable) =>
            rename.from.startsWith(`${renamedTable.from}_`) &&
            rename.to === renamedTable.to + rename.from.slice(renamedTable.from.length),
        ),
    );
  return [...selected, ...relatedTables];
};

/**
 * Returns the renames that the flags select.
 *
 * @throws `cli/unknown-name` with the nearest candidate
 */
export function selectRenames(
  models: MigrationModels,
  candidates: readonly RenameCandidate[],
  flags: readonly string[],
): readonly ProjectRename[] {
  const moved = findMovedSchemas(models, flags);
  const selected = flags.flatMap((flag) => {
    const renames =
      readRename(models, flag, moved) ??
      candidates.find((candidate) => matchesFlag(candidate, flag))?.renames;
    if (renames === undefined) throw unknownRename(candidates, flag);
    return renames;
  });
  return withRelatedTables(selected, candidates);
}

/** Where the name of a rename must be unique. */
const namespaceOf = (rename: ProjectRename): string => {
  if (rename.kind === 'column') return `column ${rename.table}`;
  return rename.kind === 'component-attribute' ? `attribute ${rename.component}` : rename.kind;
};

const isConflicting = (left: ProjectRename, right: ProjectRename): boolean =>
  namespaceOf(left) === namespaceOf(right) && (left.from === right.from || left.to === right.to);

/** Asks about each candidate, except those that conflict with a rename already chosen. */
export async function promptRenames(
  candidates: readonly RenameCandidate[],
  confirm: (question: string) => Promise<boolean>,
): Promise<readonly ProjectRename[]> {
  let selected: readonly ProjectRename[] = [];
  for (const { renames, flag } of candidates) {
    if (renames.some((rename) => selected.some((other) => isConflicting(rename, other)))) continue;
    if (await confirm(`Was ${flag.replace('=', ' renamed to ')}?`))
      selected = withRelatedTables([...selected, ...renames], candidates);
  }
  return selected;
}
