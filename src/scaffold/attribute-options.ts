import { FIELD_TYPES, isScalarTypeName } from '../fields/registry.js';
import type { ScalarTypeName } from '../fields/field-type.js';

/** How the text of an option is read. `value` is what the attribute's own type holds, for `default`. */
export type OptionKind = 'flag' | 'count' | 'bound' | 'text' | 'list' | 'value';

export type OptionTable = Readonly<Record<string, OptionKind>>;

const BY_NAME: Readonly<Record<string, OptionKind>> = {
  min: 'bound',
  max: 'bound',
  minLength: 'count',
  maxLength: 'count',
  regex: 'text',
  enum: 'list',
  targetField: 'text',
};

const COMMON: OptionTable = { required: 'flag', private: 'flag', configurable: 'flag', localized: 'flag' };

/** Types no two documents can share a value of: lists and documents of JSON are compared by nobody. */
const NEVER_UNIQUE: ReadonlySet<ScalarTypeName> = new Set(['json', 'blocks', 'boolean', 'password']);

const scalarOptions = (type: ScalarTypeName): OptionTable => ({
  ...COMMON,
  default: 'value',
  ...(NEVER_UNIQUE.has(type) ? {} : { unique: 'flag' }),
  ...Object.fromEntries(FIELD_TYPES[type].options.map((name) => [name, BY_NAME[name] ?? 'text'])),
});

const SIDES: OptionTable = { inversedBy: 'text', mappedBy: 'text', morphBy: 'text' };

const STRUCTURED: Readonly<Record<string, OptionTable>> = {
  relation: { relation: 'text', target: 'text', ...SIDES, required: 'flag', private: 'flag', configurable: 'flag' },
  media: { multiple: 'flag', allowedTypes: 'list', ...COMMON },
  component: { component: 'text', repeatable: 'flag', min: 'count', max: 'count', ...COMMON },
  dynamiczone: { components: 'list', min: 'count', max: 'count', ...COMMON },
};

/** Every attribute type a schema file can name, in the order they are offered. */
export const ATTRIBUTE_TYPES: readonly string[] = [...Object.keys(FIELD_TYPES), ...Object.keys(STRUCTURED)];

export const RELATION_KINDS = ['oneToOne', 'oneToMany', 'manyToOne', 'manyToMany', 'morphOne', 'morphMany', 'morphToOne', 'morphToMany'] as const;

export const MEDIA_KINDS = ['images', 'videos', 'files', 'audios'] as const;

/** The options an attribute of that type takes; undefined where there is no such type. */
export function attributeOptions(type: string): OptionTable | undefined {
  if (isScalarTypeName(type)) return scalarOptions(type);
  return Object.hasOwn(STRUCTURED, type) ? STRUCTURED[type] : undefined;
}
