import {
  applied,
  differently,
  fixed,
  harmless,
  refused,
  restricting,
  checkSection,
} from '../../config/strapi/options/option.js';
import type { StrapiOptions } from '../../config/strapi/options/option.js';
import { isRecord } from '../../lib/records.js';
import { withSuggestion } from '../../lib/nearest.js';
import { SCALAR_TYPE_NAMES } from '../fields/field-type.js';
import { FIELD_TYPES, isScalarTypeName } from '../fields/registry.js';
import type { AttributeDefinition } from './definition.js';
import type { FileProblems } from './schema-file.js';

const OF_STRAPI = 'Written by Strapi into what it generates.';
const OF_DATABASE = 'Galley chooses the form of tables and columns.';
const OF_PANEL = 'It is for the admin panel.';

const IDENTITY: StrapiOptions = {
  uid: harmless(OF_STRAPI),
  modelName: harmless(OF_STRAPI),
  modelType: harmless(OF_STRAPI),
  globalId: harmless(OF_STRAPI),
  config: harmless(OF_STRAPI),
  $schema: harmless('It is for editors.'),
};

/** The keys of a content-type's file. */
export const TYPE_OPTIONS = {
  kind: applied(),
  collectionName: differently('The name of the table, after which that of its documents is named.'),
  info: applied('Its keys are listed below.'),
  options: applied('Its keys are listed below.'),
  pluginOptions: applied('Its keys are listed below.'),
  attributes: applied(),
  indexes: differently('Columns are those of attributes.'),
  ...IDENTITY,
} as const satisfies StrapiOptions;

/** The keys of a component's file. */
export const COMPONENT_OPTIONS = {
  collectionName: harmless('Components are stored with their owners.'),
  info: applied('Its keys are listed below.'),
  options: applied('Its keys are listed below.'),
  pluginOptions: harmless('Components have the locale of their owner.'),
  attributes: applied(),
  category: differently('The folder decides.'),
  ...IDENTITY,
} as const satisfies StrapiOptions;

/** The keys of `info`, in files of content-types and of components. */
export const INFO_OPTIONS = {
  singularName: applied(),
  pluralName: applied(),
  displayName: applied(),
  description: applied(),
  name: harmless('From older versions of Strapi.'),
  icon: harmless('It is for the admin panel; `/api/content-type-builder` shows it of components.'),
} as const satisfies StrapiOptions;

/** The keys of `options`. */
export const SCHEMA_OPTIONS: StrapiOptions = {
  draftAndPublish: applied(),
  privateAttributes: restricting(
    applied('Built-in names such as `createdAt`, too; not `id` and `documentId`.'),
  ),
  cacheControl: applied('Of Galley: the header of responses.'),
  history: applied('Of Galley: how many versions are kept.'),
  comment: harmless('It is for developers.'),
  populateCreatorFields: fixed(false, 'There are no users of an admin panel.'),
  timestamps: harmless('There always are timestamps, in Strapi 5, too.'),
  increments: harmless('From older versions of Strapi.'),
  reviewWorkflows: refused('There are no review workflows.'),
  unstable_virtual: harmless(OF_DATABASE),
};

/** The keys of `options` of a component. */
export const COMPONENT_SCHEMA_OPTIONS: StrapiOptions = {
  ...SCHEMA_OPTIONS,
  draftAndPublish: harmless('Components are versions of their owner.'),
};

/** The keys of `pluginOptions`. Code reads all of them. */
export const SCHEMA_PLUGIN_OPTIONS: StrapiOptions = {
  'i18n.localized': applied(),
  'content-manager.*': harmless(OF_PANEL),
  'content-type-builder.*': harmless(OF_PANEL),
  '*': harmless('It is for the plugin of that name, whose code reads it.'),
};

/** The options of all attributes. */
export const ATTRIBUTE_OPTIONS = {
  required: applied(),
  private: restricting(applied()),
  default: applied(),
  configurable: harmless(OF_PANEL),
  pluginOptions: applied('`i18n.localized`; the others as those of the type.'),
  customField: applied(),
  writable: restricting(applied('Clients cannot write it; code and commands can.')),
  visible: harmless(OF_PANEL),
  searchable: applied('False: `_q` leaves it out.'),
  editable: harmless(OF_PANEL),
  useJoinTable: harmless(OF_DATABASE),
  column: harmless(OF_DATABASE),
  columnType: harmless(OF_DATABASE),
  displayName: harmless(OF_PANEL),
  description: harmless(OF_PANEL),
  conditions: applied('`visible`: nothing is required of an attribute that it hides.'),
  options: harmless('The code of the custom field reads it.'),
  enumName: refused('GraphQL names an enumeration after its type and attribute.'),
} as const satisfies StrapiOptions;

const COUNT = applied('Items, as in Strapi.');
const BOTH_ENDS = applied('Read at both ends.');

/** The options of attributes that hold no single value. */
export const STRUCTURAL_OPTIONS = {
  relation: {
    relation: applied(),
    target: applied(),
    inversedBy: BOTH_ENDS,
    mappedBy: BOTH_ENDS,
    morphBy: BOTH_ENDS,
    unique: harmless('Relations are not unique in Strapi either.'),
    joinTable: harmless(OF_DATABASE),
    joinColumn: harmless(OF_DATABASE),
    morphColumn: harmless(OF_DATABASE),
    owner: harmless(OF_DATABASE),
    ordered: harmless('Lists of links are always ordered.'),
    unstable_virtual: harmless(OF_DATABASE),
  },
  media: {
    multiple: applied(),
    allowedTypes: restricting(applied()),
    unique: harmless('Media are not unique in Strapi either.'),
  },
  component: {
    component: applied(),
    repeatable: applied(),
    min: COUNT,
    max: COUNT,
    unique: harmless('Components are not unique in Strapi either.'),
  },
  dynamiczone: {
    components: applied(),
    min: COUNT,
    max: COUNT,
    unique: harmless('Zones are not unique in Strapi either.'),
  },
} as const satisfies Readonly<Record<string, StrapiOptions>>;

const STRUCTURAL_TYPE_NAMES = ['relation', 'media', 'component', 'dynamiczone'] as const;
type StructuralTypeName = (typeof STRUCTURAL_TYPE_NAMES)[number];

/** All attribute types, after resolving custom fields. */
export const ATTRIBUTE_TYPE_NAMES: readonly string[] = [...SCALAR_TYPE_NAMES, ...STRUCTURAL_TYPE_NAMES];

const isStructural = (type: string): type is StructuralTypeName => Object.hasOwn(STRUCTURAL_OPTIONS, type);

const ownOptions = (type: string): readonly string[] => {
  if (isScalarTypeName(type)) return ['unique', 'index', 'search', ...FIELD_TYPES[type].options];
  return isStructural(type) ? Object.keys(STRUCTURAL_OPTIONS[type]) : [];
};

/** Returns the options of an attribute type: specific ones first, then common ones. */
export function knownOptions(type: string): readonly string[] {
  return [...ownOptions(type), ...Object.keys(ATTRIBUTE_OPTIONS)];
}

interface OptionForm {
  readonly accepts: (value: unknown) => boolean;
  readonly expected: string;
  /** The same as JSON Schema, for editors. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
}

const isNonEmptyText = (value: unknown): boolean => typeof value === 'string' && value !== '';

const BOOLEAN_FORM: OptionForm = {
  accepts: (value) => typeof value === 'boolean',
  expected: 'true or false',
  jsonSchema: { type: 'boolean' },
};
const TEXT_FORM: OptionForm = {
  accepts: isNonEmptyText,
  expected: 'a string that is not empty',
  jsonSchema: { type: 'string', minLength: 1 },
};
const TEXT_LIST_FORM: OptionForm = {
  accepts: (value) => Array.isArray(value) && value.every(isNonEmptyText),
  expected: 'a list of strings that are not empty',
  jsonSchema: { type: 'array', items: TEXT_FORM.jsonSchema },
};
const OBJECT_FORM: OptionForm = { accepts: isRecord, expected: 'an object', jsonSchema: { type: 'object' } };
const COUNT_FORM: OptionForm = {
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  expected: 'a whole number, not negative',
  jsonSchema: { type: 'integer', minimum: 0 },
};

const FORMS: Readonly<Record<string, OptionForm>> = {
  required: BOOLEAN_FORM,
  unique: BOOLEAN_FORM,
  index: BOOLEAN_FORM,
  search: BOOLEAN_FORM,
  private: BOOLEAN_FORM,
  writable: BOOLEAN_FORM,
  configurable: BOOLEAN_FORM,
  multiple: BOOLEAN_FORM,
  repeatable: BOOLEAN_FORM,
  pluginOptions: OBJECT_FORM,
  conditions: OBJECT_FORM,
  minLength: COUNT_FORM,
  maxLength: COUNT_FORM,
  regex: TEXT_FORM,
  targetField: TEXT_FORM,
  generate: BOOLEAN_FORM,
  customField: TEXT_FORM,
  component: TEXT_FORM,
  relation: TEXT_FORM,
  target: TEXT_FORM,
  inversedBy: TEXT_FORM,
  mappedBy: TEXT_FORM,
  morphBy: TEXT_FORM,
  components: TEXT_LIST_FORM,
  allowedTypes: TEXT_LIST_FORM,
};

/** In these types min and max count items. Number types parse them as values. */
const COUNTED_TYPES = ['component', 'dynamiczone'];

const formOf = (type: string, option: string): OptionForm | undefined => {
  if (option === 'min' || option === 'max') return COUNTED_TYPES.includes(type) ? COUNT_FORM : undefined;
  return Object.hasOwn(FORMS, option) ? FORMS[option] : undefined;
};

/** Returns the JSON Schema of an option's values; null if the type's parser defines them. */
export function jsonSchemaOfOption(type: string, option: string): Readonly<Record<string, unknown>> | null {
  return formOf(type, option)?.jsonSchema ?? null;
}

const unknownOption = (attribute: AttributeDefinition, option: string, allowed: readonly string[]): string =>
  withSuggestion(`the type ${attribute.type} has no option "${option}"; it is ignored`, option, allowed);

/** Reports an option that has no effect. */
const checkEffect = (
  { option, value }: { readonly option: string; readonly value: unknown },
  location: { readonly path: readonly string[]; readonly attribute: string },
  problems: FileProblems,
): void => {
  if (!Object.hasOwn(ATTRIBUTE_OPTIONS, option)) return;
  for (const { reason, isFatal } of checkSection(ATTRIBUTE_OPTIONS, { [option]: value }))
    problems.add({
      ...location,
      severity: isFatal ? 'error' : 'warning',
      code: 'unapplied-option',
      message: `the option "${option}" ${reason}`,
    });
};

/** Checks the name and form of every option. Null means not set. */
export function checkOptionForms(attribute: AttributeDefinition, problems: FileProblems): void {
  const { name, type, options } = attribute;
  const allowed = knownOptions(type);
  for (const [option, value] of Object.entries(options)) {
    const location = { path: ['attributes', name, option], attribute: name };
    if (!allowed.includes(option)) {
      problems.add({
        ...location,
        severity: 'warning',
        code: 'unknown-option',
        message: unknownOption(attribute, option, allowed),
        allowed,
      });
      continue;
    }
    checkEffect({ option, value }, location, problems);
    const form = formOf(type, option);
    if (value !== null && form !== undefined && !form.accepts(value)) {
      problems.add({
        ...location,
        severity: 'warning',
        code: 'invalid-option',
        message: `the option "${option}" must be ${form.expected}; it is ignored`,
        allowed: [form.expected],
      });
    }
  }
}
