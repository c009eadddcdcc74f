import { createError } from '../../errors/catalogue.js';
import { didYouMean } from '../../lib/nearest.js';
import { completeTime } from '../../model/fields/date-value.js';
import { MEDIA_KINDS } from '../../model/model.js';
import { ATTRIBUTE_TYPES, attributeOptions, RELATION_KINDS } from './attribute-options.js';
import type { OptionKind, OptionTable } from './attribute-options.js';

/** An attribute in the form of a schema file: `{"type": "string", "required": true}`. */
export type AttributeJson = Readonly<Record<string, unknown>>;

export interface NamedAttribute {
  readonly name: string;
  readonly json: AttributeJson;
}

/** The order of keys in schema files. Other keys follow in the order given. */
const KEY_ORDER = [
  'type',
  'relation',
  'target',
  'inversedBy',
  'mappedBy',
  'morphBy',
  'component',
  'repeatable',
  'components',
  'multiple',
  'allowedTypes',
  'enum',
  'targetField',
  'generate',
  'default',
  'required',
  'unique',
  'index',
  'search',
  'private',
  'configurable',
  'minLength',
  'maxLength',
  'min',
  'max',
  'regex',
  'pluginOptions',
];

const rank = (key: string): number => (KEY_ORDER.includes(key) ? KEY_ORDER.indexOf(key) : KEY_ORDER.length);

/** Returns the attribute with its keys in the order of schema files. */
export function orderAttribute(json: AttributeJson): AttributeJson {
  return Object.fromEntries(Object.entries(json).toSorted(([left], [right]) => rank(left) - rank(right)));
}

export interface AttributeOption {
  readonly key: string;
  /** Null for an option without a value: `required`. */
  readonly value: string | null;
}

/** Splits at separators that are not escaped by a backslash, and removes the escapes. */
const splitUnescaped = (text: string, separator: ',' | '|'): readonly string[] => {
  const parts: string[] = [''];
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === '\\' && text.charAt(index + 1) === separator) {
      parts[parts.length - 1] += separator;
      index++;
    } else if (char === separator) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts;
};

const parseOptions = (text: string): readonly AttributeOption[] =>
  splitUnescaped(text, ',')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      return equals === -1
        ? { key: part.trim(), value: null }
        : { key: part.slice(0, equals).trim(), value: part.slice(equals + 1) };
    });

const invalidAttribute = (shorthand: string, reason: string, remedy: string): Error =>
  createError('scaffold/invalid-attribute', { shorthand, reason, remedy });

const suggest = (word: string, allowedValues: readonly string[]): string =>
  didYouMean(word, allowedValues, `Valid are ${allowedValues.join(', ')}.`);

const parseFlag = (shorthand: string, { key, value }: AttributeOption): boolean => {
  if (value === null || value === 'true') return true;
  if (value === 'false') return false;
  throw invalidAttribute(shorthand, `${key} is ${value}`, `Write ${key} or ${key}=false.`);
};

const parseNumber = (shorthand: string, { key, value }: AttributeOption, isWhole: boolean): number => {
  const number = Number(value);
  if (
    value === null ||
    value.trim() === '' ||
    !Number.isFinite(number) ||
    (isWhole && (!Number.isInteger(number) || number < 0))
  ) {
    throw invalidAttribute(shorthand, `${key} is ${value ?? 'empty'}`, `Write a number: ${key}=10`);
  }
  return number;
};

/** Parses a bound of a biginteger as text, since it may exceed the range of a JSON number. */
const parseBound = (shorthand: string, type: string, option: AttributeOption): number | string => {
  if (type !== 'biginteger') return parseNumber(shorthand, option, false);
  if (option.value === null || !/^-?\d+$/.test(option.value))
    throw invalidAttribute(
      shorthand,
      `${option.key} is ${option.value ?? 'empty'}`,
      `Write a whole number: ${option.key}=10`,
    );
  return option.value;
};

const parseDefault = (shorthand: string, type: string, option: AttributeOption): unknown => {
  if (type === 'boolean') return parseFlag(shorthand, option);
  if (type === 'integer' || type === 'float' || type === 'decimal')
    return parseNumber(shorthand, option, false);
  if (type === 'time') return completeTime(option.value ?? '');
  if (type !== 'json' && type !== 'blocks') return option.value ?? '';
  try {
    return JSON.parse(option.value ?? '') as unknown;
  } catch {
    throw invalidAttribute(
      shorthand,
      'default is not valid JSON',
      'Write it as in default={"a":1}. Escape a comma as \\,',
    );
  }
};

const parseText = (shorthand: string, { key, value }: AttributeOption): string => {
  if (value === null || value === '')
    throw invalidAttribute(shorthand, `${key} has no value`, `Write ${key}=…`);
  return value;
};

const parseValue = (shorthand: string, type: string, kind: OptionKind, option: AttributeOption): unknown => {
  switch (kind) {
    case 'flag':
      return parseFlag(shorthand, option);
    case 'count':
      return parseNumber(shorthand, option, true);
    case 'bound':
      return parseBound(shorthand, type, option);
    case 'value':
      return parseDefault(shorthand, type, option);
    case 'list':
      return splitUnescaped(parseText(shorthand, option), '|').map((item) => item.trim());
    case 'text':
      return parseText(shorthand, option);
  }
};

/** Expands `manyToOne` to `relation=manyToOne`. */
const expandRelationKind = (type: string, option: AttributeOption): AttributeOption =>
  type === 'relation' && option.value === null && RELATION_KINDS.some((kind) => kind === option.key)
    ? { key: 'relation', value: option.key }
    : option;

const assertOption = (
  shorthand: string,
  type: string,
  json: AttributeJson,
  key: string,
  example: string,
): void => {
  if (json[key] === undefined)
    throw invalidAttribute(shorthand, `the type ${type} requires ${key}`, `Write it as in: ${example}`);
};

const assertOneOf = (
  shorthand: string,
  subject: string,
  values: unknown,
  allowedValues: readonly string[],
): void => {
  for (const value of [values].flat()) {
    if (!allowedValues.includes(String(value)))
      throw invalidAttribute(
        shorthand,
        `${subject} is ${String(value)}`,
        suggest(String(value), allowedValues),
      );
  }
};

const POLYMORPHIC = new Set(['morphToOne', 'morphToMany']);

const assertRelation = (shorthand: string, json: AttributeJson): void => {
  assertOption(
    shorthand,
    'relation',
    json,
    'relation',
    'author:relation:manyToOne,target=author,inversedBy=articles',
  );
  assertOneOf(shorthand, 'the kind of relation', json['relation'], RELATION_KINDS);
  if (!POLYMORPHIC.has(String(json['relation'])))
    assertOption(
      shorthand,
      'relation',
      json,
      'target',
      `author:relation:${String(json['relation'])},target=author`,
    );
};

const TYPE_ASSERTIONS: Readonly<Record<string, (shorthand: string, json: AttributeJson) => void>> = {
  relation: assertRelation,
  enumeration: (shorthand, json) =>
    assertOption(shorthand, 'enumeration', json, 'enum', 'kind:enumeration:enum=news|opinion'),
  component: (shorthand, json) =>
    assertOption(shorthand, 'component', json, 'component', 'seo:component:component=shared.seo'),
  dynamiczone: (shorthand, json) =>
    assertOption(
      shorthand,
      'dynamiczone',
      json,
      'components',
      'sections:dynamiczone:components=sections.quote|sections.text',
    ),
  media: (shorthand, json) => {
    if (json['allowedTypes'] !== undefined)
      assertOneOf(shorthand, 'a media type', json['allowedTypes'], MEDIA_KINDS);
  },
};

/** Writes `localized` to `pluginOptions.i18n`, as Strapi does. */
const withPluginOptions = ({ localized, ...json }: Record<string, unknown>): AttributeJson =>
  localized === undefined ? json : { ...json, pluginOptions: { i18n: { localized } } };

const withMediaDefaults = (json: AttributeJson): AttributeJson =>
  json['type'] === 'media' ? { multiple: false, ...json } : json;
/** A uid with a target field is generated from it, unless `generate` is set. */
const withUidDefaults = (json: Record<string, unknown>): Record<string, unknown> =>
  json['type'] === 'uid' && json['targetField'] !== undefined ? { generate: true, ...json } : json;
const withComponentDefaults = (json: AttributeJson): AttributeJson =>
  json['type'] === 'component' ? { repeatable: false, ...json } : json;

/**
 * Returns the options of a type.
 *
 * @throws `scaffold/invalid-attribute` with the nearest type
 */
export function parseAttributeType(shorthand: string, type: string): OptionTable {
  const options = attributeOptions(type);
  if (options === undefined)
    throw invalidAttribute(shorthand, `there is no type ${type}`, suggest(type, ATTRIBUTE_TYPES));
  return options;
}

/**
 * Parses the value of an option as its type requires.
 *
 * @throws `scaffold/invalid-attribute` with the nearest option
 */
export function parseAttributeOption(shorthand: string, type: string, option: AttributeOption): unknown {
  const options = parseAttributeType(shorthand, type);
  const kind = Object.hasOwn(options, option.key) ? options[option.key] : undefined;
  if (kind === undefined)
    throw invalidAttribute(
      shorthand,
      `the type ${type} has no option ${option.key}`,
      suggest(option.key, Object.keys(options)),
    );
  return parseValue(shorthand, type, kind, option);
}

/**
 * Checks that an attribute has the required options of its type, and returns it in the form of schema files.
 *
 * @throws `scaffold/invalid-attribute`
 */
export function completeAttribute(shorthand: string, json: AttributeJson): AttributeJson {
  TYPE_ASSERTIONS[String(json['type'])]?.(shorthand, json);
  return orderAttribute(withMediaDefaults(withComponentDefaults(json)));
}

/**
 * Parses the shorthand for an attribute: `name:type[:option,option=value,…]`. Lists are separated by `|`. A
 * backslash escapes a comma or a bar. Does not check that targets and components exist.
 *
 * @example
 *   parseAttributeShorthand('title:string:required,maxLength=120');
 *
 * @throws `scaffold/invalid-attribute` with the nearest type or option
 */
export function parseAttributeShorthand(shorthand: string): NamedAttribute {
  const [rawName = '', rawType = '', ...rest] = shorthand.split(':');
  const [name, type] = [rawName.trim(), rawType.trim()];
  if (name === '' || type === '')
    throw invalidAttribute(shorthand, 'it has no type', 'Write name:type, as in title:string');
  parseAttributeType(shorthand, type);
  const json: Record<string, unknown> = { type };
  for (const option of parseOptions(rest.join(':')).map((parsed) => expandRelationKind(type, parsed)))
    json[option.key] = parseAttributeOption(shorthand, type, option);
  return { name, json: completeAttribute(shorthand, withPluginOptions(withUidDefaults(json))) };
}
