import { isRecord } from '../lib/is-record.js';
import { nearest } from '../lib/nearest.js';
import { knownOptions } from './attribute-types.js';
import type { AttributeDefinition } from './definition.js';
import type { FileProblems } from './file-problems.js';

interface OptionForm {
  readonly is: (value: unknown) => boolean;
  readonly what: string;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

const BOOLEAN: OptionForm = { is: (value) => typeof value === 'boolean', what: 'true or false' };
const TEXT: OptionForm = { is: isText, what: 'a text' };
const TEXTS: OptionForm = { is: (value) => Array.isArray(value) && value.every(isText), what: 'a list of texts' };
const OBJECT: OptionForm = { is: isRecord, what: 'an object' };
const COUNT: OptionForm = { is: (value) => Number.isSafeInteger(value) && Number(value) >= 0, what: 'a whole number, not negative' };

const FORMS: Readonly<Record<string, OptionForm>> = {
  required: BOOLEAN, unique: BOOLEAN, private: BOOLEAN, configurable: BOOLEAN, multiple: BOOLEAN, repeatable: BOOLEAN,
  pluginOptions: OBJECT,
  minLength: COUNT, maxLength: COUNT,
  regex: TEXT, targetField: TEXT, customField: TEXT, component: TEXT,
  relation: TEXT, target: TEXT, inversedBy: TEXT, mappedBy: TEXT, morphBy: TEXT,
  components: TEXTS, allowedTypes: TEXTS,
};

/** Minimum and maximum count items there; of numbers they are read by the number's own type. */
const COUNTED_TYPES = ['component', 'dynamiczone'];

const formOf = (type: string, option: string): OptionForm | undefined => {
  if (option === 'min' || option === 'max') return COUNTED_TYPES.includes(type) ? COUNT : undefined;
  return Object.hasOwn(FORMS, option) ? FORMS[option] : undefined;
};

const unknownOption = (attribute: AttributeDefinition, option: string, allowed: readonly string[]): string => {
  const meant = nearest(option, allowed);
  return `the type ${attribute.type} has no option "${option}"; it is ignored${meant === undefined ? '' : `. Did you mean "${meant}"?`}`;
};

/** Checks every option's name and form. Null means not set, as everywhere in these files. */
export function checkOptionForms(attribute: AttributeDefinition, problems: FileProblems): void {
  const { name, type, options } = attribute;
  const allowed = knownOptions(type);
  for (const [option, value] of Object.entries(options)) {
    const place = { path: ['attributes', name, option], attribute: name };
    if (!allowed.includes(option)) {
      problems.add({ ...place, severity: 'warning', code: 'unknown-option', message: unknownOption(attribute, option, allowed), allowed });
      continue;
    }
    const form = formOf(type, option);
    if (value !== null && form !== undefined && !form.is(value)) {
      problems.add({ ...place, code: 'invalid-option', message: `the option "${option}" must be ${form.what}`, allowed: [form.what] });
    }
  }
}
