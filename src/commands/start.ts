import * as Flags from '@oclif/core/flags';
import { assertMigrated } from '../project/open/open-database.js';
import { openProject, serverUrl } from '../project/open/open-project.js';
import { ensureClient } from '../project/generate.js';
import { startServer } from '../project/serve/start-server.js';
import { assertSecrets } from '../config/check-secrets.js';
import type { ConfigOverrides } from '../config/config.js';
import { loadConfig } from '../config/load-config.js';
import { BaseCommand } from '../cli/base-command.js';
import type { Outcome } from '../cli/outcome.js';
import { serverFlags } from '../cli/flags.js';
import { runOnHangup, runUntilStopped } from '../cli/terminal/signals.js';
import { assertPortFree } from '../server/create-hot-swap-server.js';
import { isWorker, reportToPrimary, startWorkers, waitForPassedConnections } from '../cli/server/workers.js';

interface ServerHandle {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** The primary process reports the errors of all workers. */
const reportStartFailure = async (error: unknown): Promise<Outcome> => {
  await reportToPrimary(error);
  return { json: null, exitCode: 1 };
};

export default class Start extends BaseCommand<typeof Start> {
  static override summary = 'Serve the project in production.';
  static override description =
    'Does not start if migrations are pending, or if secrets are missing or weak. On SIGTERM or ' +
    'Ctrl-C, finishes running requests and exits with code 0. With several workers, SIGHUP replaces ' +
    'them one by one without failing a request. Prints the address to stdout and the log (JSON) to ' +
    'stderr.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --host 0.0.0.0 --port 8080 --workers 4',
  ];
  static override flags = {
    ...serverFlags,
    workers: Flags.integer({
      min: 1,
      max: 256,
      default: 1,
      description: 'Number of worker processes; the number of cores is a good choice.',
    }),
  };

  async run(): Promise<Outcome> {
    const root = this.projectRoot;
    const { port, host, workers } = this.flags;
    const overrides: ConfigOverrides = { port, host, environmentDefault: 'production' };
    if (isWorker()) {
      const serve = () => startServer(root, { overrides, onStoppedListening: waitForPassedConnections });
      return runUntilStopped(serve, { isWorker: true }).then(
        ({ running }) => ({ json: null, running }),
        reportStartFailure,
      );
    }
    const { server } = await loadConfig(root, overrides);
    await assertPortFree(server);
    const start = (): Promise<ServerHandle> =>
      workers === 1 ? startServer(root, { overrides }) : this.#startWorkers(root, overrides);
    const { started, running } = await runUntilStopped(start);
    return { json: { url: started.url, workers }, text: started.url, running };
  }

  /** Runs the checks that would stop every worker once, before any worker starts. */
  async #startWorkers(root: string, overrides: ConfigOverrides): Promise<ServerHandle> {
    const project = await openProject(root, overrides);
    assertSecrets(project.config);
    await assertMigrated(project);
    // If the client's files cannot be written, each worker generates the client in memory.
    await ensureClient(project).catch(() => undefined);
    const workers = await startWorkers({
      count: this.flags.workers,
      onCrash: (message) => this.warn(message),
      onRestarted: () => this.logToStderr('All workers are replaced.'),
    });
    runOnHangup(workers.restart);
    return { close: workers.close, url: serverUrl(project.config.server.host, workers.port) };
  }
}
