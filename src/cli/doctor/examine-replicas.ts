import type { Project } from '../../project/open-project.js';
import { replicaProblem } from '../../database/replica.js';
import { redactUrl } from '../../lib/redact-url.js';
import type { ReadConnection } from '../../database/dialect/database-driver.js';
import type { PrimaryState, ReplicaState } from '../../database/dialect/replication.js';
import { ok, runCheck, warning } from './check.js';
import type { Finding } from './check.js';

const KILOBYTE = 1024;
/** The lag, in bytes, of a replica in the same network after a burst of writes. */
const MANY_BYTES = 16 * KILOBYTE * KILOBYTE;

const readState = async <State>(
  connection: ReadConnection,
  sql: string,
  parameters: readonly string[],
): Promise<State> => {
  const [text] = await connection.queryTexts(sql, parameters);
  return JSON.parse(text ?? 'null') as State;
};

const describeReplica = (name: string, primary: PrimaryState, state: ReplicaState): Finding => {
  const problem = replicaProblem(primary, state);
  if (problem !== null)
    return warning(
      'replicas',
      `The replica ${name} is not read: ${problem}`,
      'Correct database.replicas, or DATABASE_REPLICAS.',
    );
  if (state.missingBytes === 0) return ok('replicas', `The replica ${name} has everything`);
  const age = state.seconds === null ? '' : `; its last transaction is ${Math.round(state.seconds)} s old`;
  const lag = `The replica ${name} is ${Math.ceil(state.missingBytes / KILOBYTE)} kB behind${age}`;
  return state.missingBytes < MANY_BYTES
    ? ok('replicas', lag)
    : warning('replicas', `${lag}.`, "Look at pg_stat_replication on the primary, and at the replica's log.");
};

/** Tells how far replicas are behind. A failed one is a warning, since the primary is read instead. */
export async function examineReplicas({ config, dialect }: Project): Promise<readonly Finding[]> {
  const { url, replicas, directUrl } = config.database;
  const { driver, replication } = dialect;
  if (replicas.length === 0 || replication === null) return [];
  const primary = await driver.openReadConnection(directUrl || url);
  try {
    const written = await readState<PrimaryState>(primary, replication.primarySql, []);
    return await Promise.all(
      replicas.map(async (replica) => {
        const name = redactUrl(replica);
        const [finding] = await runCheck('replicas', config.root, async () => {
          const connection = await driver.openReadConnection(replica);
          try {
            const state = await readState<ReplicaState>(connection, replication.replicaSql, [
              written.position,
            ]);
            return [describeReplica(name, written, state)];
          } finally {
            await connection.close();
          }
        });
        return finding?.status === 'error'
          ? warning(
              'replicas',
              `The replica ${name} does not answer: ${finding.message}`,
              'Content is read from the primary meanwhile. Start it, or remove it from database.replicas.',
            )
          : (finding ?? ok('replicas', name));
      }),
    );
  } finally {
    await primary.close();
  }
}
