import type { ColumnKind, StoredScalar } from '../lib/stored-value.js';

export const SCALAR_TYPE_NAMES = [
  'string', 'text', 'richtext', 'blocks', 'email', 'password', 'uid', 'enumeration', 'integer', 'biginteger',
  'float', 'decimal', 'boolean', 'date', 'time', 'datetime', 'timestamp', 'json',
] as const;
export type ScalarTypeName = (typeof SCALAR_TYPE_NAMES)[number];

/** The constraints a scalar attribute may carry, already parsed; absent means not set. */
export interface ScalarConstraints {
  readonly required: boolean;
  readonly unique: boolean;
  readonly min?: number | bigint | string;
  readonly max?: number | bigint | string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Compiled once; with the `u` flag only where the pattern names Unicode properties or code points, which have no meaning without it. */
  readonly regex?: RegExp;
  readonly enum?: readonly string[];
  readonly targetField?: string;
}

/** Outcome of reading one value: the stored form, or why it is refused (without the attribute's name; the caller knows the path). */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly faults: readonly FieldFault[] };
/** `path` is relative to the attribute: empty for the value itself, `['0', 'children']` inside blocks. */
export interface FieldFault {
  readonly path: readonly string[];
  readonly message: string;
}

/** Which constraint a stage of writing asks for: drafts skip required, min, minLength and patterns. */
export type Strictness = 'draft' | 'full';

/**
 * One attribute type, whole: everything any other room needs to know about it, as data and pure functions.
 * Adding a type is one such file, its fixture in test/fixtures/fields, and one line in the registry.
 */
export interface FieldType {
  readonly name: ScalarTypeName;
  readonly column: ColumnKind;
  /** Constraint options this type understands in a schema file, beyond those common to all (required, unique, private, default, configurable, pluginOptions…). */
  readonly options: readonly ('min' | 'max' | 'minLength' | 'maxLength' | 'regex' | 'enum' | 'targetField')[];
  /** Checks an attribute's own options when a schema file is loaded, e.g. a default outside the enumeration. Returns messages. */
  readonly checkOptions?: (constraints: ScalarConstraints, defaultValue: unknown) => readonly string[];
  /**
   * Reads a client's non-null value: type and every constraint that `strictness` asks for, `required` and `unique` excepted.
   * Must accept any JavaScript value without throwing.
   */
  readonly parse: (input: unknown, constraints: ScalarConstraints, strictness: Strictness) => Parsed<StoredScalar>;
  /** Reads a value for comparison in a filter (query text or GraphQL value); constraints do not apply. `null` faults mean "cannot be compared". */
  readonly parseFilter: (input: unknown) => Parsed<StoredScalar>;
  /** False where the API never filters or sorts by it (password). */
  readonly filterable: boolean;
  /** False for json and blocks: no ordering, no `sort`. */
  readonly sortable: boolean;
  /** Changes the value right before it is stored (password hashing); runs after every check. */
  readonly seal?: (value: StoredScalar) => Promise<StoredScalar>;
  /** TypeScript of the value in an API response and in a request, null left out. */
  readonly typescript: (constraints: ScalarConstraints) => { readonly output: string; readonly input: string };
  /** GraphQL names: output type, input type and filter input (`StringFilterInput`); enumerations are named by the schema builder. */
  readonly graphql: { readonly output: string; readonly input: string; readonly filter: string | null };
  /** JSON Schema of the value in responses. */
  readonly jsonSchema: (constraints: ScalarConstraints) => Readonly<Record<string, unknown>>;
}
