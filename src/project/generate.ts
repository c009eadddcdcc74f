import type { GeneratedClient } from '../database/prisma/generated-client.js';
import { createClient } from '../database/prisma/in-memory-client.js';
import { generateClient, isClientCurrent, loadClient } from '../migrations/prisma-client.js';
import { printProjectSchema, writeGenerated } from './generated-files.js';
import type { GenerateOptions, GeneratedChange } from './generated-files.js';
import type { Project } from './open/open-project.js';

export interface GenerateResult {
  /** The committed files that were written, each with its previous text. */
  readonly changes: readonly GeneratedChange[];
  /** True if `.galley/client` was generated. */
  readonly client: boolean;
}

/** Writes prisma/schema.prisma, types/ and the Prisma Client. Files that are up to date are not written. */
export async function generate(project: Project, options: GenerateOptions = {}): Promise<GenerateResult> {
  const changes = await writeGenerated(project, options);
  return { changes, client: await ensureClient(project) };
}

/**
 * Generates `.galley/client` if it is missing or was generated from another schema. Returns true if it was
 * generated.
 */
export async function ensureClient(project: Project): Promise<boolean> {
  const schemaText = await printProjectSchema(project);
  const { client } = project.paths;
  if (isClientCurrent({ dir: client, schemaText })) return false;
  await generateClient({ schemaText, outputDir: client, provider: project.dialect.schema.provider });
  return true;
}

export interface ClientOptions {
  /**
   * True to write missing or outdated client files first, as in production. Otherwise an outdated client is
   * replaced by one in memory.
   */
  readonly shouldGenerate?: boolean;
}

/** Errors of a read-only file system, such as that of a container. */
const READ_ONLY_ERROR_CODES = ['EACCES', 'EPERM', 'EROFS'];

const isReadOnlyError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && READ_ONLY_ERROR_CODES.includes(String(error.code));

/** Returns a client whose files are evaluated when one of its members is first read. */
const createLateClient = (load: () => GeneratedClient): GeneratedClient => {
  let loaded: GeneratedClient | undefined;
  const members = (): GeneratedClient => {
    loaded ??= load();
    return loaded;
  };
  return {
    get PrismaClient() {
      return members().PrismaClient;
    },
    get Prisma() {
      return members().Prisma;
    },
  };
};

/**
 * Returns the project's Prisma Client, which loads its generated files when it is first used: that takes a
 * third of the time of a short command. If the files are outdated, creates the client in memory, which is a
 * second faster than writing them.
 */
export async function loadProjectClient(
  project: Project,
  { shouldGenerate = false }: ClientOptions = {},
): Promise<GeneratedClient> {
  if (shouldGenerate) {
    await ensureClient(project).catch((error: unknown) => {
      if (!isReadOnlyError(error)) throw error;
    });
  }
  const schemaText = await printProjectSchema(project);
  const { client } = project.paths;
  if (isClientCurrent({ dir: client, schemaText }))
    return createLateClient(() => loadClient({ dir: client, schemaText }));
  return createClient({ schemaText, provider: project.dialect.schema.provider });
}
