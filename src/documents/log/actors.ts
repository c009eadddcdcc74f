/** The folder log records who changed what: actors here, rows in write-log.ts, reading in read-log.ts. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** The caller behind a write. */
export interface Identity {
  readonly kind: 'user' | 'token' | 'anonymous' | 'shell' | 'schedule' | 'code';
  /** The name of the user, the token or the account of the operating system. */
  readonly who: string | null;
  /** The documentId of a user, or the id of a token. */
  readonly whoId: string | null;
}

/** The way by which a write arrives. */
interface Origin {
  readonly via: 'rest' | 'graphql' | 'mcp' | 'command' | 'schedule' | 'code';
  /** The command, or the client of the Model Context Protocol. */
  readonly source: string | null;
  readonly address: string | null;
}

export interface Actor extends Identity, Origin {}

/** Work on behalf of one actor. Call `end` once it has ended. */
interface ActorScope {
  readonly run: <T>(work: () => T) => T;
  readonly end: () => void;
}

/** Knows on whose behalf code runs. */
export interface Actors {
  readonly current: () => Actor;
  /** Opens a scope whose actor is computed when a row is written. */
  readonly open: (actorOf: () => Actor) => ActorScope;
  /** Runs work on behalf of an actor. */
  readonly run: <T>(actor: Actor, work: () => Promise<T>) => Promise<T>;
  /** Adds a source for code outside of all scopes. It returns null if it knows no actor. */
  readonly follow: (source: () => Actor | null) => void;
}

/** The actor of code that no request and no command runs. */
export const PROJECT_CODE: Actor = Object.freeze({
  kind: 'code',
  who: null,
  whoId: null,
  via: 'code',
  source: null,
  address: null,
});

/**
 * Creates the register of the actors of a process.
 *
 * @param fallback the actor outside of all scopes
 */
export function createActors(fallback: Actor): Actors {
  const storage = new AsyncLocalStorage<() => Actor>();
  const sources: (() => Actor | null)[] = [];
  let scopes = 0;
  const open: Actors['open'] = (actorOf) => {
    let isOpen = true;
    scopes += 1;
    return {
      run: (work) => storage.run(actorOf, work),
      end: () => {
        if (!isOpen) return;
        isOpen = false;
        scopes -= 1;
        // Node.js calls each enabled storage for every promise of the process, which reads would pay for.
        if (scopes === 0) storage.disable();
      },
    };
  };
  const followed = (): Actor | null => {
    for (const source of sources) {
      const actor = source();
      if (actor !== null) return actor;
    }
    return null;
  };
  return {
    current: () => storage.getStore()?.() ?? followed() ?? fallback,
    open,
    run: async (actor, work) => {
      const scope = open(() => actor);
      try {
        return await scope.run(work);
      } finally {
        scope.end();
      }
    },
    follow: (source) => void sources.push(source),
  };
}
