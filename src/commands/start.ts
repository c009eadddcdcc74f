import * as Flags from '@oclif/core/flags';
import { assertMigrated } from '../app/assert-migrated.js';
import { openProject } from '../app/open-project.js';
import { ensureClient } from '../app/project-client.js';
import { urlOf } from '../app/server-url.js';
import { startServer } from '../app/start-server.js';
import { assertSecrets } from '../config/check-secrets.js';
import type { ConfigOverrides } from '../config/config.js';
import { BaseCommand } from './base.js';
import type { Outcome } from './support/outcome.js';
import { serverFlags } from './support/server-flags.js';
import { runUntilStopped } from './support/until-stopped.js';
import { isWorker, reportToPrimary, startWorkers } from './support/workers.js';

interface Served {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** The first process speaks for all. */
const refuse = async (error: unknown): Promise<Outcome> => {
  await reportToPrimary(error);
  return { json: null, exitCode: 1 };
};

export default class Start extends BaseCommand<typeof Start> {
  static override summary = 'Serve the project in production.';
  static override description = [
    'Refuses to start on pending migrations, or on missing or weak secrets, and says which. SIGTERM and Ctrl-C let the requests in flight',
    'finish; then it ends with 0. The address goes to stdout, the log (JSON) to stderr.',
  ].join(' ');
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --host 0.0.0.0 --port 8080 --workers 4'];
  static override flags = {
    ...serverFlags,
    workers: Flags.integer({ min: 1, max: 256, default: 1, description: 'Processes that serve together; as many as there are cores is a good number.' }),
  };

  async run(): Promise<Outcome> {
    const root = this.projectRoot;
    const { port, host, workers } = this.flags;
    const overrides: ConfigOverrides = { port, host, environmentDefault: 'production' };
    const serve = () => startServer(root, { overrides });
    if (isWorker()) return runUntilStopped(serve, { isWorker: true }).then(({ running }) => ({ json: null, running }), refuse);
    const start = (): Promise<Served> => (workers === 1 ? serve() : this.#startWorkers(root, overrides));
    const { started, running } = await runUntilStopped(start);
    return { json: { url: started.url, workers }, text: started.url, running };
  }

  /** What would stop each of the workers is found once, before there are any. */
  async #startWorkers(root: string, overrides: ConfigOverrides): Promise<Served> {
    const project = await openProject(root, overrides);
    assertSecrets(project.config);
    await assertMigrated(project);
    // One that cannot write its files makes the client in memory; the workers find that out for themselves.
    await ensureClient(project).catch(() => undefined);
    const workers = await startWorkers({ count: this.flags.workers, onCrash: (message) => this.warn(message) });
    return { close: workers.close, url: urlOf(project.config.server.host, workers.port) };
  }
}
