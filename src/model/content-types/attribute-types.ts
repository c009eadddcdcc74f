import { SCALAR_TYPE_NAMES } from '../fields/field-type.js';
import { FIELD_TYPES, isScalarTypeName } from '../fields/registry.js';
import { ATTRIBUTE_OPTIONS, STRUCTURAL_OPTIONS } from './schema-options.js';

const STRUCTURAL_TYPE_NAMES = ['relation', 'media', 'component', 'dynamiczone'] as const;
type StructuralTypeName = (typeof STRUCTURAL_TYPE_NAMES)[number];

/** All attribute types, after resolving custom fields. */
export const ATTRIBUTE_TYPE_NAMES: readonly string[] = [...SCALAR_TYPE_NAMES, ...STRUCTURAL_TYPE_NAMES];

const isStructural = (type: string): type is StructuralTypeName => Object.hasOwn(STRUCTURAL_OPTIONS, type);

const ownOptions = (type: string): readonly string[] => {
  if (isScalarTypeName(type)) return ['unique', 'index', 'search', ...FIELD_TYPES[type].options];
  return isStructural(type) ? Object.keys(STRUCTURAL_OPTIONS[type]) : [];
};

/** Returns the options of an attribute type, its own first. */
export function knownOptions(type: string): readonly string[] {
  return [...ownOptions(type), ...Object.keys(ATTRIBUTE_OPTIONS)];
}
