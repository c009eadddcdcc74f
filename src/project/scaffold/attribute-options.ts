import { FIELD_TYPES, isScalarTypeName } from '../../model/fields/registry.js';
import type { ScalarTypeName } from '../../model/fields/field-type.js';

/** The format of the text of an option. `value` is a value of the attribute's type, for `default`. */
export type OptionKind = 'flag' | 'count' | 'bound' | 'text' | 'list' | 'value';

export type OptionTable = Readonly<Record<string, OptionKind>>;

const OPTION_KINDS: Readonly<Record<string, OptionKind>> = {
  min: 'bound',
  max: 'bound',
  minLength: 'count',
  maxLength: 'count',
  regex: 'text',
  enum: 'list',
  targetField: 'text',
  generate: 'flag',
};

const COMMON_OPTIONS: OptionTable = {
  required: 'flag',
  private: 'flag',
  configurable: 'flag',
  localized: 'flag',
};

/** Types that cannot be unique, since their values are not compared. */
const NEVER_UNIQUE: ReadonlySet<ScalarTypeName> = new Set(['json', 'blocks', 'boolean', 'password']);

const scalarOptions = (type: ScalarTypeName): OptionTable => ({
  ...COMMON_OPTIONS,
  default: 'value',
  ...(NEVER_UNIQUE.has(type) ? {} : { unique: 'flag' }),
  ...(FIELD_TYPES[type].indexable ? { index: 'flag' } : {}),
  ...(FIELD_TYPES[type].searchable ? { search: 'flag' } : {}),
  ...Object.fromEntries(FIELD_TYPES[type].options.map((name) => [name, OPTION_KINDS[name] ?? 'text'])),
});

const INVERSE_OPTIONS: OptionTable = { inversedBy: 'text', mappedBy: 'text', morphBy: 'text' };

const STRUCTURED_TYPES: Readonly<Record<string, OptionTable>> = {
  relation: {
    relation: 'text',
    target: 'text',
    ...INVERSE_OPTIONS,
    default: 'value',
    required: 'flag',
    private: 'flag',
    configurable: 'flag',
  },
  media: { multiple: 'flag', allowedTypes: 'list', ...COMMON_OPTIONS },
  component: { component: 'text', repeatable: 'flag', min: 'count', max: 'count', ...COMMON_OPTIONS },
  dynamiczone: { components: 'list', min: 'count', max: 'count', ...COMMON_OPTIONS },
};

/** All attribute types, in the order in which prompts offer them. */
export const ATTRIBUTE_TYPES: readonly string[] = [
  ...Object.keys(FIELD_TYPES),
  ...Object.keys(STRUCTURED_TYPES),
];

export const RELATION_KINDS = [
  'oneToOne',
  'oneToMany',
  'manyToOne',
  'manyToMany',
  'morphOne',
  'morphMany',
  'morphToOne',
  'morphToMany',
] as const;

/** Returns the options of an attribute type. Undefined for an unknown type. */
export function attributeOptions(type: string): OptionTable | undefined {
  if (isScalarTypeName(type)) return scalarOptions(type);
  return Object.hasOwn(STRUCTURED_TYPES, type) ? STRUCTURED_TYPES[type] : undefined;
}
