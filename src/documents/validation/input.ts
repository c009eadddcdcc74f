import type { Strictness } from '../../model/fields/field-type.js';
import type { ValidationIssue } from '../../errors/galley-error.js';
import type { JsonValue, StoredScalar } from '../../lib/stored-value.js';
import type { LinkAttribute, ScalarAttribute, Uid } from '../../model/model.js';

/**
 * A client's reference to a document: the document id or the numeric `id` of a version. Exactly one of the
 * two is set.
 */
export interface LinkRef {
  readonly type: Uid;
  readonly documentId: string | null;
  readonly id: number | null;
  /** The target's locale, if only the target is localised; null for the default locale. */
  readonly locale: string | null;
}

export type LinkPosition =
  | { readonly at: 'start' }
  /** `isDefault`: the client sent no position. */
  | { readonly at: 'end'; readonly isDefault?: true }
  | { readonly at: 'before' | 'after'; readonly ref: LinkRef };

export interface Connection {
  readonly ref: LinkRef;
  readonly position: LinkPosition;
}

/** A change to one relation or media attribute, in a form common to all requests. */
export type LinkOperation =
  | { readonly kind: 'set'; readonly targets: readonly LinkRef[] }
  | {
      readonly kind: 'change';
      readonly connect: readonly Connection[];
      readonly disconnect: readonly LinkRef[];
    };

/** A relation or media attribute inside a component that is being written. */
export interface ComponentLink {
  readonly attribute: LinkAttribute;
  readonly operation: LinkOperation;
  /** True if it must not be left empty. */
  readonly isRequired: boolean;
  /** The document ids that the item linked before. */
  readonly current: readonly string[];
  /** Path from the document's attribute to the link: `['sections', '0', 'author']`. It has no value yet. */
  readonly path: readonly string[];
}

/** One level on the way from a document to a component inside it. */
export interface ComponentStep {
  /** The attribute that contains the component, of the document or of the enclosing component. */
  readonly attribute: string;
  readonly component: Uid;
}

/** A unique value inside a component. No other document may have it at the same steps. */
export interface ComponentUnique {
  readonly attribute: ScalarAttribute;
  readonly value: JsonValue;
  readonly steps: readonly ComponentStep[];
  readonly path: readonly string[];
  /** True if errors may show the value. */
  readonly isShown: boolean;
}

/** A client's `data` in stored form. Attributes that keep their values are in none of the maps. */
export interface ParsedInput {
  /** Sent values. For a new version also defaults and nulls. */
  readonly scalars: ReadonlyMap<string, StoredScalar>;
  /** The values of component and dynamic zone attributes: an item, a list of items, or null. */
  readonly components: ReadonlyMap<string, JsonValue>;
  readonly links: ReadonlyMap<string, LinkOperation>;
  /** The relations and media that must not be left empty. */
  readonly requiredLinks: ReadonlySet<string>;
  readonly componentLinks: readonly ComponentLink[];
  /** The unique values of the components that were sent. */
  readonly componentUniques: readonly ComponentUnique[];
}

/** Stored values by attribute name: scalars, components and dynamic zones, but no links. */
export type StoredValues = Pick<ReadonlyMap<string, StoredScalar>, 'get'>;

export interface ParseContext {
  /** `full` for versions that are published. Then the values that stay are checked, too. */
  readonly strictness: Strictness;
  /**
   * The version's values, which stay if the client sends none. For a new locale, the values that it shares
   * with other locales. Empty for a new document.
   */
  readonly stored: StoredValues;
  /** True if the version has no row yet. Then required links must be sent. */
  readonly isNew: boolean;
  /** True if a new version shares its links that are not localized with another locale. */
  readonly sharesLinks?: boolean;
  /** True if any version of the document contains the component with that id. */
  readonly isKnownComponent: (id: number) => boolean;
  /** Returns the `id` for a new component. */
  readonly newComponentId: () => number;
}

/** The access of the caller. */
export interface InputAccess {
  /** True if the caller may link to documents of a type. */
  readonly canFind: (type: Uid) => boolean;
  /** True if a client sends the data. Clients can set only writable attributes. */
  readonly isOfClient?: boolean;
}

/** Data whose keys have been checked and whose passwords have been hashed, outside of any transaction. */
export interface PreparedInput {
  readonly data: Readonly<Record<string, unknown>>;
  readonly hashed: HashedValues;
}

/** The hashes of values such as passwords, by attribute type and plain value. */
export type HashedValues = ReadonlyMap<string, ReadonlyMap<string, StoredScalar>>;

/** The compiled validator of one content-type's input. */
export interface InputValidator {
  /**
   * Checks shape, keys and access at any depth, and hashes passwords.
   *
   * @throws `request/missing-data`, `request/invalid-key`, `request/too-many-items`
   */
  readonly prepare: (data: unknown, access: InputAccess | undefined) => Promise<PreparedInput>;
  /**
   * Parses every value and applies defaults.
   *
   * @throws `request/invalid-values` with all issues, `request/invalid-relation` for an invalid link
   */
  readonly parse: (input: PreparedInput, context: ParseContext) => ParsedInput;
  /** Returns the issues of a whole document, as if it were written to an empty database. */
  readonly check: (
    data: Readonly<Record<string, unknown>>,
    strictness: Strictness,
  ) => readonly ValidationIssue[];
}
