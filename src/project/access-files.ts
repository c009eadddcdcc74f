import { join } from 'node:path';
import type { AccessContext, LocaleRecord } from '../access/access.js';
import { applyLocales, parseLocaleFile } from '../access/locale-file.js';
import { listLocales } from '../access/locales.js';
import {
  applyPermissions,
  exportPermissions,
  parsePermissionFile,
  printPermissionFile,
} from '../access/permissions/permission-file.js';
import type { OpenProject } from './open/open-database.js';
import type { Project } from './open/open-project.js';
import { loadText } from './write-text.js';

/** The files in the project's folder that deployments apply. */
export const LOCALES_FILE = 'locales.yaml';
export const PERMISSIONS_FILE = 'permissions.yaml';

/** The texts of the files. Null: the project has no such file. */
export interface AccessFiles {
  readonly locales: string | null;
  readonly permissions: string | null;
}

/**
 * Loads and checks the locales and permissions of a project.
 *
 * @throws `access/invalid-locales-file`, and the errors of `parsePermissionFile`
 */
export async function loadAccessFiles({
  root,
  model,
}: Pick<Project, 'root' | 'model'>): Promise<AccessFiles> {
  const locales = await loadText(join(root, LOCALES_FILE));
  if (locales !== null) parseLocaleFile(locales, LOCALES_FILE);
  const permissions = await loadText(join(root, PERMISSIONS_FILE));
  if (permissions !== null) parsePermissionFile(model, permissions, PERMISSIONS_FILE);
  return { locales, permissions };
}

/** Grants the permissions of a file, in addition to the present permissions of roles. */
export async function grantPermissions(
  { project, context }: Pick<OpenProject, 'project' | 'context'>,
  { text, file }: { readonly text: string; readonly file: string },
): Promise<void> {
  const granted = parsePermissionFile(project.model, text, file);
  const existing = new Map((await exportPermissions(context)).map((role) => [role.type, role]));
  const roles = granted.map((role) => {
    const { rules = new Map(), ...known } = existing.get(role.type) ?? {};
    return { ...role, ...known, rules: new Map([...rules, ...role.rules]) };
  });
  await applyPermissions(context, roles);
}

/** Adds the locales and permissions of a project to a development database, and removes none. */
export async function addAccessFiles(opened: OpenProject): Promise<void> {
  const { locales, permissions } = await loadAccessFiles(opened.project);
  if (locales !== null) {
    const definitions = parseLocaleFile(locales, LOCALES_FILE);
    await applyLocales(opened.context, definitions, { keepsOthers: true });
  }
  if (permissions !== null) await grantPermissions(opened, { text: permissions, file: PERMISSIONS_FILE });
}

/** Returns the names of those files that differ from the locales and permissions of a database. */
export async function findOutdatedAccessFiles(
  project: Pick<Project, 'root' | 'model'>,
  context: AccessContext,
): Promise<readonly string[]> {
  const { locales, permissions } = await loadAccessFiles(project);
  const outdated: string[] = [];
  if (locales !== null) {
    const { defaultCode, names } = parseLocaleFile(locales, LOCALES_FILE);
    const stored = await listLocales(context);
    const isStored = ({ code, name, isDefault }: LocaleRecord): boolean =>
      names.has(code) && (names.get(code) ?? name) === name && isDefault === (code === defaultCode);
    if (names.size !== stored.length || !stored.every(isStored)) outdated.push(LOCALES_FILE);
  }
  if (permissions !== null) {
    const stored = await exportPermissions(context);
    const defined = parsePermissionFile(project.model, permissions, PERMISSIONS_FILE);
    const merged = new Map([...stored, ...defined].map((role) => [role.type, role]));
    if (printPermissionFile([...merged.values()]) !== printPermissionFile(stored))
      outdated.push(PERMISSIONS_FILE);
  }
  return outdated;
}
