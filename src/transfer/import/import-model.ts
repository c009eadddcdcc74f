import { SYSTEM_FIELDS } from '../../model/content-types/attribute-names.js';
import { FILE_UID } from '../../model/content-types/builtin/registry.js';
import type { Attribute, ContentModel, ContentSchema, ContentType } from '../../model/model.js';
import type { SchemaRecord } from '../source.js';
import type { ImportOptions } from './import-options.js';

export const LOCALE_UID = 'plugin::i18n.locale';
export const FOLDER_UID = 'plugin::upload.folder';

/** Attributes that Strapi adds to every type, and those that only its administration panel uses. */
const DERIVED = new Set([
  ...SYSTEM_FIELDS,
  'documentId',
  'id',
  'strapi_stage',
  'strapi_assignee',
  '__component',
]);

const DERIVED_OF_FILES = new Set(['folder', 'folderPath', 'related']);

/** True if an attribute of Strapi's is made from others, or belongs to what is not imported at all. */
export function isDerived(uid: string, attribute: string): boolean {
  return DERIVED.has(attribute) || (uid === FILE_UID && DERIVED_OF_FILES.has(attribute));
}

/** The content model as far as an import writes it. */
export interface ImportModel {
  readonly model: ContentModel;
  readonly schemas: ReadonlyMap<string, SchemaRecord>;
  /** The content-type with that uid if its documents are imported. */
  readonly selected: (uid: string) => ContentType | undefined;
}

export function schemaOf(model: ContentModel, uid: string): ContentSchema | undefined {
  return model.typesByUid[uid] ?? model.componentsByUid[uid];
}

/** The attribute of that name. Derived ones are none, unless the project's own schema has one. */
export function attributeNamed(schema: ContentSchema, name: string): Attribute | undefined {
  return Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
}

export function createImportModel(
  model: ContentModel,
  schemas: ReadonlyMap<string, SchemaRecord>,
  { parts, types }: Pick<ImportOptions, 'parts' | 'types'>,
): ImportModel {
  const isSelected = (uid: string): boolean =>
    parts.has(uid === FILE_UID ? 'files' : 'content') && (types === null || types.has(uid));
  return { model, schemas, selected: (uid) => (isSelected(uid) ? model.typesByUid[uid] : undefined) };
}
