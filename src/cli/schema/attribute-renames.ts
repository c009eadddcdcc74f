import { createError } from '../../errors/catalogue.js';
import type { Rename } from '../../migrations/schema/rename-in-schema.js';
import type { ContentModel, ContentType, Uid } from '../../model/model.js';
import { storageOf } from '../migrations/attribute-storage.js';
import type { AttributeStorage } from '../migrations/attribute-storage.js';
import { findComponentUsages } from './describe-schema.js';

export interface AttributeRename {
  readonly uid: Uid;
  readonly from: string;
  readonly to: string;
}

const columnRenames = (
  type: ContentType,
  before: AttributeStorage,
  after: AttributeStorage,
): readonly Rename[] =>
  before.columns.flatMap((from, index): readonly Rename[] => {
    const to = after.columns[index];
    return to === undefined || to === from
      ? []
      : [{ kind: 'column', table: type.storage.version.table, from, to }];
  });

/**
 * Returns the columns and the link table to rename in the database when an attribute is renamed. The inverse
 * side of a relation owns neither.
 */
export function databaseRenames(
  before: ContentModel,
  after: ContentModel,
  { uid, from, to }: AttributeRename,
): readonly Rename[] {
  const [typeBefore, typeAfter] = [before.typesByUid[uid], after.typesByUid[uid]];
  if (typeBefore === undefined || typeAfter === undefined) return [];
  const [oldStorage, newStorage] = [
    storageOf(typeBefore.attributes[from]),
    storageOf(typeAfter.attributes[to]),
  ];
  const tables: readonly Rename[] =
    oldStorage.linkTable === null ||
    newStorage.linkTable === null ||
    oldStorage.linkTable === newStorage.linkTable
      ? []
      : [{ kind: 'table', from: oldStorage.linkTable, to: newStorage.linkTable }];
  return [...columnRenames(typeAfter, oldStorage, newStorage), ...tables];
}

/**
 * Components are stored as JSON with attribute names as keys, which no migration renames.
 *
 * @throws `scaffold/rename-in-component` where the component is used
 */
export function assertRenamable(model: ContentModel, uid: Uid, attribute: string): void {
  const component = model.componentsByUid[uid];
  if (component === undefined) return;
  const usages = findComponentUsages(component, [...model.types, ...model.components]);
  if (usages.length > 0)
    throw createError('scaffold/rename-in-component', {
      component: uid,
      attribute,
      locations: usages.join(', '),
    });
}
