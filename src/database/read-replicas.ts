import { setTimeout as sleep } from 'node:timers/promises';
import { isGalleyError } from '../errors/galley-error.js';
import type { PoolUse } from '../lib/resources.js';
import { redactUrl } from '../lib/text.js';
import type { Revisions, PrimaryState, ReplicaState, ReplicationSupport } from './dialect/dialect.js';
import type { ReadConnection } from './dialect/database-driver.js';

/** Milliseconds between two checks of a replica that lacks changes. They grow up to the second value. */
const FIRST_WAIT_MS = 2;
const LAST_WAIT_MS = 500;
/** Wait before the next check of a replica after a failure, or while changes cannot be known. */
const RETRY_MS = 1000;
/** Milliseconds between two rounds, which bound the number of checks during many writes. */
const ROUND_MS = 10;
/** Maximum delay of a replica before it is reported. */
const PATIENCE_MS = 10_000;
/** Interval between checks of a replica that is read. Keeps a connection whose loss reveals a restart. */
const HEARTBEAT_MS = 2000;

/** State that a replica must have reached to be read. */
interface ReplicaTarget extends PrimaryState {
  /** The last change that is known to be written before the position. */
  readonly change: number;
}

interface ReplicaOptions {
  readonly url: string;
  readonly sql: string;
  /** `onLost`: a connection that was not in use is lost. */
  readonly open: (url: string, onLost: () => void) => Promise<ReadConnection>;
  /** Returns the state to reach now. Null if changes cannot be known. */
  readonly target: () => Promise<ReplicaTarget | null>;
  /** Called when the replica is no longer read, and when it is read again. */
  readonly onMessage: (message: string) => void;
}

const reasonOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  const [line = ''] = text.split('\n');
  return line === '' && error instanceof Error && 'code' in error ? String(error.code) : line;
};

/** Returns the reason that a server cannot serve as a replica, or null if it can. */
export function replicaProblem({ system }: PrimaryState, state: ReplicaState): string | null {
  if (state.system !== system) return 'It is no copy of the database that is written to.';
  return state.isReplica ? null : 'It follows no other database.';
}

/** A copy of the database, with the last change that it is known to have. */
class Replica {
  readonly #options: ReplicaOptions;
  readonly #closed = new AbortController();
  readonly #heartbeat: NodeJS.Timeout;
  #connection: ReadConnection | null = null;
  /** The last change that it certainly has. */
  #change = -1;
  /** Counts the events that made the state of the replica uncertain. */
  #doubts = 0;
  #running: Promise<void> | null = null;
  #isTold = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT_MS).unref();
  }

  /** Returns the connection if the replica certainly has the change. Otherwise starts a check. */
  readonly connectionAt = (change: number): ReadConnection | null => {
    if (change <= this.#change) return this.#connection;
    this.#run();
    return null;
  };

  /** Call this after a failure: the replica may have restarted with older data. */
  readonly doubt = (): void => {
    this.#change = -1;
    this.#doubts += 1;
    this.#run();
  };

  readonly use = (): ReturnType<ReadConnection['use']> | null => this.#connection?.use() ?? null;

  readonly close = async (): Promise<void> => {
    clearInterval(this.#heartbeat);
    this.#closed.abort();
    await this.#running;
    await this.#connection?.close();
  };

  #run(): void {
    if (this.#closed.signal.aborted) return;
    this.#running ??= this.#catchUp()
      .catch(() => undefined)
      .finally(() => {
        this.#running = null;
      });
  }

  /** Waits until the replica has all changes from before the last round. Throws if it is closed. */
  async #catchUp(): Promise<void> {
    for (;;) {
      const doubts = this.#doubts;
      try {
        const target = await this.#options.target();
        if (target === null) return await this.#wait(RETRY_MS);
        await this.#reach(target);
        if (doubts === this.#doubts) {
          this.#change = target.change;
          this.#report(null);
          return await this.#wait(ROUND_MS);
        }
      } catch (error) {
        this.#closed.signal.throwIfAborted();
        this.#change = -1;
        this.#report(reasonOf(error));
        await this.#wait(RETRY_MS);
      }
    }
  }

  async #reach(target: ReplicaTarget): Promise<void> {
    const startedAt = performance.now();
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LAST_WAIT_MS)) {
      const state = await this.#look(target);
      if (state.hasReached) return;
      if (performance.now() - startedAt > PATIENCE_MS)
        this.#report(`It is ${Math.ceil(state.missingBytes / 1024)} kB behind.`);
      await this.#wait(wait);
    }
  }

  async #look(primary: PrimaryState): Promise<ReplicaState> {
    const { url, sql, open } = this.#options;
    this.#connection ??= await open(url, this.doubt);
    const [text] = await this.#connection.queryTexts(sql, [primary.position]);
    const state = JSON.parse(text ?? 'null') as ReplicaState;
    const problem = replicaProblem(primary, state);
    if (problem !== null) throw new Error(problem);
    return state;
  }

  async #beat(): Promise<void> {
    if (this.#change < 0 || this.#running !== null || this.#connection === null) return;
    try {
      const target = await this.#options.target();
      if (target !== null) await this.#look(target);
    } catch {
      this.doubt();
    }
  }

  /** Reports the reason that the replica is not read, once until it is read again. */
  #report(reason: string | null): void {
    const name = redactUrl(this.#options.url);
    if (reason !== null && !this.#isTold)
      this.#options.onMessage(`The replica ${name} is not read; the primary is read instead: ${reason}`);
    if (reason === null && this.#isTold) this.#options.onMessage(`The replica ${name} is read again.`);
    this.#isTold = reason !== null;
  }

  #wait(ms: number): Promise<void> {
    return sleep(ms, undefined, { ref: false, signal: this.#closed.signal });
  }
}

/** Source of revisions of content-types. */
interface Followed {
  readonly current: () => Revisions | null | Promise<Revisions | null>;
}

export interface ReadReplicasOptions {
  readonly urls: readonly string[];
  readonly primary: ReadConnection;
  readonly replication: ReplicationSupport;
  readonly open: (url: string, onLost: () => void) => Promise<ReadConnection>;
  /** Called when a replica is no longer read, and when it is read again. */
  readonly onMessage: (message: string) => void;
}

/**
 * Copies of the database that run reads. A read runs on a replica only if the replica certainly has the last
 * change of each type that it reads from, according to the revisions. So it returns nothing older than an
 * earlier read or a cached response. All other reads run on the primary.
 */
export interface ReadReplicas {
  /** Sets the source of revisions that determine changes. Null: no source. */
  readonly follow: (revisions: Followed | null) => void;
  readonly run: <T>(types: readonly string[], read: (from: ReadConnection) => Promise<T>) => Promise<T>;
  readonly use: () => PoolUse;
  readonly close: () => Promise<void>;
}

const latestOf = (types: Iterable<string>, revisions: Revisions): number => {
  let latest = 0;
  for (const type of types) latest = Math.max(latest, revisions.get(type) ?? Number.POSITIVE_INFINITY);
  return latest;
};

/** Returns the position of the primary after the last change that is known. */
const createTarget =
  (current: Followed['current'], { primary, replication }: ReadReplicasOptions) =>
  async (): Promise<ReplicaTarget | null> => {
    const revisions = await current();
    if (revisions === null) return null;
    const change = latestOf(revisions.keys(), revisions);
    const [text] = await primary.queryTexts(replication.primarySql, []);
    return { ...(JSON.parse(text ?? 'null') as PrimaryState), change };
  };

export function createReadReplicas(options: ReadReplicasOptions): ReadReplicas {
  const { primary, replication, open, onMessage } = options;
  let followed: Followed | null = null;
  const current: Followed['current'] = () => followed?.current() ?? null;
  const target = createTarget(current, options);
  const replicas = options.urls.map(
    (url) => new Replica({ url, sql: replication.replicaSql, open, target, onMessage }),
  );
  let turn = 0;
  /** Alternates between the replicas that have the change. */
  const choose = (change: number): { replica: Replica; connection: ReadConnection } | null => {
    turn = (turn + 1) % replicas.length;
    for (const replica of [...replicas.slice(turn), ...replicas.slice(0, turn)]) {
      const connection = replica.connectionAt(change);
      if (connection !== null) return { replica, connection };
    }
    return null;
  };
  return {
    follow: (revisions) => {
      followed = revisions;
    },
    run: async (types, read) => {
      const asked = current();
      const revisions = asked instanceof Promise ? await asked : asked;
      const chosen = revisions === null ? null : choose(latestOf(types, revisions));
      if (chosen === null) return read(primary);
      try {
        return await read(chosen.connection);
      } catch (error) {
        // Errors of the catalogue, such as a read that takes too long, occur on every server.
        if (isGalleyError(error)) throw error;
        chosen.replica.doubt();
        return read(primary);
      }
    },
    use: () => {
      const uses = replicas.map((replica) => replica.use()).filter((use) => use !== null);
      const sum = (key: keyof PoolUse): number => uses.reduce((total, use) => total + use[key], 0);
      return { open: sum('open'), idle: sum('idle'), waiting: sum('waiting') };
    },
    close: async () => {
      await Promise.all(replicas.map((replica) => replica.close()));
    },
  };
}
