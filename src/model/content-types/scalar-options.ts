import type { FieldType, ScalarConstraints } from '../fields/field-type.js';
import type { StoredScalar } from '../../lib/stored-value.js';
import type { AttributeDefinition } from './definition.js';
import type { JsonObject } from './schema-file.js';

/** A problem with one option. The caller adds the file. */
interface OptionIssue {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly option: string;
  readonly message: string;
  readonly allowed: readonly string[];
}

export interface ScalarOptions {
  readonly constraints: ScalarConstraints;
  /** In stored form. Undefined: none. */
  readonly default: StoredScalar | undefined;
  readonly issues: readonly OptionIssue[];
}

type AddIssue = (option: string, code: string, message: string, rest?: Partial<OptionIssue>) => void;
type MutableConstraints = { -readonly [Key in keyof ScalarConstraints]: ScalarConstraints[Key] };

const NEEDS_UNICODE = /\\[pPu]\{/;

/**
 * Compiles without the flag `u` unless the pattern needs it: it forbids escapes that existing patterns use,
 * and V8 has no linear-time engine for it.
 */
const compilePattern = (source: string): RegExp | null => {
  try {
    return new RegExp(source, NEEDS_UNICODE.test(source) ? 'u' : '');
  } catch {
    return null;
  }
};

const readBound = (
  field: FieldType,
  value: unknown,
  option: 'min' | 'max',
  addIssue: AddIssue,
): number | bigint | undefined => {
  const bound = field.parseFilter(value);
  if (bound.ok && (typeof bound.value === 'number' || typeof bound.value === 'bigint')) return bound.value;
  const reason = bound.ok ? 'must be a number' : bound.issues.map(({ message }) => message).join(', ');
  addIssue(option, 'invalid-option', `the option "${option}" ${reason}; it is ignored`, {
    severity: 'warning',
    allowed: [`a value of type ${field.name}`],
  });
  return undefined;
};

const readPattern = (value: string, addIssue: AddIssue): RegExp | undefined => {
  const pattern = compilePattern(value);
  if (pattern === null)
    addIssue('regex', 'invalid-regex', `"${value}" is not a regular expression; it is ignored`, {
      severity: 'warning',
    });
  return pattern ?? undefined;
};

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '');

/** Parses one constraint each. Values of the wrong form have been reported already, and count as not set. */
const READERS: Readonly<
  Record<
    FieldType['options'][number],
    (constraints: MutableConstraints, value: unknown, field: FieldType, addIssue: AddIssue) => void
  >
> = {
  min: (constraints, value, field, addIssue) => {
    const bound = readBound(field, value, 'min', addIssue);
    if (bound !== undefined) constraints.min = bound;
  },
  max: (constraints, value, field, addIssue) => {
    const bound = readBound(field, value, 'max', addIssue);
    if (bound !== undefined) constraints.max = bound;
  },
  minLength: (constraints, value) => {
    if (isCount(value)) constraints.minLength = value;
  },
  maxLength: (constraints, value) => {
    if (isCount(value)) constraints.maxLength = value;
  },
  regex: (constraints, value, _field, addIssue) => {
    const pattern = typeof value === 'string' ? readPattern(value, addIssue) : undefined;
    if (pattern !== undefined) constraints.regex = pattern;
  },
  enum: (constraints, value, _field, addIssue) => {
    if (isTextList(value)) constraints.enum = value;
    else addIssue('enum', 'invalid-enum', 'the option "enum" must be a list of strings that are not empty');
  },
  targetField: (constraints, value) => {
    if (typeof value === 'string') constraints.targetField = value;
  },
  generate: (constraints, value) => {
    if (value === true) constraints.generate = true;
  },
};

const readConstraints = (options: JsonObject, field: FieldType, addIssue: AddIssue): ScalarConstraints => {
  const constraints: MutableConstraints = {
    required: options['required'] === true,
    unique: options['unique'] === true || field.name === 'uid',
  };
  for (const option of field.options) {
    const value = options[option] ?? '';
    if (value !== '') READERS[option](constraints, value, field, addIssue);
  }
  return constraints;
};

/** Returns the option to which messages of `checkOptions` are attributed: the first one that is set. */
const firstSetOption = (options: JsonObject, field: FieldType): string =>
  field.options.find((option) => (options[option] ?? undefined) !== undefined) ?? 'type';

const readDefault = (
  value: unknown,
  field: FieldType,
  constraints: ScalarConstraints,
  addIssue: AddIssue,
): StoredScalar | undefined => {
  if (value === undefined || value === null) return undefined;
  const parsed = field.parse(value, constraints, 'draft');
  if (!parsed.ok) {
    const reason = parsed.issues.map(({ path, message }) => [...path, message].join(' ')).join(', ');
    addIssue('default', 'invalid-default', `the default ${JSON.stringify(value)} is ignored: it ${reason}`, {
      severity: 'warning',
      allowed: [...(constraints.enum ?? [])],
    });
    return undefined;
  }
  const published = field.parse(value, constraints, 'full');
  if (!published.ok) {
    const reason = published.issues.map(({ message }) => message).join(', ');
    addIssue(
      'default',
      'invalid-default',
      `the default ${JSON.stringify(value)} cannot be published: it ${reason}`,
      { severity: 'warning' },
    );
  }
  return parsed.value;
};

/** Parses the options of a scalar attribute by the rules of its type. */
export function readScalarOptions({ options }: AttributeDefinition, field: FieldType): ScalarOptions {
  const issues: OptionIssue[] = [];
  const addIssue: AddIssue = (option, code, message, rest = {}) => {
    issues.push({ severity: 'error', code, option, message, allowed: [], ...rest });
  };
  const constraints = readConstraints(options, field, addIssue);
  const hasErrors = (): boolean => issues.some(({ severity }) => severity === 'error');
  if (hasErrors()) return { constraints, default: undefined, issues };
  for (const message of field.checkOptions?.(constraints, options['default']) ?? []) {
    if (field.name === 'enumeration') addIssue(firstSetOption(options, field), 'invalid-enum', message);
    else addIssue(firstSetOption(options, field), 'invalid-range', message, { severity: 'warning' });
  }
  const value = hasErrors() ? undefined : readDefault(options['default'], field, constraints, addIssue);
  return { constraints, default: value, issues };
}
