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
