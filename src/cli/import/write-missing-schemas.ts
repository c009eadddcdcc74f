import { writeSchemaFiles } from '../../project/write-schema-files.js';
import type { ContentSource } from '../../transfer/source.js';
import { countNoun } from '../../lib/count-noun.js';

interface SchemaMessages {
  readonly isDryRun: boolean;
  readonly confirm: (question: string) => Promise<void>;
  readonly info: (message: string) => void;
}

/** Asks, and writes the schema files that a project lacks. Returns their paths. */
export async function writeMissingSchemas(
  root: string,
  source: ContentSource,
  { isDryRun, confirm, info }: SchemaMessages,
): Promise<readonly string[]> {
  if (!isDryRun) await confirm('Write the schema files that are missing, and migrate?');
  const paths = await writeSchemaFiles(root, source, { isDryRun });
  if (!isDryRun && paths.length > 0) info(`Wrote ${countNoun(paths.length, 'schema file')} and migrated.`);
  return paths;
}
