import type { ProjectRename } from '../../app/project-renames.js';
import { lastSegment, withoutLastSegment } from '../../lib/uid.js';
import type { ContentModel, ContentSchema, ContentType, Uid } from '../../model/model.js';
import { attributeRenames, typeRenames } from './storage-renames.js';

/** The models before and after a migration. The former is null where the migrations do not record it. */
export interface MigrationModels {
  readonly before: ContentModel | null;
  readonly after: ContentModel;
}

const isType = (schema: ContentSchema): schema is ContentType => 'kind' in schema;

const findSchema = ({ types, components }: ContentModel, name: string): ContentSchema | undefined =>
  components.find(({ uid }) => uid === name) ??
  types.find(({ uid }) => uid === name) ??
  types.find(({ singularName, pluralName, collectionName }) =>
    [singularName, pluralName, collectionName].includes(name),
  ) ??
  components.find((component) => component.name === name);

const splitFlag = (flag: string): readonly [string, string] => {
  const index = flag.indexOf('=');
  return index === -1 ? [flag, ''] : [flag.slice(0, index), flag.slice(index + 1)];
};

/** Returns the types and components that the flags rename, by their uids before and after. */
export function findMovedSchemas(
  { before, after }: MigrationModels,
  flags: readonly string[],
): ReadonlyMap<Uid, Uid> {
  const pairs = flags.flatMap((flag): readonly (readonly [Uid, Uid])[] => {
    const [from, to] = splitFlag(flag);
    const [old, current] = [before === null ? undefined : findSchema(before, from), findSchema(after, to)];
    if (old === undefined || current === undefined || isType(old) !== isType(current)) return [];
    return [[old.uid, current.uid]];
  });
  return new Map(pairs);
}

const renameAttribute = (
  before: ContentModel,
  after: ContentModel,
  [schema, from, to]: readonly [ContentSchema, string, string],
  movedTo: Uid | undefined,
): readonly ProjectRename[] | null => {
  const uid = movedTo ?? schema.uid;
  const current = isType(schema) ? after.typesByUid[uid] : after.componentsByUid[uid];
  if (schema.attributes[from] === undefined || current?.attributes[to] === undefined) return null;
  return isType(schema)
    ? attributeRenames(before, after, { uid, from, to }, schema.uid)
    : [{ kind: 'component-attribute', component: schema.uid, from, to }];
};

/**
 * Returns the renames that a flag states: `article=post`, `article.title=headline`, `shared.seo=shared.meta`,
 * `shared.seo.metaTitle=title`. Null where the models have no such names.
 */
export function readRename(
  { before, after }: MigrationModels,
  flag: string,
  moved: ReadonlyMap<Uid, Uid>,
): readonly ProjectRename[] | null {
  if (before === null) return null;
  const [from, to] = splitFlag(flag);
  const schema = findSchema(before, from);
  const movedTo = schema === undefined ? undefined : moved.get(schema.uid);
  if (schema !== undefined && movedTo !== undefined)
    return isType(schema)
      ? typeRenames(before, after, { from: schema.uid, to: movedTo })
      : [{ kind: 'component', from: schema.uid, to: movedTo }];
  const owner = findSchema(before, withoutLastSegment(from)) ?? findSchema(after, withoutLastSegment(from));
  const ownerBefore = owner === undefined ? undefined : findSchema(before, owner.uid);
  return ownerBefore === undefined
    ? null
    : renameAttribute(before, after, [ownerBefore, lastSegment(from), to], moved.get(ownerBefore.uid));
}

/** The uids of the schema that a flag renames, or whose attribute it renames, before and after. */
export interface RenamedSchema {
  readonly from: Uid;
  readonly to: Uid;
}

/**
 * Returns what a flag renames where the models have the former name before the migration alone, and the new
 * one after it alone. Otherwise null.
 */
export function findRenamed({ before, after }: MigrationModels, flag: string): RenamedSchema | null {
  if (before === null) return null;
  const hasSchema = ({ typesByUid, componentsByUid }: ContentModel, uid: Uid): boolean =>
    (typesByUid[uid] ?? componentsByUid[uid]) !== undefined;
  const [moved] = findMovedSchemas({ before, after }, [flag]);
  if (moved !== undefined) {
    const [from, to] = moved;
    return hasSchema(after, from) || hasSchema(before, to) ? null : { from, to };
  }
  const [from, to] = splitFlag(flag);
  const owner = findSchema(before, withoutLastSegment(from));
  const current = owner === undefined ? undefined : findSchema(after, owner.uid);
  if (owner === undefined || current === undefined) return null;
  const hasOnly = ({ attributes }: ContentSchema, name: string, other: string): boolean =>
    attributes[name] !== undefined && attributes[other] === undefined;
  const name = lastSegment(from);
  return hasOnly(owner, name, to) && hasOnly(current, to, name) ? { from: owner.uid, to: owner.uid } : null;
}
