import type { ContentTypes, ProjectTypes } from './registry.js';

/** Entry of `ContentTypes` for each UID. */
interface ContentTypeEntry {
  /** A document as the API shows it. */
  readonly document: object;
  /** The data that create a document. */
  readonly input: object;
  /** The parameters of a read. */
  readonly query: object;
}

/** Any document, where the types of a project are not generated. */
export interface AnyDocument {
  readonly documentId: string;
  readonly [attribute: string]: unknown;
}

/** Any parameters of a read, where the types of a project are not generated. */
interface AnyQuery {
  readonly filters?: unknown;
  readonly sort?: unknown;
  readonly fields?: unknown;
  readonly populate?: unknown;
  readonly pagination?: unknown;
  readonly status?: 'draft' | 'published';
  readonly locale?: string | readonly string[];
  readonly _q?: string;
  readonly hasPublishedVersion?: unknown;
  readonly publicationFilter?: unknown;
}

interface AnyEntry {
  readonly document: AnyDocument;
  readonly input: Readonly<Record<string, unknown>>;
  readonly query: AnyQuery;
}

/** The UIDs of a project's content types. Any text, where the types of a project are not generated. */
export type ContentTypeUid = [keyof ContentTypes] extends [never] ? string : keyof ContentTypes & string;

type EntryOf<Uid extends string> = Uid extends keyof ContentTypes
  ? ContentTypes[Uid] extends ContentTypeEntry
    ? ContentTypes[Uid]
    : AnyEntry
  : AnyEntry;

/** A document of the content type, as the API shows it. */
export type DocumentOf<Uid extends string> = EntryOf<Uid>['document'];

/** The data that create a document of the content type. */
export type InputOf<Uid extends string> = EntryOf<Uid>['input'];

/** The parameters of a read of the content type. */
export type QueryOf<Uid extends string> = EntryOf<Uid>['query'];

/** The Prisma Client generated for the project. */
export type ProjectPrismaClient = ProjectTypes extends { readonly prisma: infer Client } ? Client : unknown;
