import { Mutex } from 'async-mutex';
import type { Impersonation } from '../../access/impersonation.js';
import type { McpSession, SchemaEditor } from '../../api/mcp/mcp-services.js';
import { loadConfig } from '../../config/load-config.js';
import type { Logger } from '../../server/logger.js';
import { mcpSessionOf } from '../open/create-mcp.js';
import { openApp } from '../open/open-app.js';
import type { App } from '../open/open-app.js';
import { unreachableError } from '../open/open-database.js';
import { openProject } from '../open/open-project.js';
import { changedFiles, takeFingerprint } from './watched-files.js';
import type { Fingerprint } from './watched-files.js';

/** The options of a session on this machine. */
export interface McpSessionOptions {
  readonly logger: Logger;
  /** The client. */
  readonly impersonates: Impersonation;
  /** True if the client may delete documents. Default: the setting of the project. */
  readonly deletes: boolean | undefined;
  readonly schemaEditor: SchemaEditor;
}

/** A session, and the app that its calls open. */
export interface OpenMcpSession {
  readonly session: McpSession;
  /** Waits for the call in progress and closes the app. */
  readonly close: () => Promise<void>;
}

interface OpenedApp {
  readonly app: App;
  readonly fingerprint: Fingerprint;
}

/**
 * Opens a session that works on the project of a folder. The app is opened by the first call, and again when
 * files of the project have changed, so that the client sees the current content-types. Calls run one after
 * another. An error of the files is an error of the call, which the client can solve.
 *
 * @throws `config/load-failed`, `config/invalid`
 */
export async function openMcpSession(
  root: string,
  { logger, impersonates, deletes, schemaEditor }: McpSessionOptions,
): Promise<OpenMcpSession> {
  const config = await loadConfig(root);
  const calls = new Mutex();
  let opened: OpenedApp | null = null;
  const closeApp = async (): Promise<void> => {
    const former = opened;
    opened = null;
    await former?.app.fastify.close();
  };
  const currentApp = async (): Promise<App> => {
    const fingerprint = await takeFingerprint(root);
    if (opened !== null && changedFiles(opened.fingerprint, fingerprint).length === 0) return opened.app;
    await closeApp();
    const project = await openProject(root, { command: 'mcp' });
    const app = await openApp(project, { logger, impersonates, serves: false }).catch((error: unknown) => {
      throw unreachableError(project, error);
    });
    opened = { app, fingerprint };
    return app;
  };
  const shared = mcpSessionOf({ config, root }, logger, {
    ...(deletes === undefined ? {} : { deletes }),
    uploadFolder: root,
    schemas: schemaEditor,
  });
  return {
    session: {
      ...shared,
      run: (work) =>
        calls.runExclusive(async () => {
          const { access, createMcp } = await currentApp();
          const caller = await access.authenticate(undefined);
          return work({ services: await createMcp(), abilities: shared.abilities, caller });
        }),
    },
    close: () => calls.runExclusive(closeApp),
  };
}
