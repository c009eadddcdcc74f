import { fail } from '../errors/catalogue.js';
import { nearest } from '../lib/nearest.js';
import { ATTRIBUTE_TYPES, attributeOptions, MEDIA_KINDS, RELATION_KINDS } from './attribute-options.js';
import type { OptionKind } from './attribute-options.js';

/** An attribute as a schema file holds it: `{"type": "string", "required": true}`. */
export type AttributeJson = Readonly<Record<string, unknown>>;

export interface NamedAttribute {
  readonly name: string;
  readonly json: AttributeJson;
}

/** Keys in the order files are written in; the rest follows in the order given. */
const KEY_ORDER = [
  'type', 'relation', 'target', 'inversedBy', 'mappedBy', 'morphBy', 'component', 'repeatable', 'components', 'multiple', 'allowedTypes', 'enum', 'targetField',
  'default', 'required', 'unique', 'private', 'configurable', 'minLength', 'maxLength', 'min', 'max', 'regex', 'pluginOptions',
];

const rank = (key: string): number => (KEY_ORDER.includes(key) ? KEY_ORDER.indexOf(key) : KEY_ORDER.length);

/** The same attribute with its keys in the order of schema files. */
export function orderAttribute(json: AttributeJson): AttributeJson {
  return Object.fromEntries(Object.entries(json).toSorted(([left], [right]) => rank(left) - rank(right)));
}

interface Option {
  readonly key: string;
  /** Null for a bare word: `required`. */
  readonly value: string | null;
}

/** Splits at a separator that no backslash protects; the protecting backslash goes. */
const splitAt = (text: string, separator: ',' | '|'): readonly string[] => {
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

const readOptions = (text: string): readonly Option[] =>
  splitAt(text, ',').filter((part) => part.trim() !== '').map((part) => {
    const equals = part.indexOf('=');
    return equals === -1 ? { key: part.trim(), value: null } : { key: part.slice(0, equals).trim(), value: part.slice(equals + 1) };
  });

const refuse = (shorthand: string, reason: string, remedy: string): Error => fail('scaffold/invalid-attribute', { shorthand, reason, remedy });

const suggest = (word: string, known: readonly string[]): string => {
  const close = nearest(word, known);
  return close === undefined ? `Known are ${known.join(', ')}.` : `Did you mean ${close}?`;
};

const readFlag = (shorthand: string, { key, value }: Option): boolean => {
  if (value === null || value === 'true') return true;
  if (value === 'false') return false;
  throw refuse(shorthand, `${key} is ${value}`, `Write ${key} or ${key}=false.`);
};

const readNumber = (shorthand: string, { key, value }: Option, whole: boolean): number => {
  const number = Number(value);
  if (value === null || value.trim() === '' || !Number.isFinite(number) || (whole && (!Number.isInteger(number) || number < 0))) {
    throw refuse(shorthand, `${key} is ${value ?? 'empty'}`, `Write a number: ${key}=10`);
  }
  return number;
};

/** A bound of a biginteger stays text, as it may be beyond what a JSON number holds. */
const readBound = (shorthand: string, type: string, option: Option): number | string => {
  if (type !== 'biginteger') return readNumber(shorthand, option, false);
  if (option.value === null || !/^-?\d+$/.test(option.value)) throw refuse(shorthand, `${option.key} is ${option.value ?? 'empty'}`, `Write a whole number: ${option.key}=10`);
  return option.value;
};

const readDefault = (shorthand: string, type: string, option: Option): unknown => {
  if (type === 'boolean') return readFlag(shorthand, option);
  if (type === 'integer' || type === 'float' || type === 'decimal') return readNumber(shorthand, option, false);
  if (type !== 'json' && type !== 'blocks') return option.value ?? '';
  try {
    return JSON.parse(option.value ?? '') as unknown;
  } catch {
    throw refuse(shorthand, 'default is not valid JSON', 'Write for instance default={"a":1}; a comma inside is written \\,');
  }
};

const readText = (shorthand: string, { key, value }: Option): string => {
  if (value === null || value === '') throw refuse(shorthand, `${key} has no value`, `Write ${key}=…`);
  return value;
};

const readValue = (shorthand: string, type: string, kind: OptionKind, option: Option): unknown => {
  switch (kind) {
    case 'flag':
      return readFlag(shorthand, option);
    case 'count':
      return readNumber(shorthand, option, true);
    case 'bound':
      return readBound(shorthand, type, option);
    case 'value':
      return readDefault(shorthand, type, option);
    case 'list':
      return splitAt(readText(shorthand, option), '|').map((item) => item.trim());
    case 'text':
      return readText(shorthand, option);
  }
};

/** `manyToOne` alone says `relation=manyToOne`. */
const spellOut = (type: string, option: Option): Option =>
  type === 'relation' && option.value === null && RELATION_KINDS.some((kind) => kind === option.key) ? { key: 'relation', value: option.key } : option;

const requireOption = (shorthand: string, type: string, json: AttributeJson, key: string, example: string): void => {
  if (json[key] === undefined) throw refuse(shorthand, `a ${type} needs ${key}`, `Write for instance ${example}`);
};

const requireOneOf = (shorthand: string, what: string, values: unknown, known: readonly string[]): void => {
  for (const value of [values].flat()) {
    if (!known.includes(String(value))) throw refuse(shorthand, `${what} is ${String(value)}`, suggest(String(value), known));
  }
};

const POLYMORPHIC = new Set(['morphToOne', 'morphToMany']);

const checkRelation = (shorthand: string, json: AttributeJson): void => {
  requireOption(shorthand, 'relation', json, 'relation', 'author:relation:manyToOne,target=author,inversedBy=articles');
  requireOneOf(shorthand, 'the kind of relation', json['relation'], RELATION_KINDS);
  if (!POLYMORPHIC.has(String(json['relation']))) requireOption(shorthand, 'relation', json, 'target', `author:relation:${String(json['relation'])},target=author`);
};

const CHECKS: Readonly<Record<string, (shorthand: string, json: AttributeJson) => void>> = {
  relation: checkRelation,
  enumeration: (shorthand, json) => requireOption(shorthand, 'enumeration', json, 'enum', 'kind:enumeration:enum=news|opinion'),
  component: (shorthand, json) => requireOption(shorthand, 'component', json, 'component', 'seo:component:component=shared.seo'),
  dynamiczone: (shorthand, json) => requireOption(shorthand, 'dynamiczone', json, 'components', 'sections:dynamiczone:components=sections.quote|sections.text'),
  media: (shorthand, json) => {
    if (json['allowedTypes'] !== undefined) requireOneOf(shorthand, 'a media type', json['allowedTypes'], MEDIA_KINDS);
  },
};

/** `localized` is written where Strapi has it. */
const withPluginOptions = ({ localized, ...json }: Record<string, unknown>): AttributeJson =>
  localized === undefined ? json : { ...json, pluginOptions: { i18n: { localized } } };

const completeMedia = (json: AttributeJson): AttributeJson => (json['type'] === 'media' ? { multiple: false, ...json } : json);
const completeComponent = (json: AttributeJson): AttributeJson => (json['type'] === 'component' ? { repeatable: false, ...json } : json);

/**
 * Reads an attribute from the shorthand of the command line: `name:type[:option,option=value,…]`. Lists are separated by `|`; a backslash
 * before a comma or a bar keeps it. Targets and components are taken as written; whether they exist is for the caller to know.
 *
 * @example parseAttributeShorthand('title:string:required,maxLength=120')
 * @throws `scaffold/invalid-attribute` with the nearest type or option.
 */
export function parseAttributeShorthand(shorthand: string): NamedAttribute {
  const [name = '', type = '', ...rest] = shorthand.split(':');
  if (name.trim() === '' || type.trim() === '') throw refuse(shorthand, 'it has no type', 'Write name:type, for instance title:string');
  const options = attributeOptions(type.trim());
  if (options === undefined) throw refuse(shorthand, `there is no type ${type}`, suggest(type, ATTRIBUTE_TYPES));
  const json: Record<string, unknown> = { type: type.trim() };
  for (const option of readOptions(rest.join(':')).map((given) => spellOut(type.trim(), given))) {
    const kind = Object.hasOwn(options, option.key) ? options[option.key] : undefined;
    if (kind === undefined) throw refuse(shorthand, `a ${type} has no option ${option.key}`, suggest(option.key, Object.keys(options)));
    json[option.key] = readValue(shorthand, type.trim(), kind, option);
  }
  CHECKS[type.trim()]?.(shorthand, json);
  return { name: name.trim(), json: orderAttribute(completeMedia(completeComponent(withPluginOptions(json)))) };
}
