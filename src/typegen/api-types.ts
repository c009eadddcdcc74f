/** The names that api.d.ts exports. The index leaves out those that a content-type has, too. */
export const API_TYPE_NAMES = [
  'Block',
  'Blocks',
  'Conditions',
  'CreateRequest',
  'DocumentRef',
  'ErrorResponse',
  'Filters',
  'InlineNode',
  'JsonValue',
  'LinkNode',
  'ListNode',
  'ListResponse',
  'OffsetPagination',
  'PagePagination',
  'Populate',
  'PopulateKey',
  'Populated',
  'Query',
  'RelationChanges',
  'RelationPosition',
  'SingleResponse',
  'TextNode',
  'ToManyInput',
  'ToOneInput',
  'TypedRef',
  'UpdateRequest',
] as const;

/** The text of types/api.d.ts, which is the same for all projects. It imports nothing. */
export const API_TYPES = `/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

export interface TextNode {
  type: 'text';
  text: string;
  bold?: boolean;
  italic?: boolean;
  underline?: boolean;
  strikethrough?: boolean;
  code?: boolean;
}

export interface LinkNode {
  type: 'link';
  url: string;
  children: TextNode[];
}

export type InlineNode = TextNode | LinkNode;

export interface ListNode {
  type: 'list';
  format: 'ordered' | 'unordered';
  children: ({ type: 'list-item'; children: InlineNode[] } | ListNode)[];
}

/** One block of rich text. */
export type Block =
  | { type: 'paragraph' | 'quote'; children: InlineNode[] }
  | { type: 'heading'; level: 1 | 2 | 3 | 4 | 5 | 6; children: InlineNode[] }
  | { type: 'code'; language?: string; children: TextNode[] }
  | { type: 'image'; image: { url: string; [key: string]: JsonValue }; children: InlineNode[] }
  | ListNode;

/** The value of a blocks attribute. */
export type Blocks = Block[];

/** A document by its documentId, or by the numeric id of one of its versions. */
export type DocumentRef = string | number | { documentId: string } | { id: number };

/** The position of a connected document in the list; its end by default. */
export type RelationPosition =
  | { start: true }
  | { end: true }
  | { before: string | number }
  | { after: string | number };

type Connection =
  | DocumentRef
  | { documentId: string; position?: RelationPosition }
  | { id: number; position?: RelationPosition };

/** Changes to a relation. \`set\` replaces it; \`connect\` and \`disconnect\` are then ignored. */
export interface RelationChanges {
  set?: DocumentRef | DocumentRef[] | null;
  connect?: Connection | Connection[];
  disconnect?: DocumentRef | DocumentRef[];
}

export type ToOneInput = DocumentRef | RelationChanges | null;

/** A list replaces the relation. A single document counts as a list of one. */
export type ToManyInput = DocumentRef | DocumentRef[] | RelationChanges | null;

/** A document of one of several types. */
export type TypedRef<Uid extends string> = { __type: Uid } & ({ documentId: string } | { id: number });

/** Metadata of a list requested by page; without totals where \`withCount\` is false. */
export interface PagePagination {
  page: number;
  pageSize: number;
  pageCount?: number;
  total?: number;
}

/** Metadata of a list requested by \`start\` and \`limit\`. */
export interface OffsetPagination {
  start: number;
  limit: number;
  total?: number;
}

/** Response to GET on a collection type. */
export interface ListResponse<T, P extends PagePagination | OffsetPagination = PagePagination> {
  data: T[];
  meta: { pagination: P };
}

/** Response to GET, POST and PUT on one document. */
export interface SingleResponse<T> {
  data: T;
  meta: { [key: string]: unknown };
}

/** Response to a failed request. */
export interface ErrorResponse {
  data: null;
  error: {
    status: number;
    name: string;
    message: string;
    details: { errors?: { path: string[]; message: string; name: string }[]; [key: string]: unknown };
  };
}

/** Body of POST. */
export interface CreateRequest<Input> {
  data: Input;
}

/** Body of PUT: absent keys stay as they are, null clears. With \`?status=draft\` also a body of POST. */
export interface UpdateRequest<Input> {
  data: { [Key in keyof Input]?: Input[Key] };
}

/** Names of relations, media, components and dynamic zones, which are returned only if populated. */
export type PopulateKey<T> = { [Key in keyof T]-?: undefined extends T[Key] ? Key : never }[keyof T] & string;

/** The document with these attributes populated: \`Populated<Article, 'author' | 'tags'>\`. */
export type Populated<T, Keys extends PopulateKey<T>> = T & { [Key in Keys]-?: Exclude<T[Key], undefined> };

/** Operators over one attribute. */
export interface Conditions<V> {
  $eq?: V;
  $eqi?: V;
  $ne?: V;
  $nei?: V;
  $lt?: V;
  $lte?: V;
  $gt?: V;
  $gte?: V;
  $in?: V | V[];
  $notIn?: V | V[];
  $contains?: string;
  $notContains?: string;
  $containsi?: string;
  $notContainsi?: string;
  $null?: boolean;
  $notNull?: boolean;
  $between?: [V, V];
  $startsWith?: string;
  $startsWithi?: string;
  $endsWith?: string;
  $endsWithi?: string;
  $not?: Conditions<V>;
}

type FilterOn<V> = V extends readonly (infer Item)[]
  ? Filters<Item>
  : V extends object
    ? Filters<V>
    : V | V[] | Conditions<V>;

/** The \`filters\` parameter, at any depth. */
export type Filters<T> = { [Key in keyof T]?: FilterOn<Exclude<T[Key], null | undefined>> } & {
  $and?: Filters<T>[];
  $or?: Filters<T>[];
  $not?: Filters<T>;
  $null?: boolean;
  $notNull?: boolean;
};

type Item<V> = V extends readonly (infer Element)[] ? Element : V;

/** The \`populate\` parameter. */
export type Populate<T> = '*' | PopulateKey<T> | PopulateKey<T>[] | PopulateMap<T>;

type PopulateMap<T> = {
  [Key in PopulateKey<T>]?:
    | boolean
    | '*'
    | Query<Item<Exclude<T[Key], null | undefined>>>
    | { on: { [component: string]: unknown } };
};

/** The parameters of a read, before they are serialized to a query string. */
export interface Query<T> {
  filters?: Filters<T>;
  sort?: string | string[];
  fields?: (keyof T & string)[] | '*';
  populate?: Populate<T>;
  pagination?:
    | { page?: number; pageSize?: number; withCount?: boolean }
    | { start?: number; limit?: number; withCount?: boolean };
  status?: 'draft' | 'published';
  locale?: string;
  count?: boolean;
}
`;
