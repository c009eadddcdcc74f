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

/** What the database did: a read is one statement. */
export type DatabaseWork = 'read' | 'count' | 'transaction';
