/**
 * How GraphQL prints a value. `Any` values are printed as they are stored. Where a stored value is not of its
 * type, the statement prints a mark in its place.
 */
export type OutputType = 'ID' | 'String' | 'Int' | 'Float' | 'Boolean' | 'Long' | 'Any';

/** A scalar attribute or system field. */
export interface FieldOutput {
  readonly kind: 'field';
  readonly key: string;
  readonly field: string;
  /** For an enumeration, pairs of a stored value and its name. All other values are null. */
  readonly type: OutputType | readonly (readonly [stored: string, name: string])[];
  readonly required: boolean;
}

/** The same text in every record, such as `__typename`. */
interface TextOutput {
  readonly kind: 'text';
  readonly key: string;
  readonly text: string | null;
}

/** What a populate node reads. */
export interface PopulateOutput {
  readonly kind: 'populate';
  readonly key: string;
  /** The key of the populate node. */
  readonly node: string;
  readonly required: boolean;
  /** The members of the object around the list, in which null stands for the list. Null: no object. */
  readonly connection: readonly (readonly [key: string, text: string | null])[] | null;
}

/** One member of a printed record. */
export type RecordOutput = FieldOutput | TextOutput | PopulateOutput;

/** How GraphQL prints a list: never as null. */
export interface ListOutput {
  /** A longer list is not printed. Null: any length. */
  readonly maxItems: number | null;
}
