import type { GeneratedClient } from '../database/generated-client.js';
import { createClient } from '../migrations/create-client.js';
import { generateClient } from '../migrations/generate-client.js';
import { isClientCurrent, loadClient } from '../migrations/load-client.js';
import { printProjectSchema } from './generated-files.js';
import type { Project } from './open-project.js';

/** Generates `.galley/client` unless it is there and made from this very schema. Answers whether it was made now. */
export async function ensureClient(project: Project): Promise<boolean> {
  const schemaText = await printProjectSchema(project);
  const { client } = project.paths;
  if (await isClientCurrent({ dir: client, schemaText })) return false;
  await generateClient({ schemaText, outputDir: client, provider: project.dialect.prismaProvider });
  return true;
}

export interface ClientOptions {
  /** Writes the files first where they are missing or out of date, as production wants them; else the client is then made in memory. */
  readonly generates?: boolean;
}

/** A container may mount its program read-only. */
const READ_ONLY = ['EACCES', 'EPERM', 'EROFS'];

const isReadOnly = (error: unknown): boolean => error instanceof Error && 'code' in error && READ_ONLY.includes(String(error.code));

/**
 * Loads the project's Prisma Client: from its generated files where they are current, else made in memory, which does the same at once
 * where writing the files would take a second.
 */
export async function loadProjectClient(project: Project, { generates = false }: ClientOptions = {}): Promise<GeneratedClient> {
  if (generates) {
    await ensureClient(project).catch((error: unknown) => {
      if (!isReadOnly(error)) throw error;
    });
  }
  const schemaText = await printProjectSchema(project);
  const { client } = project.paths;
  if (await isClientCurrent({ dir: client, schemaText })) return loadClient({ dir: client, schemaText });
  return createClient({ schemaText, provider: project.dialect.prismaProvider });
}
