import { join } from 'node:path';

/** Where a project keeps what is generated; ordinary Prisma places. All but `client` and `clientFolder` are committed. */
export const GENERATED = {
  schema: 'prisma/schema.prisma',
  migrations: 'prisma/migrations',
  /** Git-ignored, made again wherever it is missing. */
  client: '.galley/client',
} as const;

export interface ProjectPaths {
  readonly schema: string;
  readonly migrations: string;
  readonly client: string;
}

/** The absolute places of a project's generated files. */
export function projectPaths(root: string): ProjectPaths {
  return { schema: join(root, GENERATED.schema), migrations: join(root, GENERATED.migrations), client: join(root, GENERATED.client) };
}
