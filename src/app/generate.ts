import { writeGenerated } from './generated-files.js';
import type { GeneratedChange } from './generated-files.js';
import type { Project } from './open-project.js';
import { ensureClient } from './project-client.js';

export interface Generation {
  /** The committed files that were written, with what they were before. */
  readonly changes: readonly GeneratedChange[];
  /** Whether `.galley/client` was made anew. */
  readonly client: boolean;
}

/** Content-types → prisma/schema.prisma, types/, and the Prisma Client. Writes only what is not right already. */
export async function generate(project: Project): Promise<Generation> {
  const changes = await writeGenerated(project);
  return { changes, client: await ensureClient(project) };
}
