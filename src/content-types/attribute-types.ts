import { SCALAR_TYPE_NAMES } from '../fields/field-type.js';
import { FIELD_TYPES, isScalarTypeName } from '../fields/registry.js';

const STRUCTURAL_TYPE_NAMES = ['relation', 'media', 'component', 'dynamiczone'] as const;
type StructuralTypeName = (typeof STRUCTURAL_TYPE_NAMES)[number];

/** All attribute types, after resolving custom fields. */
export const ATTRIBUTE_TYPE_NAMES: readonly string[] = [...SCALAR_TYPE_NAMES, ...STRUCTURAL_TYPE_NAMES];

/** Options of all attributes. Those after `customField` only matter to an admin panel or to other servers. */
const COMMON_OPTIONS = [
  'required',
  'private',
  'default',
  'configurable',
  'pluginOptions',
  'customField',
  'writable',
  'visible',
  'searchable',
  'editable',
  'useJoinTable',
  'column',
  'columnType',
  'displayName',
  'description',
  'conditions',
  'options',
  'enumName',
];

const STRUCTURAL_OPTIONS: Readonly<Record<StructuralTypeName, readonly string[]>> = {
  relation: [
    'relation',
    'target',
    'inversedBy',
    'mappedBy',
    'morphBy',
    'unique',
    'joinTable',
    'joinColumn',
    'morphColumn',
    'owner',
    'ordered',
    'unstable_virtual',
  ],
  media: ['multiple', 'allowedTypes', 'unique'],
  component: ['component', 'repeatable', 'min', 'max', 'unique'],
  dynamiczone: ['components', 'min', 'max', 'unique'],
};

const isStructural = (type: string): type is StructuralTypeName => Object.hasOwn(STRUCTURAL_OPTIONS, type);

const ownOptions = (type: string): readonly string[] => {
  if (isScalarTypeName(type)) return ['unique', 'index', 'search', ...FIELD_TYPES[type].options];
  return isStructural(type) ? STRUCTURAL_OPTIONS[type] : [];
};

/** Returns the options of an attribute type, its own first. */
export function knownOptions(type: string): readonly string[] {
  return [...ownOptions(type), ...COMMON_OPTIONS];
}
