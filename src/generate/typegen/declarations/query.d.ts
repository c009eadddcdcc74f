/** Names of relations, media, components and dynamic zones, which are returned only if populated. */
export type PopulateKey<T> = { [Key in keyof T]-?: undefined extends T[Key] ? Key : never }[keyof T] & string;

/** Names of what is returned without populating: scalar attributes, ids and times. */
export type FieldKey<T> = Exclude<keyof T & string, PopulateKey<T>>;

/** The document with these attributes populated: `Populated<Article, 'author' | 'tags'>`. */
export type Populated<T, Keys extends PopulateKey<T>> = T & { [Key in Keys]-?: Exclude<T[Key], undefined> };

/** The type that an attribute refers to, without its list. A union for dynamic zones. */
type Target<Value> =
  Exclude<Value, null | undefined> extends infer V ? (V extends readonly (infer Item)[] ? Item : V) : never;

/** The populatable names of all members of a union. */
type AnyPopulateKey<T> = T extends unknown ? PopulateKey<T> : never;

/** Operators that every attribute has. */
interface Equality<V> {
  $eq?: V | null;
  $ne?: V | null;
  $in?: V | readonly V[];
  $notIn?: V | readonly V[];
  $null?: boolean;
  $notNull?: boolean;
  $not?: Conditions<V>;
}

/** Operators of what has an order. */
interface Order<V> {
  $lt?: V;
  $lte?: V;
  $gt?: V;
  $gte?: V;
  $between?: readonly [V, V];
}

/** Operators of what is compared as text. */
interface TextConditions<V> {
  $eqi?: V;
  $nei?: V;
  $contains?: string;
  $notContains?: string;
  $containsi?: string;
  $notContainsi?: string;
  $startsWith?: string;
  $startsWithi?: string;
  $endsWith?: string;
  $endsWithi?: string;
}

/** Operators over one attribute, as its type has them. */
export type Conditions<V> = Equality<V> &
  ([V] extends [string | number] ? Order<V> : unknown) &
  ([V] extends [number | boolean] ? unknown : TextConditions<V>);

type Comparison<V> = V | readonly V[] | Conditions<V> | null;

/** The `filters` parameter, at any depth. */
export type Filters<T> = {
  readonly [Key in keyof T]?: undefined extends T[Key]
    ? Filters<Target<T[Key]>>
    : Comparison<Exclude<T[Key], null>>;
} & {
  readonly $and?: readonly Filters<T>[];
  readonly $or?: readonly Filters<T>[];
  readonly $not?: Filters<T>;
  readonly $null?: boolean;
  readonly $notNull?: boolean;
};

type SortPath<T> =
  | FieldKey<T>
  | '_score'
  | {
      [Key in PopulateKey<T>]:
        | `${Key}.${FieldKey<Target<T[Key]>>}`
        | `${Key}.${PopulateKey<Target<T[Key]>>}.${string}`;
    }[PopulateKey<T>];

type SortText<T> = `${SortPath<T>}${'' | ':asc' | ':desc'}${'' | `,${string}`}`;

type SortMap<T> = {
  readonly [Key in keyof T]?: undefined extends T[Key] ? SortMap<Target<T[Key]>> : 'asc' | 'desc';
} & { readonly _score?: 'asc' | 'desc' };

/** The `sort` parameter: `'title'`, `'author.name:desc'`, `{ title: 'asc' }`, or a list of these. */
export type Sort<T> = SortText<T> | SortMap<T> | readonly (SortText<T> | SortMap<T>)[];

type FieldsText<T> = '*' | FieldKey<T> | `${FieldKey<T>},${string}`;

/** The `fields` parameter: a name, several separated by commas, or a list. */
export type Fields<T> = FieldsText<T> | readonly FieldsText<T>[];

/** `author`, `author.avatar`; names beyond the second are not checked. */
type PopulatePath<T> =
  | PopulateKey<T>
  | {
      [Key in PopulateKey<T>]:
        | `${Key}.${AnyPopulateKey<Target<T[Key]>>}`
        | `${Key}.${AnyPopulateKey<Target<T[Key]>>}.${string}`;
    }[PopulateKey<T>];

/** The `populate` parameter: `'*'`, a path such as `'author.avatar'`, a list of paths, or options by name. */
export type Populate<T> =
  | '*'
  | PopulatePath<T>
  | `${'*' | PopulateKey<T>},${string}`
  | readonly ('*' | PopulatePath<T>)[]
  | PopulateMap<T>;

type PopulateMap<T> = {
  readonly [Key in PopulateKey<T>]?: boolean | '*' | PopulateOptions<Target<T[Key]>>;
};

/** Options for one attribute. Entries of several types take them by `on`. */
type PopulateOptions<Entry> = [Entry] extends [{ __component: string }]
  ? VariantOptions<Entry, '__component'>
  : [Entry] extends [{ __type: string }]
    ? VariantOptions<Entry, '__type'>
    : EntryOptions<Entry>;

interface VariantOptions<Entry extends { readonly [Key in Tag]: string }, Tag extends string> {
  readonly populate?: '*';
  readonly on?: {
    readonly [Name in Entry[Tag]]?:
      | boolean
      | '*'
      | Pick<EntryOptions<Extract<Entry, { [Key in Tag]: Name }>>, 'fields' | 'populate'>;
  };
}

/** Limits a list by page, or by position. */
type Pagination =
  | { readonly page?: number; readonly pageSize?: number; readonly withCount?: boolean }
  | { readonly start?: number; readonly limit?: number; readonly withCount?: boolean };

/** Limits a list by cursor. An empty cursor means the start of the list, or with `before` its end. */
type CursorPagination =
  | { readonly after: string; readonly limit?: number; readonly withCount?: boolean }
  | { readonly before: string; readonly limit?: number; readonly withCount?: boolean };

interface EntryOptions<T> {
  readonly filters?: Filters<T>;
  readonly sort?: Sort<T>;
  readonly fields?: Fields<T>;
  readonly populate?: Populate<T>;
  readonly pagination?: Pagination;
  readonly start?: number;
  readonly limit?: number;
  /** True if only the number of entries is returned. */
  readonly count?: boolean;
}

/** Selects documents by how their draft and published versions relate. */
export type PublicationFilter =
  | 'never-published'
  | 'has-published-version'
  | 'modified'
  | 'unmodified'
  | 'never-published-document'
  | 'has-published-version-document'
  | 'published-without-draft'
  | 'published-with-draft';

/** The parameters of a read, before they are serialized to a query string. */
export interface Query<T> {
  readonly filters?: Filters<T>;
  readonly sort?: Sort<T>;
  readonly fields?: Fields<T>;
  readonly populate?: Populate<T>;
  readonly pagination?: Pagination | CursorPagination;
  readonly status?: 'draft' | 'published';
  readonly locale?: string | readonly string[];
  readonly hasPublishedVersion?: boolean;
  readonly publicationFilter?: PublicationFilter;
  /** Previews published versions as they will be after this release. */
  readonly release?: string;
  /** Searches the texts and numbers of a document. */
  readonly _q?: string;
}

// Keeps what is not exported above private to this file.
export {};
