import type { Attribute, ContentModel, ContentSchema, ContentType, Uid } from '../../model/model.js';
import { renamedColumn, renamedTable } from '../schema/renamed-location.js';
import type { Rename } from '../schema/rename-in-schema.js';
import type { ContentRename } from './content-decisions.js';

/** An attribute before and after the migration. Exactly one is null where it was removed or added. */
interface MatchedAttribute {
  readonly before: Attribute | null;
  readonly after: Attribute | null;
}

/** A content-type that exists before the migration. `after` is null where it is removed. */
interface MatchedType {
  readonly before: ContentType;
  readonly after: ContentType | null;
  /** Empty where the type is removed. */
  readonly attributes: readonly MatchedAttribute[];
}

/** Mapping between the types, components and attributes of two models, including renamed ones. */
export interface ModelMatch {
  readonly types: readonly MatchedType[];
  /** The uid of a component after the migration; null where it no longer exists. */
  readonly componentAfter: (before: Uid) => Uid | null;
  /** The matched attributes of two components; an attribute without a counterpart has null. */
  readonly componentAttributes: (before: Uid, after: Uid) => readonly MatchedAttribute[];
}

/** The tables and columns that hold an attribute. Names of columns are null for link tables. */
const storageOf = (
  table: string,
  attribute: Attribute,
): { readonly table: string; readonly column: string | null } | null => {
  if ('column' in attribute) return { table, column: attribute.column.name };
  const { link } = attribute;
  if (link === null || attribute.side === 'inverse') return null;
  return link.kind === 'column' ? { table, column: link.column } : { table: link.table, column: null };
};

const pairAttributes = (
  before: ContentSchema,
  after: ContentSchema,
  renamedTo: (attribute: Attribute) => Attribute | undefined,
): readonly MatchedAttribute[] => {
  const renamed = new Map(
    Object.values(before.attributes).flatMap((attribute) => {
      const counterpart = renamedTo(attribute);
      return counterpart === undefined ? [] : [[attribute.name, counterpart] as const];
    }),
  );
  const claimed = new Set([...renamed.values()].map(({ name }) => name));
  const kept = Object.values(before.attributes).map((attribute): MatchedAttribute => {
    const sameName = claimed.has(attribute.name) ? undefined : after.attributes[attribute.name];
    return { before: attribute, after: renamed.get(attribute.name) ?? sameName ?? null };
  });
  const matched = new Set(kept.map((pair) => pair.after?.name));
  const added = Object.values(after.attributes).filter(({ name }) => !matched.has(name));
  return [...kept, ...added.map((attribute): MatchedAttribute => ({ before: null, after: attribute }))];
};

const matchType = (
  before: ContentType,
  types: readonly ContentType[],
  renames: readonly Rename[],
): MatchedType => {
  const table = before.storage.version.table;
  const newTable = renamedTable(table, renames);
  const after =
    types.find(({ storage }) => storage.version.table === newTable) ??
    types.find(({ uid }) => newTable === table && uid === before.uid) ??
    null;
  if (after === null) return { before, after, attributes: [] };
  const renamedTo = (attribute: Attribute): Attribute | undefined => {
    const storage = storageOf(table, attribute);
    if (storage === null) return undefined;
    const newColumn = storage.column === null ? null : renamedColumn(storage.table, storage.column, renames);
    const newLocation = { table: renamedTable(storage.table, renames), column: newColumn };
    const isInPlace = newColumn === storage.column && newLocation.table === storage.table;
    // A name that keeps its column, such as one that changes its case alone.
    if (isInPlace && after.attributes[attribute.name] !== undefined) return undefined;
    return Object.values(after.attributes).find((candidate) => {
      if (isInPlace && before.attributes[candidate.name] !== undefined) return false;
      const location = storageOf(after.storage.version.table, candidate);
      return location?.table === newLocation.table && location.column === newLocation.column;
    });
  };
  return { before, after, attributes: pairAttributes(before, after, renamedTo) };
};

/**
 * Matches two content models. Types and attributes match by the tables and columns that hold them, as the
 * renames move these, or else by name; components match by uid and the renames of the user.
 */
export function matchModels(
  before: ContentModel,
  after: ContentModel,
  renames: readonly Rename[],
  contentRenames: readonly ContentRename[],
): ModelMatch {
  const componentAfter = (uid: Uid): Uid | null => {
    const renamed = contentRenames.find((rename) => rename.kind === 'component' && rename.from === uid);
    const target = renamed?.to ?? uid;
    return after.componentsByUid[target] === undefined ? null : target;
  };
  return {
    types: before.types.map((type) => matchType(type, after.types, renames)),
    componentAfter,
    componentAttributes: (uidBefore, uidAfter) => {
      const [old, current] = [before.componentsByUid[uidBefore], after.componentsByUid[uidAfter]];
      if (old === undefined || current === undefined) return [];
      return pairAttributes(old, current, ({ name }) => {
        const renamed = contentRenames.find(
          (rename) =>
            rename.kind === 'component-attribute' && rename.component === uidBefore && rename.from === name,
        );
        return renamed === undefined ? undefined : current.attributes[renamed.to];
      });
    },
  };
}
