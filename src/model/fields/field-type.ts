import type { JsonSchema } from '../../lib/json.js';
import type { ColumnKind, StoredScalar } from '../../lib/stored-value.js';

export const SCALAR_TYPE_NAMES = [
  'string',
  'text',
  'richtext',
  'blocks',
  'email',
  'password',
  'uid',
  'enumeration',
  'integer',
  'biginteger',
  'float',
  'decimal',
  'boolean',
  'date',
  'time',
  'datetime',
  'timestamp',
  'json',
] as const;
export type ScalarTypeName = (typeof SCALAR_TYPE_NAMES)[number];

/** The constraints of a scalar attribute, in parsed form. Absent: not set. */
export interface ScalarConstraints {
  readonly required: boolean;
  readonly unique: boolean;
  readonly min?: number | bigint | string;
  readonly max?: number | bigint | string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Has the flag `u` only if the pattern contains Unicode properties or code points. */
  readonly regex?: RegExp;
  readonly enum?: readonly string[];
  readonly targetField?: string;
  /** True if a value that is left out on creating is made from that of `targetField`. */
  readonly generate?: boolean;
}

/**
 * The result of parsing one value: the stored form, or the issues. Messages do not name the attribute, whose
 * path the caller knows.
 */
export type ParseResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly FieldIssue[] };
/** `path` is relative to the attribute: empty for the value itself, `['0', 'children']` inside blocks. */
export interface FieldIssue {
  readonly path: readonly string[];
  readonly message: string;
}

/** Drafts skip required, unique, min, minLength and patterns. */
export type Strictness = 'draft' | 'full';

/** JSON Schemas of an attribute's values. */
export interface FieldSchemas {
  readonly output: JsonSchema;
  readonly input: JsonSchema;
}

/**
 * Everything the toolkit knows about one attribute type, as data and pure functions. To add a type, add one
 * such file, its fixture in test/fixtures/fields, its name above and a line in the registry.
 */
export interface FieldType {
  readonly name: ScalarTypeName;
  readonly column: ColumnKind;
  /**
   * The constraint options of this type in a schema file, besides those common to all types (required,
   * unique, private, default, configurable, pluginOptions…).
   */
  readonly options: readonly (
    | 'min'
    | 'max'
    | 'minLength'
    | 'maxLength'
    | 'regex'
    | 'enum'
    | 'targetField'
    | 'generate'
  )[];
  /**
   * The most characters of a value that is sent. Longer values that are stored already are kept. Absent: no
   * limit.
   */
  readonly maxCharacters?: number;
  /** Checks the constraints of an attribute against each other. Returns messages. */
  readonly checkOptions?: (constraints: ScalarConstraints, defaultValue: unknown) => readonly string[];
  /**
   * Parses a non-null value of a request. Checks all constraints that `strictness` requires, except
   * `required` and `unique`. Must accept any JavaScript value without throwing.
   */
  readonly parse: (
    input: unknown,
    constraints: ScalarConstraints,
    strictness: Strictness,
  ) => ParseResult<StoredScalar>;
  /** Parses a value of a filter (query text or GraphQL value). Constraints do not apply. */
  readonly parseFilter: (input: unknown) => ParseResult<StoredScalar>;
  /** False: the API cannot filter or sort by it (passwords). */
  readonly filterable: boolean;
  /** False: values have no order (json, blocks). */
  readonly sortable: boolean;
  /** False: a database cannot index the values, since they have no order or may be long. */
  readonly indexable: boolean;
  /** True if a full-text index can be declared for the values. Absent: no. */
  readonly searchable?: boolean;
  /** Converts the value immediately before it is stored (password hashing), after all checks. */
  readonly hash?: (value: StoredScalar) => Promise<StoredScalar>;
  /** True if responses contain times as milliseconds since 1970, as text. Absent: ISO 8601. */
  readonly printsMilliseconds?: true;
  /** TypeScript types of the value in a response and in a request, without null. */
  readonly typescript: (constraints: ScalarConstraints) => {
    readonly output: string;
    readonly input: string;
  };
  /**
   * JSON Schemas of the value in a response and in a request, without null. Of the forms that a request may
   * use, the one that clients should.
   */
  readonly jsonSchema: (constraints: ScalarConstraints, strictness: Strictness) => FieldSchemas;
  /** The schemas that `jsonSchema` refers to as `#/components/schemas/<name>`. Absent: none. */
  readonly namedSchemas?: Readonly<Record<string, JsonSchema>>;
  /** GraphQL types for output, input and filters. The schema builder names enumerations. */
  readonly graphql: { readonly output: string; readonly input: string; readonly filter: string | null };
}

export function accept<T>(value: T): ParseResult<T> {
  return { ok: true, value };
}

/** Returns one issue, at the value itself or at a path inside it. */
export function reject(message: string, path: readonly string[] = []): ParseResult<never> {
  return { ok: false, issues: [{ path, message }] };
}

/** Returns the value, or all issues if there are any. */
export function acceptUnless<T>(issues: readonly FieldIssue[], value: T): ParseResult<T> {
  return issues.length === 0 ? accept(value) : { ok: false, issues };
}

export const createIssue = (message: string, path: readonly string[] = []): FieldIssue => ({ path, message });
