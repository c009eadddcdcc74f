import type { ProjectRename } from '../../app/project-renames.js';
import type { ContentModel, ContentSchema, ContentType } from '../../model/model.js';
import { storageOf } from '../migrations/attribute-storage.js';

type RenameOf<K extends ProjectRename['kind']> = Extract<ProjectRename, { readonly kind: K }>;

/** Old names and new ones. */
type Names = readonly [from: string, to: string];

export const isType = (schema: ContentSchema): schema is ContentType => 'pluralName' in schema;

const uidOfTable = ({ types }: ContentModel, table: string): string | undefined =>
  types.find(({ storage }) => storage.version.table === table)?.uid;

/** Types and components with another uid, by the old one. */
export function renamedSchemas(
  before: ContentModel,
  after: ContentModel,
  renames: readonly ProjectRename[],
): ReadonlyMap<string, string> {
  return new Map(
    renames.flatMap((rename): readonly Names[] => {
      if (rename.kind === 'component') return [[rename.from, rename.to]];
      if (rename.kind !== 'table') return [];
      const [from, to] = [uidOfTable(before, rename.from), uidOfTable(after, rename.to)];
      return from === undefined || to === undefined || from === to ? [] : [[from, to]];
    }),
  );
}

const attributeWith = (
  { attributes }: ContentSchema,
  isStoredAs: (storage: ReturnType<typeof storageOf>) => boolean,
): string | undefined =>
  Object.values(attributes).find((attribute) => isStoredAs(storageOf(attribute)))?.name;

const isTableOf = (schema: ContentSchema, table: string): boolean =>
  isType(schema) && schema.storage.version.table === table;

const storedNames = (
  before: ContentSchema,
  after: ContentSchema,
  rename: RenameOf<'column' | 'table'>,
): readonly (string | undefined)[] => {
  if (rename.kind === 'table')
    return [
      attributeWith(before, ({ linkTable }) => linkTable === rename.from),
      attributeWith(after, ({ linkTable }) => linkTable === rename.to),
    ];
  if (!isTableOf(before, rename.table) && !isTableOf(after, rename.table)) return [];
  return [
    attributeWith(before, ({ columns }) => columns.includes(rename.from)),
    attributeWith(after, ({ columns }) => columns.includes(rename.to)),
  ];
};

const namesOf = (
  before: ContentSchema,
  after: ContentSchema,
  rename: ProjectRename,
): readonly (string | undefined)[] => {
  if (rename.kind === 'component') return [];
  if (rename.kind === 'column' || rename.kind === 'table') return storedNames(before, after, rename);
  return rename.component === before.uid || rename.component === after.uid ? [rename.from, rename.to] : [];
};

/** Attributes with another name, by the old one: those of which only one schema has each name. */
export function renamedAttributes(
  before: ContentSchema,
  after: ContentSchema,
  renames: readonly ProjectRename[],
): ReadonlyMap<string, string> {
  return new Map(
    renames.flatMap((rename): readonly Names[] => {
      const [from, to] = namesOf(before, after, rename);
      if (from === undefined || to === undefined) return [];
      const isCurrent = after.attributes[from] === undefined && before.attributes[to] === undefined;
      return isCurrent && after.attributes[to] !== undefined ? [[from, to]] : [];
    }),
  );
}
