import { writeGenerated } from './generated-files.js';
import type { GeneratedChange, GenerateOptions } from './generated-files.js';
import type { Project } from './open-project.js';
import { ensureClient } from './project-client.js';

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
