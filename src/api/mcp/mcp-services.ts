import type { Access, Caller } from '../../access/access.js';
import type { DocumentService, DryRunner } from '../../documents/documents.js';
import type { GalleyError } from '../../errors/galley-error.js';
import type { MediaLibrary } from '../../media/media.js';
import type { Definitions } from '../../model/content-types/definition.js';
import type { ContentModel, ContentType, VersionStatus } from '../../model/model.js';
import type { QueryLimits } from '../../query/read-context.js';

/** The facts about a request that handlers of project code receive. Each depends on the transport. */
export interface RequestFacts {
  /** Aborted when the client cancels the request. */
  readonly signal?: AbortSignal;
  readonly requestId?: string | number;
  readonly sessionId?: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
  /** Absent in `cms mcp`. */
  readonly requestInfo?: { readonly headers: Readonly<Record<string, string>>; readonly url: URL };
}

/** A request for a tool, a prompt or a resource of project code. */
interface RegisteredRequest {
  readonly caller: Caller;
  readonly facts: RequestFacts;
}

interface RequestWithArguments extends RegisteredRequest {
  /** As the client sent them. */
  readonly args: unknown;
}

interface Registration {
  readonly name: string;
  /** True if a client may use it. */
  readonly isPermitted: (caller: Caller) => boolean;
}

/** Describes a tool in the list of tools. The schemas are JSON Schemas of objects. */
interface ToolDescription {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>>;
}

/** The result of a tool, in the form of the protocol. */
interface RegisteredResult {
  readonly content: readonly object[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** A tool of project code. */
export interface RegisteredTool extends Registration {
  /** Returns null, and logs the reason, if the tool's schemas cannot be printed as JSON Schemas. */
  readonly describe: (caller: Caller) => ToolDescription | null;
  /** @throws `mcp/invalid-argument`, `strapi/invalid-call` for invalid results, and errors of the handler */
  readonly call: (request: RequestWithArguments) => Promise<RegisteredResult>;
}

interface PromptDescription {
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required: boolean;
  }[];
}

/** A prompt of project code. */
export interface RegisteredPrompt extends Registration {
  /** Returns null, and logs the reason, if the schema of the arguments cannot be printed. */
  readonly describe: () => PromptDescription | null;
  /** Returns the result in the form of the protocol, with its `messages`. */
  readonly get: (request: RequestWithArguments) => Promise<object>;
}

/** A resource of project code. */
export interface RegisteredResource extends Registration {
  /** The normalized address. */
  readonly uri: string;
  /** The members of its entry in the list of resources, apart from the name and the address. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Returns the result in the form of the protocol, with its `contents`. */
  readonly read: (request: RegisteredRequest) => Promise<object>;
}

/** The tools, prompts and resources of project code. They are complete when the app has started. */
export interface Registrations {
  readonly tools: readonly RegisteredTool[];
  readonly prompts: readonly RegisteredPrompt[];
  readonly resources: readonly RegisteredResource[];
}

/** A change of schema files as its plan describes it. Nothing is changed yet. */
export interface SchemaPlan {
  /** The unified diff of each file. */
  readonly files: readonly { readonly path: string; readonly diff: string }[];
  readonly sql: string;
  /** The effects on stored values, in words. Empty: there are none. */
  readonly impact: readonly string[];
  /** True if stored values are deleted or become invalid. */
  readonly isDestructive: boolean;
  /** A digest of the state of files and database that the plan was made for. */
  readonly state: string;
}

/** The outcome of an applied plan. */
interface AppliedSchemaChange {
  readonly files: readonly string[];
  /** The name of the migration. Null: the database needed none. */
  readonly migration: string | null;
}

/** Plans and applies changes of content-types. */
export interface SchemaEditor {
  /** @throws the errors of `cms type` and `cms field`, such as `scaffold/invalid-attribute` */
  readonly plan: (changes: readonly Readonly<Record<string, unknown>>[]) => Promise<SchemaPlan>;
  /** Applies changes if their plan would still have this state. Returns null if it has changed. */
  readonly apply: (
    changes: readonly Readonly<Record<string, unknown>>[],
    state: string,
  ) => Promise<AppliedSchemaChange | null>;
}

/** A page of the documentation. */
export interface DocsPage {
  /** `content-api` */
  readonly name: string;
  readonly title: string;
  readonly read: () => Promise<string>;
}

/** The content that a check reads. */
interface ContentCheckScope {
  /** Null: all types of the project, and the media library. */
  readonly type: ContentType | null;
  /** Reports problems of this locale only. Default: all. */
  readonly locale?: string | undefined;
  /** The versions to check of types with drafts. Default: both. */
  readonly statuses?: readonly VersionStatus[];
}

/** The problems that a check finds. */
interface ContentReport {
  readonly findings: readonly object[];
  /** The number of problems by rule, including those that `findings` omits. */
  readonly counts: Readonly<Record<string, number>>;
  readonly errors: number;
  readonly warnings: number;
  /** The number of checked documents. */
  readonly documents: number;
}

/** The services of one project that the tools call. */
export interface McpServices {
  /** Runs work on behalf of a caller, for the log of writes. `client` is the name of the program. */
  readonly actAs: <T>(caller: Caller, client: string | null, work: () => Promise<T>) => Promise<T>;
  readonly model: ContentModel;
  readonly definitions: Pick<Definitions, 'types' | 'components'>;
  readonly documents: DocumentService;
  readonly dryRun: DryRunner;
  readonly media: MediaLibrary;
  readonly access: Access;
  readonly limits: QueryLimits;
  /** Maximum number of items in one call. */
  readonly maxBulk: number;
  /** Maximum bytes of an uploaded file. */
  readonly sizeLimit: number;
  readonly openapi: () => unknown;
  /** The tools, prompts and resources of project code. */
  readonly registrations: Registrations;
  /** Checks content with the rules of `cms content check`, regardless of rights. */
  readonly checkContent: (scope: ContentCheckScope) => Promise<ContentReport>;
  /** The key that signs confirmations. */
  readonly signingKey: string;
}

/** The tools of a server besides those that every server has. */
export interface McpAbilities {
  /** True if documents can be deleted. */
  readonly deletes: boolean;
  /** Maximum number of tokens of a response. */
  readonly maxTokens: number;
  /** The folder whose files can be uploaded. Null: files come from URLs only. */
  readonly uploadFolder: string | null;
  /** Null: content-types cannot be changed. */
  readonly schemas: SchemaEditor | null;
}

/** One call by a client. */
export interface McpCall {
  readonly services: McpServices;
  readonly abilities: McpAbilities;
  readonly caller: Caller;
}

/** A connected client. */
export interface McpSession {
  /** The name and version that the server reports. */
  readonly server: { readonly name: string; readonly version: string };
  readonly abilities: McpAbilities;
  readonly docs: readonly DocsPage[];
  /** Returns the public form of an error, and logs errors that are not the client's. */
  readonly reportError: (error: unknown) => GalleyError;
  /** Logs a message that the protocol does not allow. */
  readonly onRejected: (error: Error) => void;
  /** Runs work with the current services, under the rights of the client. */
  readonly run: <T>(work: (call: McpCall) => Promise<T>) => Promise<T>;
}
