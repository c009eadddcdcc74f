import type { Caller } from '../../access/access.js';

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
