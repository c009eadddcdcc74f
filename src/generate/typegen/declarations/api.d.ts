/** Any JSON value. */
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

/** A smaller copy of an image. */
export interface FileFormat {
  name: string;
  hash: string;
  ext: string | null;
  mime: string;
  path: string | null;
  width: number;
  height: number;
  /** In kilobytes. */
  size: number;
  sizeInBytes?: number;
  url: string;
}

/**
 * The smaller copies of an image by name: those of Strapi, and those of the project's breakpoints and
 * types.
 */
export interface FileFormats {
  thumbnail?: FileFormat;
  small?: FileFormat;
  medium?: FileFormat;
  large?: FileFormat;
  [name: string]: FileFormat | undefined;
}

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

/** Changes to a relation. `set` replaces it; `connect` and `disconnect` are then ignored. */
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

/** Metadata of a list requested by page; without totals where `withCount` is false. */
export interface PagePagination {
  page: number;
  pageSize: number;
  pageCount?: number;
  total?: number;
}

/** Metadata of a list requested by `start` and `limit`. */
export interface OffsetPagination {
  start: number;
  limit: number;
  total?: number;
}

/** Metadata of a list requested by `after` or `before`: the cursors of the neighboring pages. */
export interface CursorPagination {
  next: string | null;
  previous: string | null;
  limit?: number;
  pageSize?: number;
  total?: number;
}

/** Response to GET on a collection type. */
export interface ListResponse<
  T,
  P extends PagePagination | OffsetPagination | CursorPagination = PagePagination,
> {
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
    details: {
      errors?: { path: string[]; message: string; name: string; value?: unknown }[];
      [key: string]: unknown;
    };
  };
}

/** Body of POST. */
export interface CreateRequest<Input> {
  data: Input;
}

/** Body of PUT: absent keys stay as they are, null clears. With `?status=draft` also a body of POST. */
export interface UpdateRequest<Input> {
  data: { [Key in keyof Input]?: Input[Key] };
}

// Keeps what is not exported above private to this file.
export {};
