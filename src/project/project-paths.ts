import { join } from 'node:path';

/**
 * The paths of generated files, relative to the project. They are the usual paths of Prisma. All except
 * `client` are committed.
 */
export const GENERATED = {
  schema: 'prisma/schema.prisma',
  migrations: 'prisma/migrations',
  /** Ignored by git. Generated again if it is missing. */
  client: '.galley/client',
} as const;

export interface ProjectPaths {
  readonly schema: string;
  readonly migrations: string;
  readonly client: string;
}

/** Returns the absolute paths of a project's generated files. */
export function projectPaths(root: string): ProjectPaths {
  return {
    schema: join(root, GENERATED.schema),
    migrations: join(root, GENERATED.migrations),
    client: join(root, GENERATED.client),
  };
}
