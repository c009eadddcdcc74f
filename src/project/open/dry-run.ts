import { createDocumentService } from '../../documents/create-document-service.js';
import type { DryRunner } from '../../documents/documents.js';
import { createRunTransaction } from '../../transfer/store/document-store.js';
import type { AppServices } from './open-services.js';

/** Creates the dry run of writes. Project code does not run, since it may have other effects. */
export function createDryRun({ opened, access }: Pick<AppServices, 'opened' | 'access'>): DryRunner {
  const { database, project } = opened;
  const documents = createDocumentService({ database, model: project.model, locales: access.locales });
  const run = createRunTransaction(database);
  return (work) => run(() => work(documents), { isDryRun: true });
}
