import { ATTRIBUTE_NAME_SCHEMA } from '../../model/content-types/attribute-names.js';
import {
  jsonSchemaOfOption,
  ATTRIBUTE_TYPE_NAMES,
  knownOptions,
} from '../../model/content-types/schema-options.js';
import {
  COMPONENT_KEYS,
  INFO_KEYS,
  KEBAB,
  KINDS,
  TYPE_KEYS,
} from '../../model/content-types/parse-schema.js';
import { fieldType } from '../../model/fields/registry.js';
import { CALLER, MEDIA_KINDS } from '../../model/model.js';
import { RELATION_KINDS, relationHasTarget } from '../../model/relation-ends.js';

type JsonSchema = Readonly<Record<string, unknown>>;

const ANY: JsonSchema = {};
const TEXT: JsonSchema = { type: 'string' };
const TEXT_LIST: JsonSchema = { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1 };
const LOCALIZED: JsonSchema = {
  type: 'object',
  properties: { i18n: { type: 'object', properties: { localized: { type: 'boolean' } } } },
};

const DEFAULTS: Readonly<Record<string, JsonSchema>> = {
  boolean: { type: 'boolean' },
  enumeration: TEXT,
  integer: { type: 'integer' },
  relation: { const: CALLER },
  string: TEXT,
  text: TEXT,
};

/** Bounds are values of the attribute; those beyond the precision of numbers are written as text. */
const boundOf = (type: string): JsonSchema =>
  fieldType(type)?.column === 'bigint' ? { type: ['integer', 'string'] } : { type: 'number' };

const SPECIAL: Readonly<Record<string, (type: string) => JsonSchema>> = {
  min: boundOf,
  max: boundOf,
  enum: () => TEXT_LIST,
  default: (type) => DEFAULTS[type] ?? ANY,
  relation: () => ({ enum: RELATION_KINDS }),
  allowedTypes: () => ({ type: 'array', items: { enum: MEDIA_KINDS } }),
  pluginOptions: () => LOCALIZED,
};

const optionSchema = (type: string, option: string): JsonSchema =>
  (option === 'min' || option === 'max' ? jsonSchemaOfOption(type, option) : null) ??
  SPECIAL[option]?.(type) ??
  jsonSchemaOfOption(type, option) ??
  ANY;

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  component: ['component'],
  customField: ['customField'],
  dynamiczone: ['components'],
  enumeration: ['enum'],
  relation: ['relation'],
};

/** Returns a rule for values of a key. Uses `else`, since an object with `then` looks like a promise. */
const when = (key: string, values: readonly string[], rule: JsonSchema): JsonSchema => ({
  if: { not: { properties: { [key]: { enum: values } }, required: [key] } },
  else: rule,
});

/** A relation names its target, unless it refers to documents of any type. */
const TARGET_RULE = when('relation', RELATION_KINDS.filter(relationHasTarget), { required: ['target'] });

/**
 * Returns the schema of an attribute of a type. Custom fields may have the options of the type that they act
 * as.
 */
const attributeSchema = (type: string): JsonSchema => {
  const names = knownOptions(type);
  const properties = Object.fromEntries(names.map((option) => [option, optionSchema(type, option)]));
  return {
    properties: { type: { const: type }, ...properties },
    required: ['type', ...(REQUIRED[type] ?? [])],
    ...(type === 'customField' ? {} : { additionalProperties: false }),
    ...(type === 'relation' ? TARGET_RULE : {}),
  };
};

const TYPE_NAMES = [...ATTRIBUTE_TYPE_NAMES, 'customField'];

/** One rule per type, so that an editor completes the options of the type that was chosen. */
const attributesSchema: JsonSchema = {
  type: 'object',
  propertyNames: ATTRIBUTE_NAME_SCHEMA,
  additionalProperties: {
    type: 'object',
    required: ['type'],
    properties: { type: { enum: TYPE_NAMES } },
    allOf: TYPE_NAMES.map((type) => when('type', [type], attributeSchema(type))),
  },
};

const infoSchema = (required: readonly string[]): JsonSchema => ({
  type: 'object',
  required,
  properties: {
    ...Object.fromEntries(INFO_KEYS.map((key) => [key, TEXT])),
    singularName: { type: 'string', pattern: KEBAB.source },
    pluralName: { type: 'string', pattern: KEBAB.source },
  },
  additionalProperties: false,
});

const OPTIONS: JsonSchema = {
  type: 'object',
  properties: { draftAndPublish: { type: 'boolean' }, history: { type: 'integer', minimum: 0 } },
};

const fileSchema = (title: string, keys: readonly string[], properties: JsonSchema): string => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title,
    type: 'object',
    required: ['info', 'attributes'],
    properties: {
      ...Object.fromEntries(keys.map((key) => [key, key === 'config' ? ANY : TEXT])),
      options: OPTIONS,
      pluginOptions: LOCALIZED,
      attributes: attributesSchema,
      ...properties,
    },
    additionalProperties: false,
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
};

/** The paths of the printed files in a project. */
export const FILE_SCHEMAS = {
  contentType: 'types/content-type.schema.json',
  component: 'types/component.schema.json',
} as const;

/**
 * Prints the JSON Schemas of the files of content-types and components, from which editors complete and
 * check them. They follow from the registry of attribute types, and are the same for all projects.
 */
export function printFileSchemas(): readonly { readonly path: string; readonly text: string }[] {
  const contentType = fileSchema('Content-type', TYPE_KEYS, {
    kind: { enum: KINDS },
    info: infoSchema(['singularName', 'pluralName']),
  });
  const component = fileSchema('Component', COMPONENT_KEYS, { info: infoSchema([]) });
  return [
    { path: FILE_SCHEMAS.component, text: component },
    { path: FILE_SCHEMAS.contentType, text: contentType },
  ];
}
