import { getOrCreate } from '../../lib/collections.js';
import { SYSTEM_FIELDS } from '../../model/content-types/attribute-names.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { Attribute, ContentModel, ContentSchema, ContentType } from '../../model/model.js';
import { includesType } from '../source.js';
import type { ContentSelection, ContentSource, SchemaRecord } from '../source.js';

/** Content that the import omits or changes. */
export interface Finding {
  /** `api::article.article subtitle`, `admin::user` */
  readonly what: string;
  readonly reason: string;
  readonly count: number;
  /** True if content is lost that the project could hold. Such an import must be confirmed. */
  readonly isLoss: boolean;
}

interface FindingKey {
  readonly what: string;
  readonly reason: string;
  readonly isLoss?: boolean;
}

/** Counts the content that an import omits or changes, by place and reason. */
export class ImportFindings {
  readonly #findings = new Map<string, { readonly key: FindingKey; count: number }>();

  add(key: FindingKey, count = 1): void {
    getOrCreate(this.#findings, `${key.what}\n${key.reason}`, () => ({ key, count: 0 })).count += count;
  }

  all(): readonly Finding[] {
    return [...this.#findings.values()].map(({ key, count }) => ({
      what: key.what,
      reason: key.reason,
      count,
      isLoss: key.isLoss === true,
    }));
  }
}

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

/** True if an attribute of Strapi is derived from others, or belongs to a feature that is never imported. */
export function isDerived(uid: string, attribute: string): boolean {
  return DERIVED.has(attribute) || (uid === FILE_UID && DERIVED_OF_FILES.has(attribute));
}

/** The part of the content model that an import writes. */
export interface ImportModel {
  readonly model: ContentModel;
  readonly schemas: ReadonlyMap<string, SchemaRecord>;
  /** Returns the content-type with a uid if its documents are imported. */
  readonly selected: (uid: string) => ContentType | undefined;
}

function schemaOf(model: ContentModel, uid: string): ContentSchema | undefined {
  return model.typesByUid[uid] ?? model.componentsByUid[uid];
}

function attributeNamed(schema: ContentSchema, name: string): Attribute | undefined {
  return Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
}

export function createImportModel(
  model: ContentModel,
  schemas: ReadonlyMap<string, SchemaRecord>,
  selection: ContentSelection,
): ImportModel {
  const selected = (uid: string): ContentType | undefined =>
    includesType(selection, uid) ? model.typesByUid[uid] : undefined;
  return { model, schemas, selected };
}

/** Difference between a schema of an export and that of the project. */
export interface SchemaDifference {
  readonly schema: string;
  /** Null: the schema as a whole. */
  readonly attribute: string | null;
  readonly message: string;
}

/** Types whose values can be stored in each other without loss. */
const TEXTS = new Set(['string', 'text', 'richtext', 'email', 'uid', 'enumeration', 'password']);

const typeName = (attribute: Attribute): string => {
  if (attribute.family === 'component') return `component ${attribute.component}`;
  return attribute.type;
};

const strapiTypeName = ({ type, component }: Readonly<Record<string, unknown>>): string =>
  type === 'component' ? `component ${String(component)}` : String(type);

const isAlike = (attribute: Attribute, record: Readonly<Record<string, unknown>>): boolean => {
  const [here, there] = [typeName(attribute), strapiTypeName(record)];
  return here === there || (TEXTS.has(here) && TEXTS.has(there));
};

const compareAttributes = (
  record: SchemaRecord,
  schema: ContentSchema,
  origin: string,
): readonly SchemaDifference[] => {
  const differences = Object.entries(record.attributes).flatMap(
    ([name, options]): readonly SchemaDifference[] => {
      if (isDerived(record.uid, name) || schema.ignoredAttributes.includes(name)) return [];
      const attribute = attributeNamed(schema, name);
      const difference = (message: string) => [{ schema: record.uid, attribute: name, message }];
      if (attribute === undefined)
        return difference(`the project has no such attribute (${strapiTypeName(options)})`);
      return isAlike(attribute, options)
        ? []
        : difference(`is ${strapiTypeName(options)} in ${origin} and ${typeName(attribute)} here`);
    },
  );
  const added = Object.keys(schema.attributes).filter((name) => !Object.hasOwn(record.attributes, name));
  return [
    ...differences,
    ...added.map((name) => ({ schema: record.uid, attribute: name, message: 'is new here and stays empty' })),
  ];
};

const compareOptions = (
  record: SchemaRecord,
  schema: ContentSchema,
  origin: string,
): readonly SchemaDifference[] => {
  if (!('draftAndPublish' in schema)) return [];
  const i18n = record.pluginOptions?.['i18n'] as { readonly localized?: unknown } | undefined;
  const differences: SchemaDifference[] = [];
  const compare = (name: string, there: boolean, here: boolean): void => {
    if (there === here) return;
    const [has, hasHere] = [there ? 'has' : 'has no', here ? 'has them' : 'has none'];
    const message = `${has} ${name} in ${origin} and ${hasHere} here`;
    differences.push({ schema: record.uid, attribute: null, message });
  };
  compare('drafts', record.options?.['draftAndPublish'] === true, schema.draftAndPublish);
  compare('locales', i18n?.localized === true, schema.localized);
  return differences;
};

/** True for types of Strapi's plugins and of its administration panel. */
const isInternal = (uid: string): boolean => /^(?:admin|plugin)::/.test(uid);

/** Returns the differences between the schemas of an export and those of the project. */
export function compareSchemas(
  { model, schemas }: ImportModel,
  product: ContentSource['product'],
): readonly SchemaDifference[] {
  const origin = product === 'Strapi' ? product : 'the archive';
  return [...schemas.values()].flatMap((record) => {
    const schema = schemaOf(model, record.uid);
    if (schema !== undefined)
      return isInternal(record.uid)
        ? compareAttributes(record, schema, origin).filter(({ message }) => !message.startsWith('is new'))
        : [...compareOptions(record, schema, origin), ...compareAttributes(record, schema, origin)];
    const missing = { schema: record.uid, attribute: null, message: 'the project has no such schema' };
    return isInternal(record.uid) ? [] : [missing];
  });
}
