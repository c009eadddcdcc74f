import { snakeCase } from '../../lib/names.js';
import { isRecord } from '../../lib/records.js';
import type { JsonPath } from '../../lib/json.js';
import { withSuggestion } from '../../lib/nearest.js';
import { isScalarTypeName } from '../fields/registry.js';
import { RESERVED_ATTRIBUTE_NAMES, isAttributeName, isUsableName, reservedScope } from './attribute-names.js';
import { checkOptionForms, ATTRIBUTE_TYPE_NAMES } from './schema-options.js';
import type { AttributeDefinition } from './definition.js';
import type { FileProblems } from './schema-file.js';

/** Base types of the custom fields of well-known plugins. */
const BASE_TYPES: Readonly<Record<string, string>> = {
  'plugin::color-picker.color': 'string',
  'plugin::ckeditor.CKEditor': 'richtext',
  'plugin::ckeditor5.CKEditor': 'richtext',
  'plugin::multi-select.multi-select': 'json',
  'plugin::country-select.country': 'string',
  'plugin::tagsinput.tags': 'json',
  'plugin::oembed.oembed': 'json',
  'plugin::react-icons.icon': 'string',
};

const RICH_TEXT_PATTERN = /editor|tiptap|tinymce|quill|wysiwyg|markdown/i;

interface CustomFieldBase {
  readonly type: string;
  /** False: the base type is unknown and assumed to be text. */
  readonly isKnown: boolean;
}

/** Returns the attribute type that a custom field acts as. */
function customFieldBase(customField: string): CustomFieldBase {
  const type = Object.hasOwn(BASE_TYPES, customField) ? BASE_TYPES[customField] : undefined;
  if (type !== undefined) return { type, isKnown: true };
  return { type: RICH_TEXT_PATTERN.test(customField) ? 'richtext' : 'string', isKnown: false };
}

export type SchemaKind = 'type' | 'component';

/** Reports a name that an attribute cannot have. Returns whether the attribute is to be kept. */
const checkName = (name: string, schemaKind: SchemaKind, problems: FileProblems): boolean => {
  const location = { path: ['attributes', name], attribute: name };
  if (!isAttributeName(name)) {
    const isUsable = isUsableName(name);
    problems.add({
      ...location,
      severity: 'warning',
      code: 'invalid-name',
      message:
        `"${name}" is not a valid attribute name: letters, digits, _ and - only, a letter or _ first; ` +
        (isUsable ? 'GraphQL leaves it out' : 'the attribute is left out'),
      allowed: ['letters, digits, _ and -, a letter or _ first'],
    });
    return isUsable;
  }
  const reserved = reservedScope(name);
  if (reserved === null || (reserved !== 'always' && schemaKind === 'component')) return true;
  if (reserved === 'system-field') {
    problems.add({
      ...location,
      severity: 'warning',
      code: 'reserved-name',
      message: `every document has a field "${name}"; the attribute is ignored`,
    });
    return false;
  }
  problems.add({
    ...location,
    code: 'reserved-name',
    message:
      `the attribute name "${name}" is reserved for the system; ` +
      `choose another (reserved: ${RESERVED_ATTRIBUTE_NAMES.join(', ')})`,
  });
  return true;
};

/** Reports scalar attributes that share a column. Other attributes have longer column names. */
const checkDistinctColumns = (attributes: readonly AttributeDefinition[], problems: FileProblems): void => {
  const nameByColumn = new Map<string, string>();
  for (const { name } of attributes.filter(({ type }) => isScalarTypeName(type))) {
    const column = snakeCase(name);
    const other = nameByColumn.get(column);
    if (other === undefined) nameByColumn.set(column, name);
    else
      problems.add({
        code: 'duplicate-name',
        path: ['attributes', name],
        attribute: name,
        message: `"${name}" and "${other}" are the same column in the database (${column}); rename one`,
      });
  }
};

/** Types that Strapi's admin panel knows and its database does not. */
const VIRTUAL_TYPES: readonly string[] = ['number', 'checkbox'];

/** True for an enumeration without values, which can only be null. */
const isEmptyEnumeration = (type: string, { enum: values }: Readonly<Record<string, unknown>>): boolean =>
  type === 'enumeration' && Array.isArray(values) && values.length === 0;

/** Returns the type of an attribute, or the base type of its custom field. Null after reporting a problem. */
const readType = (
  name: string,
  value: Readonly<Record<string, unknown>>,
  problems: FileProblems,
): string | null => {
  const { type, customField } = value;
  const location = { path: ['attributes', name, 'type'], attribute: name };
  if (typeof type !== 'string') {
    problems.add({
      ...location,
      code: 'missing-type',
      message: 'the attribute has no "type"',
      allowed: ATTRIBUTE_TYPE_NAMES,
    });
    return null;
  }
  if (type !== 'customField') {
    if (ATTRIBUTE_TYPE_NAMES.includes(type)) return type;
    if (VIRTUAL_TYPES.includes(type)) {
      problems.add({
        ...location,
        severity: 'warning',
        code: 'unknown-type',
        message: `values of the type "${type}" are not stored, in Strapi neither; the attribute is left out`,
        allowed: ATTRIBUTE_TYPE_NAMES,
      });
      return null;
    }
    problems.add({
      ...location,
      code: 'unknown-type',
      message: withSuggestion(`there is no attribute type "${type}"`, type, ATTRIBUTE_TYPE_NAMES),
      allowed: ATTRIBUTE_TYPE_NAMES,
    });
    return type;
  }
  if (typeof customField !== 'string' || customField === '') {
    problems.add({
      ...location,
      code: 'missing-option',
      message: 'a custom field needs "customField", the name of the field',
    });
    return null;
  }
  const base = customFieldBase(customField);
  if (!base.isKnown)
    problems.add({
      ...location,
      severity: 'warning',
      code: 'unknown-custom-field',
      message: `the custom field ${customField} is not known here; the attribute acts as ${base.type}`,
    });
  return base.type;
};

const parseAttribute = (
  name: string,
  value: unknown,
  problems: FileProblems,
  lineOf: (path: JsonPath) => number,
): AttributeDefinition | null => {
  if (!isRecord(value)) {
    problems.add({
      code: 'invalid-attribute',
      path: ['attributes', name],
      attribute: name,
      message: 'an attribute must be an object with a "type"',
    });
    return null;
  }
  const type = readType(name, value, problems);
  if (type === null) return null;
  if (isEmptyEnumeration(type, value)) {
    problems.add({
      severity: 'warning',
      code: 'missing-option',
      path: ['attributes', name, 'enum'],
      attribute: name,
      message: 'the enumeration lists no values; the attribute is left out',
    });
    return null;
  }
  const { type: _type, ...options } = value;
  const optionLines = Object.fromEntries(
    ['type', ...Object.keys(options)].map((option) => [option, lineOf(['attributes', name, option])]),
  );
  const attribute: AttributeDefinition = {
    name,
    type,
    options,
    line: lineOf(['attributes', name]),
    optionLines,
  };
  if (ATTRIBUTE_TYPE_NAMES.includes(type)) checkOptionForms(attribute, problems);
  return attribute;
};

/**
 * Parses `attributes`. Invalid attributes are reported and left out; attributes of an unknown type are
 * reported and kept.
 */
export function parseAttributes(
  value: unknown,
  schemaKind: SchemaKind,
  problems: FileProblems,
  lineOf: (path: JsonPath) => number,
): readonly AttributeDefinition[] {
  if (!isRecord(value)) {
    problems.add({
      code: value === undefined ? 'missing-key' : 'invalid-value',
      path: ['attributes'],
      message: '"attributes" must be an object with the attributes by name',
    });
    return [];
  }
  const names = Object.keys(value);
  const kept = names.filter((name) => checkName(name, schemaKind, problems));
  const attributes = kept.flatMap((name) => parseAttribute(name, value[name], problems, lineOf) ?? []);
  checkDistinctColumns(attributes, problems);
  return attributes;
}
