import type { AdministrationContext } from '../../api/administration/operation.js';
import { createWebhookRegistry } from '../../api/webhooks/webhook-registry.js';
import type { OpenProject } from './open-database.js';
import { publicUrl } from './open-project.js';

/**
 * Returns the dependencies of the operations on a project's database, except for the rights of the caller.
 *
 * @param runners run work that changes users or documents, with the project's hooks
 */
export function administrationContext(
  { project, database, context }: OpenProject,
  runners: Pick<AdministrationContext, 'withUsers' | 'withDocuments' | 'withTrash'>,
): Omit<AdministrationContext, 'grants' | 'rights'> {
  const { config, root } = project;
  return {
    access: context,
    config,
    apiUrl: `${publicUrl(config)}${config.api.rest.prefix}`,
    webhooks: createWebhookRegistry(database, config),
    ...runners,
    examine: async (isProduction) => {
      const { examineProject } = await import('../doctor/examine-project.js');
      return examineProject(root, isProduction);
    },
    suggestIndexes: async () => {
      const { suggestIndexes } = await import('../read-advice/suggest-indexes.js');
      return suggestIndexes(project);
    },
  };
}
