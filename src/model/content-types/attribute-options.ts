import { checkSection } from '../../config/strapi/options/option.js';
import { isRecord } from '../../lib/records.js';
import { withSuggestion } from '../../lib/nearest.js';
import { ATTRIBUTE_OPTIONS, knownOptions } from './schema-options.js';
import type { AttributeDefinition } from './definition.js';
import type { FileProblems } from './schema-file.js';

interface OptionForm {
  readonly accepts: (value: unknown) => boolean;
  readonly expected: string;
  /** The same as JSON Schema, for editors. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
}

const isNonEmptyText = (value: unknown): boolean => typeof value === 'string' && value !== '';

const BOOLEAN: OptionForm = {
  accepts: (value) => typeof value === 'boolean',
  expected: 'true or false',
  jsonSchema: { type: 'boolean' },
};
const TEXT: OptionForm = {
  accepts: isNonEmptyText,
  expected: 'a string that is not empty',
  jsonSchema: { type: 'string', minLength: 1 },
};
const TEXT_LIST: OptionForm = {
  accepts: (value) => Array.isArray(value) && value.every(isNonEmptyText),
  expected: 'a list of strings that are not empty',
  jsonSchema: { type: 'array', items: TEXT.jsonSchema },
};
const OBJECT: OptionForm = { accepts: isRecord, expected: 'an object', jsonSchema: { type: 'object' } };
const COUNT: OptionForm = {
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  expected: 'a whole number, not negative',
  jsonSchema: { type: 'integer', minimum: 0 },
};

const FORMS: Readonly<Record<string, OptionForm>> = {
  required: BOOLEAN,
  unique: BOOLEAN,
  index: BOOLEAN,
  search: BOOLEAN,
  private: BOOLEAN,
  writable: BOOLEAN,
  configurable: BOOLEAN,
  multiple: BOOLEAN,
  repeatable: BOOLEAN,
  pluginOptions: OBJECT,
  conditions: OBJECT,
  minLength: COUNT,
  maxLength: COUNT,
  regex: TEXT,
  targetField: TEXT,
  generate: BOOLEAN,
  customField: TEXT,
  component: TEXT,
  relation: TEXT,
  target: TEXT,
  inversedBy: TEXT,
  mappedBy: TEXT,
  morphBy: TEXT,
  components: TEXT_LIST,
  allowedTypes: TEXT_LIST,
};

/** In these types min and max count items. Number types parse them as values. */
const COUNTED_TYPES = ['component', 'dynamiczone'];

const formOf = (type: string, option: string): OptionForm | undefined => {
  if (option === 'min' || option === 'max') return COUNTED_TYPES.includes(type) ? COUNT : undefined;
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
