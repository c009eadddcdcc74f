import type { FieldType, ScalarConstraints } from '../fields/field-type.js';
import type { StoredScalar } from '../lib/stored-value.js';
import type { AttributeDefinition } from './definition.js';

/** What is wrong with one option, for whoever knows the file. */
export interface OptionFault {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly option: string;
  readonly message: string;
  readonly allowed: readonly string[];
}

export interface ScalarOptions {
  readonly constraints: ScalarConstraints;
  /** In stored form; undefined where none is set. */
  readonly default: StoredScalar | undefined;
  readonly faults: readonly OptionFault[];
}

type Settings = Readonly<Record<string, unknown>>;
type AddFault = (option: string, code: string, message: string, rest?: Partial<OptionFault>) => void;
type Draft = { -readonly [Key in keyof ScalarConstraints]: ScalarConstraints[Key] };

const NEEDS_UNICODE = /\\[pPu]\{/;

/** Without Unicode rules unless the pattern needs them: they forbid escapes that patterns in the wild have, and V8 has no linear-time engine for them. */
const compilePattern = (source: string): RegExp | null => {
  try {
    return new RegExp(source, NEEDS_UNICODE.test(source) ? 'u' : '');
  } catch {
    return null;
  }
};

const readBound = (field: FieldType, value: unknown, option: 'min' | 'max', add: AddFault): number | bigint | undefined => {
  const bound = field.parseFilter(value);
  if (bound.ok && (typeof bound.value === 'number' || typeof bound.value === 'bigint')) return bound.value;
  const reason = bound.ok ? 'must be a number' : bound.faults.map(({ message }) => message).join(', ');
  add(option, 'invalid-option', `the option "${option}" ${reason}`, { allowed: [`a value of type ${field.name}`] });
  return undefined;
};

const readPattern = (value: string, add: AddFault): RegExp | undefined => {
  const pattern = compilePattern(value);
  if (pattern === null) add('regex', 'invalid-regex', `"${value}" is no regular expression`);
  return pattern ?? undefined;
};

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '');

/** One constraint each; a value of the wrong form is already reported by whoever read the file, and means not set. */
const READERS: Readonly<Record<FieldType['options'][number], (draft: Draft, value: unknown, field: FieldType, add: AddFault) => void>> = {
  min: (draft, value, field, add) => {
    const bound = readBound(field, value, 'min', add);
    if (bound !== undefined) draft.min = bound;
  },
  max: (draft, value, field, add) => {
    const bound = readBound(field, value, 'max', add);
    if (bound !== undefined) draft.max = bound;
  },
  minLength: (draft, value) => {
    if (isCount(value)) draft.minLength = value;
  },
  maxLength: (draft, value) => {
    if (isCount(value)) draft.maxLength = value;
  },
  regex: (draft, value, _field, add) => {
    const pattern = typeof value === 'string' ? readPattern(value, add) : undefined;
    if (pattern !== undefined) draft.regex = pattern;
  },
  enum: (draft, value, _field, add) => {
    if (isTexts(value)) draft.enum = value;
    else add('enum', 'invalid-enum', 'the option "enum" must be a list of texts, none of them empty');
  },
  targetField: (draft, value) => {
    if (typeof value === 'string') draft.targetField = value;
  },
};

const readConstraints = (options: Settings, field: FieldType, add: AddFault): ScalarConstraints => {
  const draft: Draft = { required: options['required'] === true, unique: options['unique'] === true || field.name === 'uid' };
  for (const option of field.options) {
    const value = options[option] ?? '';
    if (value !== '') READERS[option](draft, value, field, add);
  }
  return draft;
};

/** The option that `checkOptions` complains of: the first of the type's that is set. */
const blamed = (options: Settings, field: FieldType): string => field.options.find((option) => (options[option] ?? undefined) !== undefined) ?? 'type';

const readDefault = (value: unknown, field: FieldType, constraints: ScalarConstraints, add: AddFault): StoredScalar | undefined => {
  if (value === undefined || value === null) return undefined;
  const parsed = field.parse(value, constraints, 'draft');
  if (!parsed.ok) {
    const reason = parsed.faults.map(({ path, message }) => [...path, message].join(' ')).join(', ');
    add('default', 'invalid-default', `the default ${JSON.stringify(value)} does not fit: it ${reason}`, { allowed: [...(constraints.enum ?? [])] });
    return undefined;
  }
  const strict = field.parse(value, constraints, 'full');
  if (!strict.ok) {
    const reason = strict.faults.map(({ message }) => message).join(', ');
    add('default', 'invalid-default', `the default ${JSON.stringify(value)} cannot be published: it ${reason}`, { severity: 'warning' });
  }
  return parsed.value;
};

/** Reads a scalar attribute's options by the rules of its type. */
export function readScalarOptions({ options }: AttributeDefinition, field: FieldType): ScalarOptions {
  const faults: OptionFault[] = [];
  const add: AddFault = (option, code, message, rest = {}) => {
    faults.push({ severity: 'error', code, option, message, allowed: [], ...rest });
  };
  const constraints = readConstraints(options, field, add);
  if (faults.length > 0) return { constraints, default: undefined, faults };
  for (const message of field.checkOptions?.(constraints, options['default']) ?? []) {
    add(blamed(options, field), field.name === 'enumeration' ? 'invalid-enum' : 'invalid-range', message);
  }
  const value = faults.length > 0 ? undefined : readDefault(options['default'], field, constraints, add);
  return { constraints, default: value, faults };
}
