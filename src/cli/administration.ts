import { compileUserReader } from '../access/accounts/user-reader.js';
import { localAdministration, createAdministration } from '../api/administration/administration.js';
import type { Administration } from '../api/administration/administration.js';
import type { AdministrationContext } from '../api/administration/operation.js';
import { administrationContext } from '../project/open/administration-context.js';
import { loadLocales, mapUnreachableError, openProjectDatabase } from '../project/open/open-database.js';
import type { OpenProject } from '../project/open/open-database.js';
import { openProject } from '../project/open/open-project.js';
import { openRemote } from './project/command-target.js';
import type { ContentProject } from './project/command-target.js';
import type { Warn } from './project/with-app.js';
import { createError } from '../errors/catalogue.js';
import { isGalleyError } from '../errors/galley-error.js';
import { responseData } from '../transfer/remote/remote-documents.js';
import { sendRequest } from '../transfer/remote/send.js';
import type { RemoteAccess } from '../transfer/remote/send.js';

/** Returns the error of an operation with the remedy of the server. Returns any other error unchanged. */
const operationError = ({ name }: RemoteAccess, error: unknown): unknown => {
  if (!isGalleyError(error) || error.code !== 'remote/refused') return error;
  const { code, hint, ...details } = error.details;
  if (typeof code !== 'string' || typeof hint !== 'string') return error;
  const reason = error.message;
  return createError('remote/rejected', { name, reason, remedy: hint }, { details, cause: error });
};

/** Returns the operations on everything that a remote server stores apart from content. */
function remoteAdministration(access: RemoteAccess): Administration {
  return createAdministration(async ({ path, action, timeoutMs }, input) => {
    const request = { method: 'POST', path, body: input, isRepeatable: action === 'read' } as const;
    try {
      return responseData(
        await sendRequest(access, { ...request, ...(timeoutMs === undefined ? {} : { timeoutMs }) }),
      );
    } catch (error) {
      throw operationError(access, error);
    }
  });
}

/** Returns functions that change users and documents in the app of a project, with its hooks. */
const runnersOf = (
  project: ContentProject,
  warn: Warn,
): Pick<AdministrationContext, 'withUsers' | 'withDocuments'> => ({
  withUsers: async (work) => {
    const { withApp } = await import('./project/with-app.js');
    return withApp(project, { warn }, ({ database, documents }) => {
      const { model } = project;
      return work({ database, model, documents, users: compileUserReader(database, model) });
    });
  },
  withDocuments: async (work) => {
    const { withApp } = await import('./project/with-app.js');
    return withApp(project, { warn }, ({ database, documents }) => work({ database, documents }));
  },
});

/** Returns a function that works with deleted documents, and writes in the app of a project. */
const withTrashOf =
  (project: ContentProject, opened: OpenProject, warn: Warn): AdministrationContext['withTrash'] =>
  async (mode, work) => {
    if (mode === 'write') {
      const { withApp } = await import('./project/with-app.js');
      return withApp(project, { warn }, ({ documents }) => work(documents.trash));
    }
    const { createDocumentService } = await import('../documents/create-document-service.js');
    const { database, context } = opened;
    const locales = await loadLocales(context, project.config);
    const { trash } = createDocumentService({ database, model: project.model, locales });
    if (mode === 'read') return work(trash);
    const { createRunTransaction } = await import('../documents/document-context.js');
    return createRunTransaction(database)(() => work(trash), { isDryRun: true });
  };

/**
 * Runs work with everything that the project's database, or the server in `--remote`, stores apart from
 * content.
 *
 * @throws `project/pending-migrations`, `database/unreachable`, `remote/unreachable`, `remote/forbidden`, and
 *   the errors of the work
 */
export async function withAdministration<T>(
  project: ContentProject,
  warn: Warn,
  work: (administration: Administration) => Promise<T>,
): Promise<T> {
  if (project.remote !== undefined) return work(remoteAdministration(project.remote.access));
  return mapUnreachableError(project, async () => {
    const opened = await openProjectDatabase(project);
    try {
      const context = administrationContext(opened, {
        ...runnersOf(project, warn),
        withTrash: withTrashOf(project, opened, warn),
      });
      return await work(localAdministration({ ...context, grants: { kind: 'all' }, rights: undefined }));
    } finally {
      await opened.close();
    }
  });
}

/**
 * Returns the checks of the project in a folder, which need no working database, or of the server in
 * `--remote`.
 *
 * @throws the errors of `openRemote`
 */
export async function openChecks(
  root: string,
  { remote }: { readonly remote?: string | undefined },
  messages: Parameters<typeof openRemote>[2],
): Promise<Administration['checks']> {
  if (remote !== undefined) return remoteAdministration(await openRemote(root, remote, messages)).checks;
  return {
    examine: async ({ isProduction }) => {
      const { examineProject } = await import('../project/doctor/examine-project.js');
      return examineProject(root, isProduction);
    },
    suggestIndexes: async () => {
      const { suggestIndexes } = await import('../project/read-advice/suggest-indexes.js');
      return suggestIndexes(await openProject(root));
    },
  };
}
