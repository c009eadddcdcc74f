import { createError } from '../../errors/catalogue.js';
import { didYouMean } from '../../lib/nearest.js';
import type { ContentRename } from '../../migrations/content/content-decisions.js';
import { defined } from '../../lib/defined.js';
import { resolveRenameFlags } from './resolve-rename.js';
import type { MigrationModels } from './resolve-rename.js';

/**
 * Prints a rename as `--rename` takes it: `article.title=headline`, `articles=posts`,
 * `shared.seo.title=text`.
 */
export function printRenameFlag({ before, after }: MigrationModels, rename: ContentRename): string {
  const { from, to } = rename;
  switch (rename.kind) {
    case 'type':
      return `${before?.typesByUid[from]?.collectionName ?? from}=${after.typesByUid[to]?.pluralName ?? to}`;
    case 'attribute':
      return `${before?.typesByUid[rename.type]?.singularName ?? rename.type}.${from}=${to}`;
    case 'component':
      return `${from}=${to}`;
    case 'component-attribute':
      return `${rename.component}.${from}=${to}`;
  }
}

/**
 * Returns the renames that the flags select.
 *
 * @param candidates possible renames, one of which may be meant by a flag that names nothing
 * @throws `cli/unknown-name` with the nearest candidate
 */
export function selectRenames(
  models: MigrationModels,
  candidates: readonly ContentRename[],
  flags: readonly string[],
): readonly ContentRename[] {
  return resolveRenameFlags(models, flags).map((rename, index) => {
    if (rename !== null) return rename;
    const name = defined(flags[index], 'The flag');
    const known = candidates.map((candidate) => printRenameFlag(models, candidate));
    const remedy = known.length === 0 ? 'Nothing looks like a rename.' : `Possible are ${known.join(', ')}.`;
    throw createError('cli/unknown-name', {
      kind: 'rename',
      name,
      remedy: didYouMean(name, known, remedy),
    });
  });
}

/** Returns the namespace in which the names of a rename must be unique. */
const namespaceOf = (rename: ContentRename): string => {
  if (rename.kind === 'attribute') return rename.type;
  return rename.kind === 'component-attribute' ? rename.component : rename.kind;
};

const isConflicting = (left: ContentRename, right: ContentRename): boolean =>
  namespaceOf(left) === namespaceOf(right) && (left.from === right.from || left.to === right.to);

/** Asks about each candidate, except those that conflict with a rename already chosen. */
export async function promptRenames(
  models: MigrationModels,
  candidates: readonly ContentRename[],
  confirm: (question: string) => Promise<boolean>,
): Promise<readonly ContentRename[]> {
  const selected: ContentRename[] = [];
  for (const rename of candidates) {
    if (selected.some((other) => isConflicting(rename, other))) continue;
    const flag = printRenameFlag(models, rename);
    if (await confirm(`Was ${flag.replace('=', ' renamed to ')}?`)) selected.push(rename);
  }
  return selected;
}
