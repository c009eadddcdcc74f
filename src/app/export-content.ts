import { openOwnSource } from '../transfer/strapi/export/open-own-source.js';
import { writeArchive } from '../transfer/strapi/export/write-archive.js';
import type { ArchiveOptions, WrittenArchive } from '../transfer/strapi/export/write-archive.js';
import { assertMigrated } from './assert-migrated.js';
import type { Project } from './open-project.js';

/**
 * Writes a project's content to an archive that `strapi import` takes.
 *
 * @throws `project/pending-migrations`, `database/unreachable`
 */
export async function exportContent(
  project: Project,
  path: string,
  options: ArchiveOptions,
): Promise<WrittenArchive> {
  await assertMigrated(project);
  const { config, model, root } = project;
  const source = await openOwnSource({
    root,
    url: config.database.url,
    model,
    uploads: config.upload.directory,
  });
  try {
    return await writeArchive(source, path, options);
  } finally {
    await source.close();
  }
}
