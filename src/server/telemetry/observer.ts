import type { IncomingMessage } from 'node:http';

/** A request that was answered. */
interface FinishedRequest {
  readonly raw: IncomingMessage;
  readonly method: string;
  /** The route's pattern, of which there are only so many. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

export type ObserveRequest = (request: FinishedRequest) => void;

/** Kind of work by the database. A read is one statement. */
export type DatabaseWork = 'read' | 'count' | 'transaction';
