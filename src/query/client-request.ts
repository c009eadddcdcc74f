import type { ReadAccess } from './read-access.js';

/** The request of a client that an operation comes from. */
export interface ClientRequest {
  readonly access: ReadAccess;
  /** The action whose scope applies to the type itself. */
  readonly action: string;
  /**
   * The parameters of a REST request as the client sent them. Absent: a GraphQL request, which returns no
   * more than its document selects.
   */
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A call of project code that an operation comes from. */
export interface CodeCall {
  /** As the code wrote them, or as a middleware left them. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The rights of the client that the code acts for. Undefined: it acts for itself. */
  readonly access: ReadAccess | undefined;
  /** True if the code wants the first document of a list alone. */
  readonly isFirst?: boolean;
}

/** The key of the request in the parameters of an operation. Copies made by spreading keep it. */
const CLIENT_REQUEST = Symbol('clientRequest');

/** Returns parameters of an operation that carry the request they come from. */
export function fromClient<Params extends object>(params: Params, request: ClientRequest): Params {
  return { ...params, [CLIENT_REQUEST]: request };
}

/** Returns the request that parameters of an operation come from. Undefined: it comes from no client. */
export function clientRequestOf(params: object): ClientRequest | undefined {
  return Reflect.get(params, CLIENT_REQUEST) as ClientRequest | undefined;
}

const CODE_CALL = Symbol('codeCall');

/** Returns parameters of an operation that carry the call they come from. */
export function fromCode<Params extends object>(params: Params, call: CodeCall): Params {
  return { ...params, [CODE_CALL]: call };
}

/** Returns the call that parameters of an operation come from. Undefined: it comes from no project code. */
export function codeCallOf(params: object): CodeCall | undefined {
  return Reflect.get(params, CODE_CALL) as CodeCall | undefined;
}
