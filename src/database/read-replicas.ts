import type { ReadConnection } from './dialect/database-driver.js';
import type { ReplicationSupport, PrimaryState } from './dialect/replication.js';
import type { Revisions } from './dialect/revisions.js';
import { isGalleyError } from '../errors/galley-error.js';
import type { PoolUse } from '../lib/pool-use.js';
import { Replica } from './replica.js';
import type { ReplicaTarget } from './replica.js';

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
 * Copies of the database that run reads. A read goes to one that certainly has the last change of each type
 * it reads from, by the revisions, so that it returns nothing older than an earlier read or a cached
 * response. Otherwise it goes to the primary.
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
  /** Those that have the change take turns. */
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
        // What the catalogue knows, such as a read that takes too long, fails anywhere.
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
