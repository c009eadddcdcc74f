import type { Strictness } from '../fields/field-type.js';
import type { JsonValue, StoredScalar } from '../lib/stored-value.js';
import type { LinkAttribute, ScalarAttribute, Uid } from '../model/model.js';

/** A linked document as the client named it: by document id, or by the numeric `id` of one of its versions. Exactly one of the two is set. */
export interface LinkRef {
  readonly type: Uid;
  readonly documentId: string | null;
  readonly id: number | null;
  /** Which version is meant, where the source has no locale of its own and the target has; null: the default one. */
  readonly locale: string | null;
}

export type LinkPosition =
  | { readonly at: 'start' | 'end' }
  | { readonly at: 'before' | 'after'; readonly ref: LinkRef };

export interface Connection {
  readonly ref: LinkRef;
  readonly position: LinkPosition;
}

/** What a client wants of one relation or media attribute, whichever of the many spellings it used. */
export type LinkOperation =
  | { readonly kind: 'set'; readonly targets: readonly LinkRef[] }
  | { readonly kind: 'change'; readonly connect: readonly Connection[]; readonly disconnect: readonly LinkRef[] };

/** One component of a document on its way into the owner's JSON; complete but for the links, which are filled in when their targets are found. */
export type ComponentItem = Record<string, JsonValue>;

/** A relation or media attribute inside a component that is being written. */
export interface ComponentLink {
  readonly attribute: LinkAttribute;
  readonly operation: LinkOperation;
  /** Document ids of what the item linked before. */
  readonly current: readonly string[];
  /** Where the outcome belongs: `item[attribute.name]`. */
  readonly item: ComponentItem;
  readonly path: readonly string[];
}

/** One level of the way from a document to a component inside it. */
export interface ComponentStep {
  /** The attribute that holds the component, of the document or of the component around it. */
  readonly attribute: string;
  readonly component: Uid;
}

/** A value inside a component that no other document may have in the same place. */
export interface ComponentUnique {
  readonly attribute: ScalarAttribute;
  readonly value: JsonValue;
  readonly steps: readonly ComponentStep[];
  readonly path: readonly string[];
}

/** A client's `data` in stored form. Attributes that keep their value are in none of the maps. */
export interface ParsedInput {
  /** Sent values and, where the version is new, defaults and nulls. */
  readonly scalars: ReadonlyMap<string, StoredScalar>;
  /** Components and dynamic zones: an item, a list of items, or null. */
  readonly components: ReadonlyMap<string, JsonValue>;
  readonly links: ReadonlyMap<string, LinkOperation>;
  readonly componentLinks: readonly ComponentLink[];
  /** Of the components that were sent. */
  readonly componentUniques: readonly ComponentUnique[];
}

/** Stored values by attribute name, as the database has them: scalars, components and zones, no links. */
export type StoredValues = ReadonlyMap<string, StoredScalar>;

export interface ParseContext {
  /** `full` for what is going to be published: then the values that are kept are checked, too. */
  readonly strictness: Strictness;
  /** The values the version has (for a new locale: those it shares with the others); an absent attribute keeps its own. Empty for a new document. */
  readonly stored: StoredValues;
  /** True where no row exists yet: required links must then be sent. */
  readonly isNew: boolean;
  /** Whether another version of the same document holds a component of that id. */
  readonly isKnownComponent: (id: number) => boolean;
  /** Makes the `id` of a new component. */
  readonly newComponentId: () => number;
}

/** Whom the data come from: what they may link to. */
export interface InputAccess {
  readonly canFind: (type: Uid) => boolean;
}

/** Data whose keys are known to be allowed, with the slow part (hashing passwords) done; made outside of any transaction. */
export interface PreparedInput {
  readonly data: Readonly<Record<string, unknown>>;
  readonly sealed: SealedValues;
}

/** Hashed forms of the sealed values in the data, by attribute type and plain value. */
export type SealedValues = ReadonlyMap<string, ReadonlyMap<string, StoredScalar>>;

/** The compiled input side of one content-type. */
export interface InputValidator {
  /**
   * Checks shape, keys and rights at any depth and hashes passwords.
   * Throws `request/no-data`, `request/invalid-key`, `request/invalid-relation`, `request/too-many-items`.
   */
  readonly prepare: (data: unknown, access: InputAccess | undefined) => Promise<PreparedInput>;
  /**
   * Reads every value and applies defaults; touches nothing outside.
   * Throws `request/invalid-values` with all faults at once, `request/invalid-relation` for links that can't be understood.
   */
  readonly parse: (input: PreparedInput, context: ParseContext) => ParsedInput;
}
