/** Who waits for an answer, and may leave before it is there. */
export interface Requester {
  /** Calls `callback` once they leave, also if they have left already. Returns how to stop waiting for it. */
  readonly onLeave: (callback: () => void) => () => void;
}

/** What a connection tells of its end. */
interface Connection {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

const nothing = (): void => undefined;

/** Returns the one at the other end of a connection. */
export const requesterAt = (connection: Connection): Requester => {
  // One listener for all reads of a request: Node.js warns of many.
  let callbacks: Set<() => void> | null = null;
  const leave = (): void => {
    for (const callback of callbacks ?? []) callback();
  };
  return {
    onLeave: (callback) => {
      if (connection.destroyed) {
        callback();
        return nothing;
      }
      callbacks ??= new Set();
      if (callbacks.size === 0) connection.once('close', leave);
      callbacks.add(callback);
      return () => {
        callbacks?.delete(callback);
        if (callbacks?.size === 0) connection.off('close', leave);
      };
    },
  };
};
