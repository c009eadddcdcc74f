import { fail } from '../../errors/catalogue.js';
import type { Rename } from '../../migrations/rename-in-schema.js';
import type { Attribute, ContentModel, ContentType, Link, Uid } from '../../model/model.js';
import { placesOf } from './describe.js';

export interface AttributeRename {
  readonly uid: Uid;
  readonly from: string;
  readonly to: string;
}

/** The database's names an attribute has of its own, in the same order before and after: columns of the type's table, and its link table. */
interface OwnNames {
  readonly columns: readonly string[];
  readonly table: string | null;
}

const namesOfLink = (link: Link): OwnNames =>
  link.kind === 'column' ? { columns: [link.column, ...(link.position === null ? [] : [link.position.column])], table: null } : { columns: [], table: link.table };

const namesOf = (attribute: Attribute | undefined): OwnNames => {
  if (attribute === undefined) return { columns: [], table: null };
  if ('column' in attribute) return { columns: [attribute.column.name], table: null };
  return attribute.link === null || attribute.side === 'inverse' ? { columns: [], table: null } : namesOfLink(attribute.link);
};

const columnRenames = (type: ContentType, before: OwnNames, after: OwnNames): readonly Rename[] =>
  before.columns.flatMap((from, index): readonly Rename[] => {
    const to = after.columns[index];
    return to === undefined || to === from ? [] : [{ kind: 'column', table: type.storage.version.table, from, to }];
  });

/** What keeps its data under another name when an attribute is renamed. The inverse side of a relation has no names of its own. */
export function renamesOf(before: ContentModel, after: ContentModel, { uid, from, to }: AttributeRename): readonly Rename[] {
  const [typeBefore, typeAfter] = [before.typesByUid[uid], after.typesByUid[uid]];
  if (typeBefore === undefined || typeAfter === undefined) return [];
  const [own, wanted] = [namesOf(typeBefore.attributes[from]), namesOf(typeAfter.attributes[to])];
  const tables: readonly Rename[] = own.table === null || wanted.table === null || own.table === wanted.table ? [] : [{ kind: 'table', from: own.table, to: wanted.table }];
  return [...columnRenames(typeAfter, own, wanted), ...tables];
}

/** Inside a component values are kept under their names in JSON, which no migration of columns reaches. @throws `scaffold/rename-in-component` */
export function assertRenamable(model: ContentModel, uid: Uid, attribute: string): void {
  const component = model.componentsByUid[uid];
  if (component === undefined) return;
  const places = placesOf(component, [...model.types, ...model.components]);
  if (places.length > 0) throw fail('scaffold/rename-in-component', { component: uid, attribute, places: places.join(', ') });
}
