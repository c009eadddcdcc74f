import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { migrateProjectDatabase } from '../../../support/migrate-project.js';
import { openProject } from '../../../../src/project/open/open-project.js';
import { printProjectSchema } from '../../../../src/project/generated-files.js';
import type { Project } from '../../../../src/project/open/open-project.js';
import { openDatabase } from '../../../../src/database/open-database.js';
import type { ContentModel } from '../../../../src/model/model.js';
import { createClient } from '../../../../src/database/prisma/in-memory-client.js';
import { copyDatabase } from '../../../support/databases.js';
import type { TestDatabaseKind } from '../../../support/databases.js';
import { modelFrom, schemaFilesFrom } from '../../../support/models.js';
import { createApi, steppingClock } from '../../documents/service.js';
import { readContent } from './read-content.js';
import type { Content } from './read-content.js';
import { createContent } from './site-content.js';
import { SITE_SCHEMA } from './site-schema.js';
import type { SiteSchema } from './site-schema.js';
import { readTableStates } from './table-states.js';
import type { TableStates } from './table-states.js';

/** A project with content that one row changes. */
export interface SiteCopy {
  readonly root: string;
  readonly url: string;
  /** Writes the schema files and opens the project with them. */
  readonly open: (schema: SiteSchema) => Promise<Project>;
  readonly remove: () => Promise<void>;
}

/** A migrated project with content, to be copied for every row. */
export interface PreparedSite {
  readonly model: ContentModel;
  readonly content: Content;
  /** Of the prepared database, and so of every copy. */
  readonly tables: TableStates;
  /** Returns a copy that no other row uses. */
  readonly takeCopy: () => Promise<SiteCopy>;
  readonly remove: () => Promise<void>;
}

const readableModels = new WeakMap<SiteSchema, ContentModel>();

const buildReadableModel = (schema: SiteSchema): ContentModel =>
  modelFrom(
    JSON.parse(JSON.stringify(schema).replaceAll('"type":"password"', '"type":"string"')) as SiteSchema,
  );

/**
 * The model to read and write content with. Passwords are plain text in it, which saves hashing them, and
 * shows them to the comparison.
 */
export function readableModel(schema: SiteSchema): ContentModel {
  const model = readableModels.get(schema) ?? buildReadableModel(schema);
  readableModels.set(schema, model);
  return model;
}

const writeFiles = async (root: string, schema: SiteSchema): Promise<void> => {
  await rm(join(root, 'src'), { recursive: true, force: true });
  for (const { path, text } of schemaFilesFrom(schema)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
};

const SECRETS =
  'JWT_SECRET=k8Jq2vXw9ZpL4mNb7RtY6uHs3eDfGc1A\nAPI_TOKEN_SALT=f3Wd9sKz7QyB1nVx5MtE8uRj2oLpC6hT\n';

const openIn =
  (root: string, url: string): SiteCopy['open'] =>
  async (schema) => {
    await writeFiles(root, schema);
    await writeFile(join(root, '.env'), `DATABASE_URL=${url}\n${SECRETS}`);
    return openProject(root);
  };

const writeContent = async (project: Project): Promise<void> => {
  const { dialect, config } = project;
  const model = readableModel(SITE_SCHEMA);
  const schemaText = await printProjectSchema({ model, dialect });
  const database = await openDatabase({
    dialect,
    url: config.database.url,
    loadClient: () => createClient({ schemaText, provider: dialect.schema.provider }),
  });
  try {
    await createContent(createApi({ model, database }, { clock: steppingClock() }));
  } finally {
    await database.close();
  }
};

/** Migrates an empty database to the site's schema, and writes its content. */
export async function prepareSite(kind: TestDatabaseKind): Promise<PreparedSite> {
  const root = await mkdtemp(join(tmpdir(), 'galley-schema-changes-'));
  const { url } = await kind.create();
  const project = await openIn(root, url)(SITE_SCHEMA);
  await migrateProjectDatabase(project, { label: 'model' });
  await writeContent(project);
  const model = readableModel(SITE_SCHEMA);
  const content = await readContent({ model, dialect: project.dialect, url });
  const tables = await readTableStates(url);
  const copy = async (): Promise<SiteCopy> => {
    const copyRoot = await mkdtemp(join(tmpdir(), 'galley-schema-change-'));
    await cp(join(root, 'prisma'), join(copyRoot, 'prisma'), { recursive: true });
    const database = await copyDatabase(kind.name, url);
    return {
      root: copyRoot,
      url: database.url,
      open: openIn(copyRoot, database.url),
      remove: async () => {
        await rm(copyRoot, { recursive: true, force: true });
        await database.drop();
      },
    };
  };
  // One copy is made ahead, while a row runs.
  let next = copy();
  return {
    model,
    content,
    tables,
    takeCopy: () => {
      const current = next;
      next = copy();
      return current;
    },
    remove: async () => {
      await (await next).remove();
      await rm(root, { recursive: true, force: true });
    },
  };
}
