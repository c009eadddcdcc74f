import { createError } from '../../errors/catalogue.js';
import { defined } from '../../lib/assert.js';
import { didYouMean } from '../../lib/nearest.js';
import { lastSegment, withoutLastSegment } from '../../lib/ids.js';
import type { ContentRename } from '../../migrations/content/content-decisions.js';
import type { ContentModel, ContentSchema, ContentType, Uid } from '../../model/model.js';

/** The models before and after a migration. `before` is null if the migrations do not record it. */
export interface MigrationModels {
  readonly before: ContentModel | null;
  readonly after: ContentModel;
}

/** A rename with the names of a user: of a type or component, or of an attribute of `schema`. */
export interface NamedRename {
  readonly schema: string | null;
  readonly from: string;
  readonly to: string;
}

const isType = (schema: ContentSchema): schema is ContentType => 'kind' in schema;

const findSchema = ({ types, components }: ContentModel, name: string): ContentSchema | undefined =>
  components.find(({ uid }) => uid === name) ??
  types.find(({ uid }) => uid === name) ??
  types.find(({ singularName, pluralName, collectionName }) =>
    [singularName, pluralName, collectionName].includes(name),
  ) ??
  components.find((component) => component.name === name);

const schemaOf = ({ typesByUid, componentsByUid }: ContentModel, uid: Uid): ContentSchema | undefined =>
  typesByUid[uid] ?? componentsByUid[uid];

const resolveSchemas = (
  before: ContentModel,
  after: ContentModel,
  { from, to }: NamedRename,
): ContentRename | null => {
  const [old, current] = [findSchema(before, from), findSchema(after, to)];
  if (old === undefined || current === undefined || isType(old) !== isType(current)) return null;
  return { kind: isType(old) ? 'type' : 'component', from: old.uid, to: current.uid };
};

/**
 * Resolves the names of a rename. Null if the models do not have them.
 *
 * @param others other renames of the same migration, which may rename the schema of an attribute
 */
export function resolveRename(
  { before, after }: MigrationModels,
  named: NamedRename,
  others: readonly ContentRename[] = [],
): ContentRename | null {
  if (before === null) return null;
  const { schema: name, from, to } = named;
  if (name === null) return resolveSchemas(before, after, named);
  const current = findSchema(after, name);
  const moved = others.find((rename) => rename.to === current?.uid)?.from;
  const old = findSchema(before, name) ?? (current && schemaOf(before, moved ?? current.uid));
  if (old === undefined) return null;
  const movedTo = others.find(
    (rename) => rename.from === old.uid && (rename.kind === 'type' || rename.kind === 'component'),
  )?.to;
  const next = schemaOf(after, movedTo ?? old.uid);
  if (old.attributes[from] === undefined || next?.attributes[to] === undefined) return null;
  return isType(old)
    ? { kind: 'attribute', type: old.uid, from, to }
    : { kind: 'component-attribute', component: old.uid, from, to };
}

/**
 * Returns both interpretations of a flag: `article=post` renames a type, `article.title=headline` an
 * attribute.
 */
const readings = (flag: string): readonly [whole: NamedRename, attribute: NamedRename] => {
  const index = flag.indexOf('=');
  const [from, to] = index === -1 ? [flag, ''] : [flag.slice(0, index), flag.slice(index + 1)];
  return [
    { schema: null, from, to },
    { schema: withoutLastSegment(from), from: lastSegment(from), to },
  ];
};

/** Returns the rename of each flag. Null if the models do not have its names. */
export function resolveRenameFlags(
  models: MigrationModels,
  flags: readonly string[],
): readonly (ContentRename | null)[] {
  const schemas = flags.map((flag) => resolveRename(models, readings(flag)[0]));
  const moved = schemas.filter((rename) => rename !== null);
  return flags.map((flag, index) => schemas[index] ?? resolveRename(models, readings(flag)[1], moved));
}

/**
 * True if the files are renamed already: only the model before has the old name, and only the model after has
 * the new one.
 */
export function isRenamedInFiles({ before, after }: MigrationModels, rename: ContentRename): boolean {
  if (before === null) return false;
  const { from, to } = rename;
  const hasOnly = (names: object | undefined, name: string, other: string): boolean =>
    names !== undefined && name in names && !(other in names);
  const uid = rename.kind === 'attribute' ? rename.type : 'component' in rename ? rename.component : null;
  const namesIn = (model: ContentModel): object | undefined =>
    uid === null ? { ...model.typesByUid, ...model.componentsByUid } : schemaOf(model, uid)?.attributes;
  return hasOnly(namesIn(before), from, to) && hasOnly(namesIn(after), to, from);
}

/**
 * Prints a rename in the form of `--rename`: `article.title=headline`, `articles=posts`,
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
 * @param candidates possible renames, to suggest one for a flag with unknown names
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
    const remedy =
      known.length === 0 ? 'There is no possible rename.' : `Possible renames: ${known.join(', ')}.`;
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

/** Asks about each candidate, except those in conflict with a chosen rename. */
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
